import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderShop } from '~/test/shop';
import { Hero } from './hero';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

function shown() {
  const lines = screen.getAllByRole('button', { name: /^Slide \d of 4/ });
  return lines.findIndex((line) => line.hasAttribute('aria-current')) + 1;
}

function wheel(deltaY: number, timeStamp: number) {
  const event = new WheelEvent('wheel', { deltaY, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  fireEvent(screen.getByRole('heading', { level: 1 }), event);
  return event;
}

describe('the slideshow', () => {
  // spec: screens.home.slideshow, constants.hero.times
  test('moves on after 3 seconds, and after 2 seconds of moving and 3 of rest from then on', () => {
    renderShop(<Hero pieces={undefined} />);

    wait(2999);
    expect(shown()).toBe(1);
    wait(1);
    expect(shown()).toBe(2);
    wait(4999);
    expect(shown()).toBe(2);
    wait(1);
    expect(shown()).toBe(3);
  });

  test('begins again after the last slide', () => {
    renderShop(<Hero pieces={undefined} />);

    for (const ms of [3000, 5000, 5000]) wait(ms);
    expect(shown()).toBe(4);
    wait(5000);
    expect(shown()).toBe(1);
  });

  test('stands still while a pointer or focus is on it, and while it is paused', () => {
    renderShop(<Hero pieces={undefined} />);
    const title = screen.getByRole('heading', { level: 1 });

    fireEvent.pointerEnter(title.parentElement?.parentElement as HTMLElement);
    wait(60_000);
    expect(shown()).toBe(1);

    fireEvent.pointerLeave(title.parentElement?.parentElement as HTMLElement);
    fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
    wait(60_000);
    expect(shown()).toBe(1);

    fireEvent.click(screen.getByRole('button', { name: 'Play' }));
    wait(3000);
    expect(shown()).toBe(2);
  });

  test('does not move by itself for somebody who wants less motion', () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) => ({ matches: media.includes('reduce'), addEventListener() {}, removeEventListener() {} }) as never,
    );
    renderShop(<Hero pieces={undefined} />);

    wait(60_000);

    expect(shown()).toBe(1);
  });

  // spec: screens.home.slideshow
  test('follows the wheel down to its last slide and then lets the page scroll', () => {
    renderShop(<Hero pieces={undefined} />);

    const turns = [1, 2, 3].map((turn) => wheel(100, turn * 1000));

    expect(turns.map((event) => event.defaultPrevented)).toEqual([true, true, true]);
    expect(shown()).toBe(4);
    expect(wheel(100, 4000).defaultPrevented).toBe(false);
  });

  test('leaves the wheel upwards to the page', () => {
    renderShop(<Hero pieces={undefined} />);

    expect(wheel(-100, 1000).defaultPrevented).toBe(false);
  });
});

const piece = (id: string) => ({
  id,
  colors: [{ id, images: [{ __typename: 'Image' as const, id, alt: id, avif: '', fallback: `/images/${id}` }] }],
});
const pieces = (gender: string) => ({ jeans: [piece(`${gender} jeans`)], shirts: [piece(`${gender} shirts`)] });

describe('the tabs', () => {
  // spec: screens.home.tabs, states.hero.loader, constants.hero.times
  test('lead from the men’s slides to the women’s, with a loader for 500 ms', () => {
    renderShop(<Hero pieces={undefined} />);

    fireEvent.click(screen.getByRole('tab', { name: 'Women' }));

    expect(screen.getByRole('link', { name: 'Explore Collection' })).toHaveAttribute('href', '/category/women/jeans');
    expect(screen.getByText('Loading')).toBeInTheDocument();
    wait(499);
    expect(screen.getByText('Loading')).toBeInTheDocument();
    wait(1);
    expect(screen.queryByText('Loading')).toBeNull();
  });

  // spec: constants.defaults
  test('begin with men', () => {
    renderShop(<Hero pieces={undefined} />);

    expect(screen.getByRole('tab', { name: 'Men' })).toHaveAttribute('aria-selected', 'true');
    expect(screen.getByRole('link', { name: 'Explore Collection' })).toHaveAttribute('href', '/category/men/jeans');
  });

  // spec: states.hero.loader
  test('show the loader no longer once the picture is there', () => {
    renderShop(<Hero pieces={{ men: pieces('men'), women: pieces('women') }} />);

    fireEvent.click(screen.getByRole('tab', { name: 'Women' }));
    expect(screen.getByText('Loading')).toBeInTheDocument();
    fireEvent.load(screen.getAllByAltText('women jeans')[0] as HTMLElement);

    expect(screen.queryByText('Loading')).toBeNull();
  });

  // spec: screens.home.slides
  test('every slide has a title, a description and leads to jeans or shirts of its gender', () => {
    renderShop(<Hero pieces={undefined} />);
    const targets: (string | null)[] = [];

    for (const tab of ['Women', 'Men']) {
      fireEvent.click(screen.getByRole('tab', { name: tab }));
      for (const line of screen.getAllByRole('button', { name: /^Slide/ })) {
        fireEvent.click(line);
        targets.push(screen.getByRole('link', { name: 'Explore Collection' }).getAttribute('href'));
      }
    }

    expect(targets).toEqual([
      '/category/women/jeans',
      '/category/women/shirts',
      '/category/women/jeans',
      '/category/women/shirts',
      '/category/men/jeans',
      '/category/men/shirts',
      '/category/men/jeans',
      '/category/men/shirts',
    ]);
  });
});

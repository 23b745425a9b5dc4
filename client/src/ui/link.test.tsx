import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation, useNavigationType } from 'react-router';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { Link } from './link';

function Place() {
  const { pathname, search } = useLocation();
  return <output>{`${useNavigationType()} ${pathname}${search}`}</output>;
}

const show = (link: ReactNode) =>
  render(
    <MemoryRouter initialEntries={['/cart?from=menu']}>
      {link}
      <Place />
    </MemoryRouter>,
  );

/** Presses the link; true when the press was left to the browser. */
function press(how: MouseEventInit = {}) {
  const link = screen.getByRole('link');
  const event = createEvent.click(link, how);
  // jsdom cannot follow links: what is left to it is noted and ended here.
  let isLeft = false;
  const note = (pressed: Event) => {
    isLeft = !pressed.defaultPrevented;
    pressed.preventDefault();
  };
  document.addEventListener('click', note, { once: true });
  fireEvent(link, event);
  return isLeft;
}

test('a plain press leads on inside the page', () => {
  show(<Link to="/help/faq">Questions</Link>);

  expect(press()).toBe(false);
  expect(screen.getByRole('status')).toHaveTextContent('PUSH /help/faq');
});

test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
  'a press with %o is the browser’s',
  (how) => {
    show(<Link to="/help/faq">Questions</Link>);

    expect(press(how)).toBe(true);
    expect(screen.getByRole('status')).toHaveTextContent('POP /cart?from=menu');
  },
);

test('so is one for another tab or another document', () => {
  const { unmount } = show(
    <Link to="/help/faq" target="_blank">
      Questions
    </Link>,
  );
  expect(press()).toBe(true);
  unmount();

  show(
    <Link to="/admin" reloadDocument>
      Back office
    </Link>,
  );
  expect(press()).toBe(true);
});

test('a link to where one is adds nothing to the history', () => {
  show(<Link to="/cart?from=menu">Cart</Link>);

  press();

  expect(screen.getByRole('status')).toHaveTextContent('REPLACE /cart?from=menu');
});

import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { Picture } from './picture';

const image = { alt: 'Oxford Shirt, front', avif: '/images/i1/400.avif 400w', fallback: '/images/i1/900.webp' };
const ring = (container: HTMLElement) => container.querySelector('.waiting svg');

// spec: screens.card.spinner
test('a ring turns until the picture is there, and is told to whoever waits for it', () => {
  const onSettled = vi.fn();
  const { container } = render(<Picture image={image} sizes="100vw" onSettled={onSettled} />);
  expect(ring(container)).toBeInTheDocument();

  fireEvent.load(screen.getByAltText('Oxford Shirt, front'));

  expect(ring(container)).toBeNull();
  expect(onSettled).toHaveBeenCalledOnce();
});

test('no ring turns forever over a picture that does not come', () => {
  const { container } = render(<Picture image={image} sizes="100vw" />);

  fireEvent.error(screen.getByAltText('Oxford Shirt, front'));

  expect(ring(container)).toBeNull();
});

// spec: constants.ratio
test('its place is 3:4 before it comes', () => {
  render(<Picture image={image} sizes="100vw" />);

  expect(screen.getByAltText('Oxford Shirt, front')).toHaveAttribute('width', '900');
  expect(screen.getByAltText('Oxford Shirt, front')).toHaveAttribute('height', '1200');
});

import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { FormattedText } from './formatted-text';

shopServer();

const html = '<p><a href="/about">here</a> <a href="https://example.com">there</a></p>';

it.each([
  ['of this shop without another document', 'here', {}, true],
  ['of this shop in a tab of its own', 'here', { metaKey: true }, false],
  ['elsewhere as the browser does', 'there', {}, false],
])('opens what a link names %s', (_where, name, keys, isOurs) => {
  renderShop(<FormattedText html={html} />, '/pages/cotton');

  const isLeftToTheBrowser = fireEvent.click(screen.getByRole('link', { name }), keys);

  expect(!isLeftToTheBrowser).toBe(isOurs);
});

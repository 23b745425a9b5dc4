import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { MissingNote } from './missing-note';
import { MissingFactsDocument } from './missing.generated';

const shop = shopServer();

function show(missing: string | null, lagSeconds: number) {
  const until = '2026-11-23T10:42:07.123456+00:00';
  const freshness = { __typename: 'DataFreshness', until, lagSeconds };
  const analytics = { __typename: 'Analytics', missing, freshness };
  shop.answer(MissingFactsDocument, { admin: { __typename: 'Admin', analytics } });
  renderShop(<MissingNote />);
}

describe('what figures do not show yet', () => {
  it('is said once they are more than some seconds behind', async () => {
    show(null, 6);

    const until =
      /^Figures show what happened until Nov 2\d, 2026, \d+:42:07 .M\. What happened since is being counted\.$/;
    expect(await screen.findByText(until)).toBeVisible();
  });

  it('stands beside orders that could not be counted', async () => {
    show('Order M-10007 could not be counted.', 60);

    expect(await screen.findByText(/^Order M-10007 could not be counted\. Figures show/)).toBeVisible();
  });

  it('is not that they are some seconds behind', async () => {
    show('Order M-10007 could not be counted.', 5);

    expect(await screen.findByText('Order M-10007 could not be counted.')).toBeVisible();
  });
});

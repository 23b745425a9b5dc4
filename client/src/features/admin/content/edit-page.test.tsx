import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderScreen, shopServer } from '~/test/shop';
import { type PageDraftFragment, PublishPageDocument } from './content.generated';
import { EditPage } from './edit-page';

const shop = shopServer();
const at = '2026-11-20T16:02:30Z';
const page: PageDraftFragment = {
  id: 'p1',
  key: 'cotton',
  path: '/pages/cotton',
  title: 'Our cotton',
  version: 3,
  isPublished: false,
  hasChanges: false,
  publishAt: null,
  publishedAt: null,
  updatedBy: 'ada@minimal.test',
  updatedAt: at,
  draft: { title: 'Our cotton', description: '', blocks: [] },
  versions: [],
};
const names = { DEPARTMENT: [], PRODUCT_KIND: [], imageTypes: ['image/png'] };

it('gives a page its time in a form that is inside of no other', async () => {
  const errors = [{ field: 'at', message: 'A time to come' }];
  const requests = shop.answer(PublishPageDocument, {
    publishPage: { __typename: 'InvalidInput', message: 'Something is wrong', errors },
  });
  const { user } = renderScreen(
    <EditPage page={page} kinds={[]} names={names} Preview={() => null} onGone={() => undefined} />,
  );

  await user.click(screen.getByRole('button', { name: 'Publish later' }));
  await user.type(screen.getByLabelText('At'), '2020-01-01T09:00');
  const nested = document.querySelector('form form');
  await user.click(screen.getByRole('button', { name: 'Schedule' }));

  expect(nested).toBeNull();
  expect(await screen.findByText('A time to come')).toBeInTheDocument();
  expect(requests).toEqual([{ id: 'p1', version: 3, at: '2020-01-01T09:00:00.000Z' }]);
});

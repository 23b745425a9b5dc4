import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { ImportView } from './import-view';
import { OneImportDocument } from './import.generated';

const shop = shopServer();
const summary = {
  __typename: 'ImportSummary',
  newProducts: 0,
  hiddenProducts: 0,
  newVariants: 0,
  changedProducts: 1,
  changedPrices: 1,
  changedStock: 0,
  piecesAdded: 0,
  piecesRemoved: 0,
  unchangedRows: 0,
  changes: 1,
};

function stands(state: 'RUNNING' | 'DONE') {
  const importRow = {
    __typename: 'Import',
    id: 'i1',
    fileName: 'autumn.csv',
    createdAt: '2026-11-17T14:30:00Z',
    actor: 'owner@minimal.test',
    state,
    rows: 1,
    rowsDone: 1,
    problemCount: 0,
    finishedAt: null,
    problems: [],
    changes: [],
    summary,
  };
  shop.answer(OneImportDocument, { admin: { __typename: 'Admin', import: importRow } });
}

/** A screen that asks for its list again when the import changes. */
function Screen() {
  const [changes, setChanges] = useState(0);
  return (
    <>
      <output aria-label="Asked again">{changes}</output>
      <ImportView id="i1" isPrimary onChanged={() => setChanges((count) => count + 1)} />
    </>
  );
}

it('tells once of an import that is done, and never while it is drawn', async () => {
  const warned = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  stands('RUNNING');
  renderShop(<Screen />);
  await screen.findByText(/Working through the rows/);

  stands('DONE');

  await waitFor(() => expect(toastQueue.first()?.text).toBe('Import done'));
  expect(screen.getByRole('status', { name: 'Asked again' })).toHaveTextContent('1');
  expect(warned).not.toHaveBeenCalled();
});

import { useState } from 'react';
import { ListPanel } from '~/features/admin/list';
import { CodeForm } from '~/features/admin/pricing/code-form';
import { CodeTable } from '~/features/admin/pricing/code-table';
import {
  type DiscountCodeRowFragment,
  useDeactivateDiscountCodeMutation,
} from '~/features/admin/pricing/pricing.generated';
import { texts } from '~/features/admin/pricing/texts';
import { listPage } from '~/graphql/list-page';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { FilterBar } from '~/ui/filter-bar';
import { toast } from '~/ui/toast';
import { useListQuery } from '~/ui/use-list-query';
import { useAdminDiscountCodesQuery } from './admin-codes.generated';

const beginning = { q: '', state: 'all' };
const states = [
  { value: 'all', label: 'All', state: null },
  { value: 'running', label: 'Running', state: 'RUNNING' },
  { value: 'planned', label: 'Planned', state: 'PLANNED' },
  { value: 'ended', label: 'Ended', state: 'ENDED' },
] as const;

type Code = DiscountCodeRowFragment;

function EndDialog({ code, onClose }: { code: Code | null; onClose: () => void }) {
  const [end, { loading }] = useDeactivateDiscountCodeMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function confirm(words: string) {
    const { data, message } = await toResult(end({ variables: { code: words } }));
    if (!data) {
      setRefusal(message ?? texts.notSaved);
      return;
    }
    toast.success(texts.ended(words));
    onClose();
  }

  return (
    <ConfirmDialog
      open={code !== null}
      title={texts.endTitle(code?.code ?? '')}
      text={texts.endText(code?.code ?? '')}
      confirm={texts.endCode}
      refusal={refusal}
      working={loading && 'Ending ...'}
      onConfirm={() => code && void confirm(code.code)}
      onClose={onClose}
    />
  );
}

/** Discount codes: what there is, what came of it, new ones, changed ones, ended ones. */
export default function DiscountCodesScreen() {
  const list = useListQuery(beginning);
  const [open, setOpen] = useState<Code | 'new' | null>(null);
  const [ending, setEnding] = useState<Code | null>(null);
  const result = useAdminDiscountCodesQuery({
    variables: {
      search: list.values.q,
      state: states.find(({ value }) => value === list.values.state)?.state ?? null,
      after: list.after,
    },
    fetchPolicy: 'cache-and-network',
  });

  function saved(code: Code) {
    toast.success(texts.saved(code.code));
    if (open === 'new') void result.refetch();
    setOpen(null);
  }

  return (
    <>
      <ListPanel
        title={texts.codes}
        waiting={texts.codesWaiting}
        failed={texts.codesFailed}
        list={list}
        page={listPage(result, ({ admin }) => admin?.discountCodes)}
        aside={
          <Button small kind="primary" onClick={() => setOpen('new')}>
            {texts.newCode}
          </Button>
        }
        above={
          <FilterBar
            list={list}
            fields={[
              { name: 'q', kind: 'search', label: 'Find a code' },
              { name: 'state', kind: 'choice', label: 'State', options: states },
            ]}
          />
        }
      >
        {(codes, stale) => (
          <CodeTable
            codes={codes}
            stale={stale}
            empty={list.isNarrowed ? texts.noCodesFound : texts.noCodes}
            onEdit={setOpen}
            onEnd={setEnding}
          />
        )}
      </ListPanel>
      <Dialog
        open={open !== null}
        title={open === 'new' || open === null ? texts.newCode : open.code}
        onClose={() => setOpen(null)}
      >
        {open && <CodeForm code={open === 'new' ? null : open} onSaved={saved} onCancel={() => setOpen(null)} />}
      </Dialog>
      <EndDialog key={ending?.code} code={ending} onClose={() => setEnding(null)} />
    </>
  );
}

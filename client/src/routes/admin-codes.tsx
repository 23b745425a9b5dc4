import { useState } from 'react';
import { Panel } from '~/features/admin/panel';
import { CodeForm } from '~/features/admin/pricing/code-form';
import { CodeTable } from '~/features/admin/pricing/code-table';
import { type DiscountCodeRowFragment, useEndDiscountCodeMutation } from '~/features/admin/pricing/pricing.generated';
import styles from '~/features/admin/pricing/pricing.module.css';
import { texts } from '~/features/admin/pricing/texts';
import type { DiscountCodeState } from '~/graphql/schema.generated';
import { serverWords, settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { Select } from '~/ui/field';
import { ListSearch } from '~/ui/list-search';
import { Pager } from '~/ui/pager';
import { Filters, NoRows } from '~/ui/table';
import { toast } from '~/ui/toast';
import { useListQuery } from '~/ui/use-list-query';
import { useAdminDiscountCodesQuery } from './admin-codes.generated';

const PAGE = 50;
const beginning = { q: '', state: 'all' };
const states: Record<string, DiscountCodeState> = { running: 'RUNNING', planned: 'PLANNED', ended: 'ENDED' };

type Code = DiscountCodeRowFragment;

function EndDialog({ code, onClose }: { code: Code | null; onClose: () => void }) {
  const [end, { loading }] = useEndDiscountCodeMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function confirm(words: string) {
    const { data, said } = await settled(end({ variables: { code: words } }));
    if (!data) {
      setRefusal(said ?? texts.notSaved);
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
export default function DiscountCodesRoom() {
  const list = useListQuery(beginning);
  const [open, setOpen] = useState<Code | 'new' | null>(null);
  const [ending, setEnding] = useState<Code | null>(null);
  const { data, previousData, error, refetch } = useAdminDiscountCodesQuery({
    variables: { search: list.values.q, state: states[list.values.state] ?? null, after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const found = (data ?? previousData)?.admin?.discountCodes;

  function saved(code: Code) {
    toast.success(texts.saved(code.code));
    if (open === 'new') void refetch();
    setOpen(null);
  }

  return (
    <>
      <Panel
        title={texts.codes}
        waiting={texts.codesWaiting}
        failed={error ? (serverWords(error) ?? texts.codesFailed) : false}
        aside={
          <Button small kind="primary" onClick={() => setOpen('new')}>
            {texts.newCode}
          </Button>
        }
      >
        {found && (
          <div className={styles.room}>
            <Filters>
              <ListSearch label="Find a code" value={list.values.q} onSearch={(q) => list.set({ q })} />
              <Select
                label="State"
                value={list.values.state}
                onChange={({ target }) => list.set({ state: target.value })}
              >
                <option value="all">All</option>
                <option value="running">Running</option>
                <option value="planned">Planned</option>
                <option value="ended">Ended</option>
              </Select>
            </Filters>
            {found.nodes.length === 0 ? (
              <NoRows>{list.isNarrowed ? texts.noCodesFound : texts.noCodes}</NoRows>
            ) : (
              <CodeTable codes={found.nodes} stale={!data} onEdit={setOpen} onEnd={setEnding} />
            )}
            <Pager
              list={list}
              size={PAGE}
              shown={found.nodes.length}
              total={found.totalCount}
              pageInfo={found.pageInfo}
            />
          </div>
        )}
      </Panel>
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

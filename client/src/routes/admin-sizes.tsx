import { useState } from 'react';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { SizeSystemForm } from '~/features/admin/sizes/size-system-form';
import { SizeSystemTable } from '~/features/admin/sizes/size-system-table';
import { type SizeSystemRowFragment, useDeleteSizeSystemMutation } from '~/features/admin/sizes/sizes.generated';
import styles from '~/features/admin/sizes/sizes.module.css';
import { texts } from '~/features/admin/sizes/texts';
import { failure } from '~/graphql/list-page';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { useAdminSizesQuery } from './admin-sizes.generated';
import type { AdminViewer } from './admin-viewer';

interface RemoveDialogProps {
  system: SizeSystemRowFragment | null;
  onRemoved: () => void;
  onClose: () => void;
}

function RemoveDialog({ system, onRemoved, onClose }: RemoveDialogProps) {
  const [remove, { loading }] = useDeleteSizeSystemMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  async function confirm() {
    const { data, message } = await toResult(remove({ variables: { key: system?.key ?? '' } }));
    const answer = data?.deleteSizeSystem;
    if (answer?.__typename === 'SizeSystemsChanged') onRemoved();
    else setRefusal((answer && 'message' in answer ? answer.message : message) ?? texts.notSaved);
  }

  return (
    <ConfirmDialog
      open={system !== null}
      title={texts.removeTitle(system?.name ?? '')}
      text={texts.removeText}
      confirm={texts.remove}
      refusal={refusal}
      working={loading && texts.removing}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** What products are made in: systems of sizes, which categories name. */
export default function SizesScreen({ viewer }: { viewer: AdminViewer }) {
  const { data, error, refetch } = useAdminSizesQuery({ fetchPolicy: 'cache-and-network' });
  const [open, setOpen] = useState<SizeSystemRowFragment | 'new' | null>(null);
  const [gone, setGone] = useState<SizeSystemRowFragment | null>(null);
  const systems = data?.admin?.sizeSystems;
  const allowed = viewer.isPrimaryAdmin;
  const done = () => {
    setOpen(null);
    setGone(null);
    void refetch();
  };

  return (
    <Panel
      title={texts.sizes}
      aside={
        <Button small disabled={!allowed} onClick={() => setOpen('new')}>
          {texts.newSystem}
        </Button>
      }
      waiting={texts.waiting}
      failed={!systems && failure(error, texts.failed)}
      onRetry={() => void refetch()}
    >
      {systems && (
        <div className={styles.screen}>
          <PrivilegeNote id="sizes-privileges" allowed={allowed} />
          <p className="small soft">{texts.about}</p>
          <SizeSystemTable systems={systems} allowed={allowed} onEdit={setOpen} onRemove={setGone} />
          <Dialog
            open={open !== null}
            title={open === 'new' || open === null ? texts.newSystem : open.name}
            onClose={() => setOpen(null)}
          >
            {open && (
              <SizeSystemForm system={open === 'new' ? null : open} onSaved={done} onCancel={() => setOpen(null)} />
            )}
          </Dialog>
          <RemoveDialog key={gone?.key} system={gone} onRemoved={done} onClose={() => setGone(null)} />
        </div>
      )}
    </Panel>
  );
}

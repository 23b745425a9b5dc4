import { useState } from 'react';
import { ButtonLink } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { Empty } from '~/ui/empty';
import { PlusIcon } from '~/ui/icons';
import { toast } from '~/ui/toast';
import { type AddressFragment, useDeleteAddressMutation } from './address.generated';
import { toResult } from '~/graphql/settled';
import { AddressLines } from '~/ui/address-lines';
import { Link } from '~/ui/link';
import styles from './address-list.module.css';
import { storeAddresses } from './stored-addresses';
import { texts } from './texts';

function AddButton() {
  return (
    <ButtonLink kind="primary" small to="/add-address" end={<PlusIcon size={18} />}>
      {texts.addAddress}
    </ButtonLink>
  );
}

function useDelete() {
  const [chosen, setChosen] = useState<AddressFragment | null>(null);
  const [deleteAddress, { loading }] = useDeleteAddressMutation({
    update: (cache, { data }) => data && storeAddresses(cache, data.deleteAddress.addresses),
  });

  async function confirm() {
    if (!chosen) return;
    const { data, message } = await toResult(deleteAddress({ variables: { id: chosen.id } }));
    if (data) toast.success(texts.addressDeleted);
    else toast.error(message ?? texts.deleteFailed);
    setChosen(null);
  }

  return { chosen, setChosen, confirm: () => void confirm(), loading };
}

export function AddressList({ addresses }: { addresses: readonly AddressFragment[] }) {
  const { chosen, setChosen, confirm, loading } = useDelete();

  if (addresses.length === 0) return <Empty title={texts.noAddresses} action={<AddButton />} />;
  return (
    <>
      <AddButton />
      <ul className={styles.list}>
        {addresses.map((address) => (
          <li key={address.id} className={styles.item}>
            <AddressLines address={address} />
            {address.isDefault && <span className={styles.badge}>Default</span>}
            <div className={styles.actions}>
              <Link to={`/edit-address/${address.id}`} className="link" aria-label={`Edit ${address.address1}`}>
                Edit
              </Link>
              <button
                type="button"
                className="link"
                aria-label={`Delete ${address.address1}`}
                onClick={() => setChosen(address)}
              >
                Delete
              </button>
            </div>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={chosen !== null}
        title={texts.deleteAddress}
        text={texts.noUndo}
        confirm="Delete"
        working={loading && 'Deleting ...'}
        onConfirm={confirm}
        onClose={() => setChosen(null)}
      />
    </>
  );
}

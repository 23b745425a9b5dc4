import { AddressLines } from '~/ui/address-lines';
import { NoRows } from '~/ui/table';
import type { CustomerAddressesFragment } from './customer.generated';
import styles from './customer.module.css';
import { texts } from './texts';

/** Where the account has parcels sent. */
export function CustomerAddresses({ addresses }: CustomerAddressesFragment) {
  if (addresses.length === 0) return <NoRows>{texts.noAddresses}</NoRows>;
  return (
    <ul className={styles.addresses}>
      {addresses.map((address) => (
        <li key={address.id}>
          <AddressLines address={address} />
          {address.isDefault && <p className="small soft">Default</p>}
        </li>
      ))}
    </ul>
  );
}

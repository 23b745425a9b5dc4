import { AddressLines } from '~/ui/address-lines';
import { Radio } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { PlusIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import styles from './address-choice.module.css';
import type { DeliveryAddressFragment } from './checkout.generated';
import { texts } from './texts';

interface AddressChoiceProps {
  addresses: readonly DeliveryAddressFragment[];
  chosen: string | null;
  onChoose: (id: string) => void;
  /** The shopper tried to continue without an address. */
  missing: boolean;
}

/** Where the parcel goes: one of the addresses, or a new one. */
export function AddressChoice({ addresses, chosen, onChoose, missing }: AddressChoiceProps) {
  return (
    <fieldset className={styles.choice} aria-describedby={missing ? 'address-missing' : undefined}>
      <legend className="visually-hidden">{texts.chooseAddress}</legend>
      <ul>
        {addresses.map((address) => (
          <li key={address.id} className={styles.address}>
            <Radio
              name="delivery-address"
              value={address.id}
              checked={address.id === chosen}
              onChange={() => onChoose(address.id)}
            >
              <AddressLines address={address} />
            </Radio>
            {address.isDefault && <span className="small soft">Default</span>}
          </li>
        ))}
        <li className={styles.address}>
          <Link to="/add-address?redirect=checkout" className={styles.add}>
            <PlusIcon size={18} />
            <span className="link">{texts.addAddress}</span>
          </Link>
        </li>
      </ul>
      {missing && <ErrorNote id="address-missing">{texts.addressMissing}</ErrorNote>}
    </fieldset>
  );
}

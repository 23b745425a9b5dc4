import { useNavigate } from 'react-router';
import { AddressForm } from '~/features/account/address-form';
import type { AddressValues } from '~/features/account/rules';
import { texts } from '~/features/account/texts';
import { useAddressDraft } from '~/features/account/use-address-draft';
import { useSaveAddress } from '~/features/account/use-save-address';
import { SignedInOnly } from '~/session/guards';
import { checkoutMemory } from '~/session/checkout-memory';
import { useUser } from '~/session/use-session';
import { Screen } from '~/ui/screen';
import { useSearchParams } from '~/ui/use-search-params';
import styles from './address.module.css';

const empty: AddressValues = {
  name: '',
  address1: '',
  address2: '',
  city: '',
  country: '',
  state: '',
  postalCode: '',
  phone: '',
  isDefault: false,
};

function AddAddress() {
  const name = useUser()?.name ?? '';
  const navigate = useNavigate();
  const fromCheckout = useSearchParams()[0].get('redirect') === 'checkout';
  const back = fromCheckout ? { pathname: '/checkout' } : { pathname: '/account', state: { tab: 'address' } };

  function saved(id: string | undefined) {
    if (fromCheckout && id) checkoutMemory.setAddressId(id);
    void navigate(back.pathname, { state: back.state });
  }

  const form = useAddressDraft(null, { ...empty, name }, useSaveAddress(null, saved));
  return <AddressForm {...form} cancelTo={back} />;
}

export default function AddAddressRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.addTitle} className={styles.screen}>
        <h1 className="h1-calm">{texts.addTitle}</h1>
        <AddAddress />
      </Screen>
    </SignedInOnly>
  );
}

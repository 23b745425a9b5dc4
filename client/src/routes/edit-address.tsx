import { useNavigate, useParams } from 'react-router';
import type { AddressFragment } from '~/features/account/address.generated';
import { AddressForm } from '~/features/account/address-form';
import type { AddressValues } from '~/features/account/rules';
import { texts } from '~/features/account/texts';
import { useAddressDraft } from '~/features/account/use-address-draft';
import { useSaveAddress } from '~/features/account/use-save-address';
import { serverWords } from '~/graphql/settled';
import { SignedInOnly } from '~/session/guards';
import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { useAccountAddressesQuery } from './account.generated';
import styles from './address.module.css';

/** The code of a country that could not be derived from what was typed. */
const UNKNOWN = 'ZZ';
const back = { pathname: '/account', state: { tab: 'address' } };

/** What the form begins with; an unknown country is to be chosen. */
function valuesOf(address: AddressFragment): AddressValues {
  const { name, address1, address2, city, countryCode, state, postalCode, phone, isDefault } = address;
  const country = countryCode === UNKNOWN ? '' : countryCode;
  return { name, address1, address2, city, country, state, postalCode, phone, isDefault };
}

function EditAddress({ address }: { address: AddressFragment }) {
  const { id } = address;
  const navigate = useNavigate();
  const save = useSaveAddress(id, () => void navigate(back.pathname, { state: back.state }));
  const form = useAddressDraft(id, valuesOf(address), save);
  return <AddressForm {...form} cancelTo={back} />;
}

function ChosenAddress() {
  const { addressId } = useParams();
  const { data, error } = useAccountAddressesQuery();
  const address = data?.viewer?.addresses.find(({ id }) => id === addressId);

  if (address) return <EditAddress key={address.id} address={address} />;
  if (!data && !error) return <Waiting>Fetching the address</Waiting>;
  return (
    <Failure
      title={error ? (serverWords(error) ?? texts.addressesFailed) : 'There is no such address'}
      action={
        <ButtonLink to={back.pathname} state={back.state}>
          Back to your addresses
        </ButtonLink>
      }
    />
  );
}

export default function EditAddressRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.editTitle} className={styles.screen}>
        <h1 className="h1-calm">{texts.editTitle}</h1>
        <ChosenAddress />
      </Screen>
    </SignedInOnly>
  );
}

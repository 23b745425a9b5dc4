import styles from './address-lines.module.css';

interface PostalAddress {
  name: string;
  address1: string;
  address2: string;
  city: string;
  state: string;
  country: string;
  postalCode: string;
  phone: string;
}

/** An address as printed on a parcel; empty parts leave no gap. */
export function AddressLines({ address }: { address: PostalAddress }) {
  const { name, address1, address2, city, state, country, postalCode, phone } = address;
  const street = [address1, address2].filter(Boolean).join(', ');
  const place = [[postalCode, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ');
  return (
    <address className={styles.address}>
      <span className={styles.name}>{name}</span>
      <span>{street}</span>
      <span>{place}</span>
      <span>{phone}</span>
    </address>
  );
}

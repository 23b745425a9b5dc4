import styles from './address-lines.module.css';

interface PostalAddress {
  name: string;
  /** As its country writes it. */
  lines: readonly string[];
  phone: string;
}

/** An address as printed on a parcel, and the phone for the carrier. */
export function AddressLines({ address: { name, lines, phone } }: { address: PostalAddress }) {
  const receiver = lines.indexOf(name);
  return (
    <address className={styles.address}>
      {[...lines, phone].map((line, place) => (
        // Two lines of an address may be the same.
        <span key={place} className={place === receiver ? styles.name : undefined}>
          {line}
        </span>
      ))}
    </address>
  );
}

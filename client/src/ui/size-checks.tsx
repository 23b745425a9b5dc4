import styles from './size-tape.module.css';

interface SizeChecksProps {
  label: string;
  /** `count` is of the products in it; one of none can only be taken back. */
  sizes: readonly { value: string; name: string; count?: number | undefined }[];
  chosen: readonly string[];
  onSwitch: (size: string, isIn: boolean) => void;
}

/** The tape of sizes where several may be chosen, as filters. */
export function SizeChecks({ label, sizes, chosen, onSwitch }: SizeChecksProps) {
  return (
    <div role="group" aria-label={label} className={`${styles.tape} ${styles.plain}`}>
      {sizes.map(({ value, name, count }) => (
        <label key={value} className={`${styles.cell} ${count === 0 ? styles.out : ''}`}>
          <input
            type="checkbox"
            aria-label={name}
            checked={chosen.includes(value)}
            aria-disabled={count === 0 && !chosen.includes(value)}
            onChange={({ target }) => onSwitch(value, target.checked)}
          />
          <span aria-hidden="true">{name}</span>
        </label>
      ))}
    </div>
  );
}

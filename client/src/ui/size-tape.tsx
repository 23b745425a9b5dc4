import { useId } from 'react';
import styles from './size-tape.module.css';

interface TapeSize<Size extends string> {
  size: Size;
  soldOut?: boolean;
}

interface SizeTapeProps<Size extends string> {
  label: string;
  sizes: readonly TapeSize<Size>[];
  chosen: Size | null;
  onChoose: (size: Size) => void;
  /** No size was chosen although one is needed. */
  missing?: boolean;
  describedBy?: string;
}

/** Sizes on one ruled tape. A sold-out size can still be chosen, to learn what can be done about it. */
export function SizeTape<Size extends string>({
  label,
  sizes,
  chosen,
  onChoose,
  missing,
  describedBy,
}: SizeTapeProps<Size>) {
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={missing || undefined}
      data-missing={missing || undefined}
      className={styles.tape}
    >
      {sizes.map(({ size, soldOut }) => (
        <label key={size} className={`${styles.cell} ${soldOut ? styles.out : ''}`}>
          <input
            type="radio"
            name={group}
            aria-label={soldOut ? `${size}, sold out` : size}
            checked={size === chosen}
            onChange={() => onChoose(size)}
          />
          <span aria-hidden="true">{size}</span>
        </label>
      ))}
    </div>
  );
}

interface SizeChecksProps {
  label: string;
  /** `count` is of the products in it; one of none can only be taken back. */
  sizes: readonly { value: string; count?: number | undefined }[];
  chosen: readonly string[];
  onSwitch: (size: string, isIn: boolean) => void;
}

/** The same tape where several sizes may be chosen, as filters. */
export function SizeChecks({ label, sizes, chosen, onSwitch }: SizeChecksProps) {
  return (
    <div role="group" aria-label={label} className={`${styles.tape} ${styles.plain}`}>
      {sizes.map(({ value, count }) => (
        <label key={value} className={`${styles.cell} ${count === 0 ? styles.out : ''}`}>
          <input
            type="checkbox"
            aria-label={value}
            checked={chosen.includes(value)}
            aria-disabled={count === 0 && !chosen.includes(value)}
            onChange={({ target }) => onSwitch(value, target.checked)}
          />
          <span aria-hidden="true">{value}</span>
        </label>
      ))}
    </div>
  );
}

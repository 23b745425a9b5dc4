import { useId } from 'react';
import styles from './size-tape.module.css';

interface TapeSize<Size extends string> {
  size: Size;
  soldOut?: boolean;
}

export interface SizeTapeProps<Size extends string> {
  label: string;
  sizes: readonly TapeSize<Size>[];
  chosen: Size | null;
  onChoose: (size: Size) => void;
  /** No size was chosen although one is needed. */
  missing?: boolean | undefined;
  describedBy?: string | undefined;
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

import { MinusIcon, PlusIcon } from './icons';
import styles from './stepper.module.css';

interface StepperProps {
  /** What is counted: "Quantity" or "Quantity of Oxford Shirt". */
  label: string;
  value: number;
  min?: number;
  max?: number;
  tall?: boolean;
  onChange: (value: number) => void;
}

/** A number between minus and plus; it never leaves its bounds. */
export function Stepper({ label, value, min = 1, max = Number.MAX_SAFE_INTEGER, tall, onChange }: StepperProps) {
  return (
    <div className={`${styles.stepper} ${tall ? styles.tall : ''}`} role="group" aria-label={label}>
      <button type="button" aria-label="One less" disabled={value <= min} onClick={() => onChange(value - 1)}>
        <MinusIcon size={18} />
      </button>
      <output aria-live="polite">{value}</output>
      <button type="button" aria-label="One more" disabled={value >= max} onClick={() => onChange(value + 1)}>
        <PlusIcon size={18} />
      </button>
    </div>
  );
}

import { useId } from 'react';
import styles from './swatches.module.css';

interface SwatchColor {
  id: string;
  name: string;
  hex: string;
}

interface SwatchesProps {
  /** Of what, for a screen reader: "Color of Oxford Shirt". */
  label: string;
  colors: readonly SwatchColor[];
  chosen: string;
  onChoose: (id: string) => void;
  large?: boolean;
}

/** Square cuttings of cloth; the chosen one has a line under it. */
export function Swatches({ label, colors, chosen, onChoose, large }: SwatchesProps) {
  const group = useId();
  return (
    <div role="radiogroup" aria-label={label} className={`${styles.swatches} ${large ? styles.large : ''}`}>
      {colors.map((color) => (
        <label key={color.id} className={styles.swatch} title={color.name} style={{ '--cloth': color.hex }}>
          <input
            type="radio"
            name={group}
            aria-label={color.name}
            checked={color.id === chosen}
            onChange={() => onChoose(color.id)}
          />
          <span className={styles.cloth} />
        </label>
      ))}
    </div>
  );
}

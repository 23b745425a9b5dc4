import { useId, useState } from 'react';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { randomId } from '~/ui/random-id';
import styles from './product-form.module.css';
import type { ColorDraft } from './product-rules';

const BLACK = '#000000';

interface ColorEditorProps {
  colors: readonly ColorDraft[];
  onChange: (colors: ColorDraft[]) => void;
  error?: string | undefined;
}

/** A name and a value, ready to be added. */
export function NewColor({ onAdd }: { onAdd: (color: ColorDraft) => void }) {
  const [name, setName] = useState('');
  const [hex, setHex] = useState(BLACK);
  const hexId = useId();

  function add() {
    onAdd({ key: randomId(), name: name.trim(), hex });
    setName('');
    setHex(BLACK);
  }

  return (
    <div className={styles.newColor}>
      <Field
        label="Color name"
        placeholder="For example, Ecru"
        value={name}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (name.trim()) add();
        }}
      />
      <div className={styles.hex}>
        <label htmlFor={hexId}>Hex value</label>
        <div>
          <input id={hexId} type="color" value={hex} onChange={({ target }) => setHex(target.value)} />
          <span>{hex}</span>
        </div>
      </div>
      <Button small disabled={name.trim() === ''} onClick={add}>
        Add color
      </Button>
    </div>
  );
}

/** The product's colors: a name and a hex value each, in the order in which shoppers see them. */
export function ColorEditor({ colors, onChange, error }: ColorEditorProps) {
  return (
    <div className={styles.part}>
      {colors.length > 0 && (
        <ul className={styles.colors} aria-label="Colors">
          {colors.map((color) => (
            <li key={color.key}>
              <span className={styles.cloth} style={{ '--cloth': color.hex }} />
              <span>
                {color.name} <span className="small soft">{color.hex}</span>
              </span>
              <button
                type="button"
                className="link small"
                aria-label={`Remove ${color.name}`}
                onClick={() => onChange(colors.filter(({ key }) => key !== color.key))}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <NewColor onAdd={(color) => onChange([...colors, color])} />
      {error && <ErrorNote>{error}</ErrorNote>}
    </div>
  );
}

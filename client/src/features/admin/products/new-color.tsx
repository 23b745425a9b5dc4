import { useId, useState } from 'react';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { randomId } from '~/ui/random-id';
import type { ColorDraft } from './product-draft';
import styles from './product-form.module.css';

const BLACK = '#000000';

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

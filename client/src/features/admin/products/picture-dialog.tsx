import { useRef } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field, Select } from '~/ui/field';
import type { ColorDraft, PictureDraft } from './product-draft';
import styles from './product-form.module.css';

interface PictureDialogProps {
  picture: PictureDraft;
  places: readonly ColorDraft[];
  types: readonly string[];
  isFirst: boolean;
  isLast: boolean;
  onChange: (edits: Partial<PictureDraft>) => void;
  onMove: (step: -1 | 1) => void;
  onReplace: (file: File) => void;
  onDelete: () => void;
  onClose: () => void;
}

/** Edits one image: alternative text, color and position; replaces or removes its file. */
export function PictureDialog({ picture, places, types, isFirst, isLast, ...on }: PictureDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog open title="Picture" onClose={on.onClose}>
      <div className={styles.dialog}>
        <img className={styles.large} src={picture.src} alt={picture.alt} />
        <Field
          label="What it shows"
          value={picture.alt}
          maxLength={200}
          note="Read to who cannot see it. The product's name when empty."
          onChange={({ target }) => on.onChange({ alt: target.value })}
        />
        <Select
          label="Color"
          value={picture.colorKey}
          onChange={({ target }) => on.onChange({ colorKey: target.value })}
        >
          {places.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
        <div className={styles.row}>
          <Button small disabled={isFirst} onClick={() => on.onMove(-1)}>
            Move earlier
          </Button>
          <Button small disabled={isLast} onClick={() => on.onMove(1)}>
            Move later
          </Button>
          <Button small onClick={() => input.current?.click()}>
            Replace
          </Button>
          <input
            ref={input}
            type="file"
            hidden
            accept={types.join(',')}
            aria-label="Replace by"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) on.onReplace(file);
            }}
          />
        </div>
        <div className={styles.row}>
          <Button small kind="danger" onClick={on.onDelete}>
            Delete picture
          </Button>
          <Button small kind="primary" onClick={on.onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { type ColorDraft, type ProductDraft, sumOf } from './product-draft';
import styles from './product-form.module.css';
import { reorder } from '~/features/admin/reorder';

interface ColorDialogProps {
  color: ColorDraft;
  draft: ProductDraft;
  /** Pieces of it sold so far. */
  sold: number;
  isNew: boolean;
  onEdit: (edits: Partial<ProductDraft>) => void;
  onClose: () => void;
}

/** What becomes of a color that is taken off. */
function fate(color: ColorDraft, draft: ProductDraft, sold: number): string {
  const left = sumOf(draft, [color]);
  if (sold + left === 0) return `Nothing of ${color.name} is in stock or was sold.`;
  return `${sold} of ${color.name} were sold and ${left} are in stock. Once removed it is hidden from shoppers, kept for past orders, and can be put back.`;
}

/** One color: its name, its value, its place, and the way to take it off. */
export function ColorDialog({ color, draft, sold, isNew, onEdit, onClose }: ColorDialogProps) {
  const { colors } = draft;
  const at = colors.findIndex(({ key }) => key === color.key);
  const change = (edits: Partial<ColorDraft>) =>
    onEdit({ colors: colors.map((one) => (one.key === color.key ? { ...one, ...edits } : one)) });

  function move(step: -1 | 1) {
    const onto = colors[at + step];
    if (onto) onEdit({ colors: reorder(colors, color.key, onto.key) });
  }

  function remove() {
    onEdit({
      colors: colors.filter(({ key }) => key !== color.key),
      pictures: draft.pictures.filter(({ colorKey }) => colorKey !== color.key),
    });
    onClose();
  }

  return (
    <Dialog open title={`Color ${color.name}`} onClose={onClose}>
      <div className={styles.dialog}>
        <Field
          label="Name"
          value={color.name}
          maxLength={200}
          onChange={({ target }) => change({ name: target.value })}
        />
        <Field
          label="Hex value"
          type="color"
          value={color.hex}
          onChange={({ target }) => change({ hex: target.value })}
        />
        <div className={styles.row}>
          <Button small disabled={at === 0} onClick={() => move(-1)}>
            Move up
          </Button>
          <Button small disabled={at === colors.length - 1} onClick={() => move(1)}>
            Move down
          </Button>
        </div>
        {!isNew && <p className="small soft">{fate(color, draft, sold)}</p>}
        <div className={styles.row}>
          <Button small kind="danger" onClick={remove}>
            Remove color
          </Button>
          <Button small kind="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

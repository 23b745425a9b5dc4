import type { Size } from '~/graphql/schema.generated';
import { Dialog } from '~/ui/dialog';
import type { SizeTable } from './measurements';
import { SizeChart, UnitsToggle } from './size-chart';
import styles from './size-guide.module.css';

interface SizeGuideProps {
  open: boolean;
  table: SizeTable;
  name: string;
  sizes: readonly Size[];
  chosen: Size | null;
  onClose: () => void;
}

/** The measurements beside the choice of a size, so that nobody has to leave it. */
export default function SizeGuide({ open, table, name, sizes, chosen, onClose }: SizeGuideProps) {
  return (
    <Dialog open={open} side title="Size guide" onClose={onClose}>
      <div className={styles.guide}>
        <p className="soft">{name}</p>
        <UnitsToggle />
        <SizeChart table={table} sizes={sizes} chosen={chosen} />
      </div>
    </Dialog>
  );
}

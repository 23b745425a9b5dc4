import { Dialog } from '~/ui/dialog';
import { sizeTable } from './measurements';
import type { MeasuredProps } from './measurements-section';
import { SizeChart, UnitsToggle } from './size-chart';
import styles from './size-guide.module.css';

interface SizeGuideProps extends MeasuredProps {
  open: boolean;
  name: string;
  onClose: () => void;
}

/** The measurements beside the choice of a size, so that nobody has to leave it. */
export default function SizeGuide({ open, name, gender, subcategory, sizes, chosen, onClose }: SizeGuideProps) {
  const table = sizeTable(gender, subcategory);
  return (
    <Dialog open={open} side title="Size guide" onClose={onClose}>
      <div className={styles.guide}>
        <p className="soft">{name}</p>
        <UnitsToggle />
        {table && <SizeChart table={table} sizes={sizes} chosen={chosen} />}
      </div>
    </Dialog>
  );
}

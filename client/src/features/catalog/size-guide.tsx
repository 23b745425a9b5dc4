import { Dialog } from '~/ui/dialog';
import { sizeTable } from './measurements';
import type { MeasuredProps } from './measurements-section';
import { SizeChart, UnitsToggle } from './size-chart';
import styles from './size-guide.module.css';

interface SizeGuideProps extends MeasuredProps {
  open: boolean;
  onClose: () => void;
}

/** The measurements in a dialog beside the size choice, so that the shopper stays on the page. */
export default function SizeGuide({ open, product, chosen, onClose }: SizeGuideProps) {
  const table = sizeTable(product);
  return (
    <Dialog open={open} side title="Size guide" onClose={onClose}>
      <div className={styles.guide}>
        <p className="soft">{product.name}</p>
        <UnitsToggle />
        {table && <SizeChart table={table} sizes={product.sizes} chosen={chosen} />}
      </div>
    </Dialog>
  );
}

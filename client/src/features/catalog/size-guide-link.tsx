import { useState } from 'react';
import { lazyPart } from '~/ui/lazy-part';
import type { MeasuredProps } from './measurements-section';

const SizeGuide = lazyPart(() => import('./size-guide'));

/** The anchor of the measurements further down the page. */
export const MEASUREMENTS = 'measurements';

/** Opens the measurements over the page; without script it leads down to them. Nothing where there are none. */
export function SizeGuideLink(guide: MeasuredProps) {
  const [open, setOpen] = useState(false);
  const [isMounted, setIsMounted] = useState(false);
  if (guide.product.measurements.length === 0) return null;
  return (
    <>
      <a
        className="link"
        href={`#${MEASUREMENTS}`}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault();
          setIsMounted(true);
          setOpen(true);
        }}
      >
        Size guide
      </a>
      {isMounted && <SizeGuide {...guide} open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

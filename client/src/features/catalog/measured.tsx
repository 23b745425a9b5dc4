import { memo, Suspense } from 'react';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import type { MeasuredProps } from './measurements-section';
import { MEASUREMENTS } from './size-guide-link';

const MeasurementsSection = lazyWhenIdle(
  'features/catalog/measurements-section',
  () => import('./measurements-section'),
);

/** Keeps what the server has drawn until the code is there, as long as its properties stay as they are. */
export const Measured = memo(function Measured(props: MeasuredProps) {
  return (
    <div id={MEASUREMENTS}>
      <Suspense>
        <MeasurementsSection {...props} />
      </Suspense>
    </div>
  );
});

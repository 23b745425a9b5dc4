import type { Size } from '~/graphql/catalogue';
import { sizeTable } from './measurements';
import type { ProductMeasurementsFragment } from './measurements.generated';
import { Section } from './section';
import { SizeChart, UnitsToggle } from './size-chart';

export interface MeasuredProps {
  product: ProductMeasurementsFragment;
  chosen: Size | null;
}

/** The product's measurements further down its page. Renders nothing without any. */
export default function MeasurementsSection({ product, chosen }: MeasuredProps) {
  const table = sizeTable(product);
  if (!table) return null;
  return (
    <Section title="Measurements" end={<UnitsToggle />}>
      <SizeChart table={table} sizes={product.sizes} chosen={chosen} />
    </Section>
  );
}

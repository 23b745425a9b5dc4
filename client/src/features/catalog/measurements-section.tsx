import type { Gender, Size, Subcategory } from '~/graphql/schema.generated';
import { sizeTable } from './measurements';
import { Section } from './section';
import { SizeChart, UnitsToggle } from './size-chart';

export interface MeasuredProps {
  gender: Gender;
  subcategory: Subcategory;
  /** Those that the product is made in. */
  sizes: readonly Size[];
  chosen: Size | null;
}

/** The kind's measurements further down a product's page. Nothing for a kind that nobody has measured. */
export default function MeasurementsSection({ gender, subcategory, ...shown }: MeasuredProps) {
  const table = sizeTable(gender, subcategory);
  if (!table) return null;
  return (
    <Section title="Measurements" end={<UnitsToggle />}>
      <SizeChart table={table} {...shown} />
    </Section>
  );
}

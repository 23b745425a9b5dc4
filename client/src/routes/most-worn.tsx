import { CardRow, RowSkeletons } from '~/features/catalog/product-grid';
import { Section } from '~/features/catalog/section';
import { useMostWornQuery } from './most-worn.generated';

/** A way on from a dead end: what most people buy. Nothing when it cannot be fetched. */
export default function MostWorn() {
  const { data, error } = useMostWornQuery();
  if (error || data?.products.nodes.length === 0) return null;
  return (
    <Section title="Most worn">
      {data ? <CardRow label="Most worn" products={data.products.nodes} /> : <RowSkeletons count={4} />}
    </Section>
  );
}

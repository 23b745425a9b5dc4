import NothingHere from '~/features/catalog/nothing-here';
import { CardRow } from '~/features/catalog/product-grid';
import { Section } from '~/features/catalog/section';
import { useMostWornQuery } from './not-found.generated';

export default function NotFoundRoute() {
  const { data } = useMostWornQuery();
  return (
    <>
      <NothingHere />
      {data && (
        <Section title="Most worn">
          <CardRow label="Most worn" products={data.products.nodes} />
        </Section>
      )}
    </>
  );
}

import type { useGoesWithQuery } from './goes-with.generated';
import { CardRow, RowSkeletons } from './product-grid';
import { Section } from './section';

/** What is worn with a piece. Nothing when there is none, or when it could not be fetched. */
export function GoesWith({ query: { data, error } }: { query: ReturnType<typeof useGoesWithQuery> }) {
  const related = data?.product?.related;
  if (error || (data && !related?.length)) return null;
  return (
    <Section title="Goes with">
      {related ? <CardRow label="Goes with" products={related} /> : <RowSkeletons count={4} />}
    </Section>
  );
}

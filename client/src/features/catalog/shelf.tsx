import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { CardRow, RowPlates } from './product-grid';
import { Section } from './section';
import { type ShelfQueryVariables, useShelfQuery } from './shelf.generated';
import { texts } from './texts';

interface ShelfProps {
  title: string;
  sale?: boolean;
  links: readonly { label: string; to: string }[];
  of: ShelfQueryVariables;
}

/** Four pieces in a row, asked for by themselves. Nothing when there are none. */
export function Shelf({ title, sale, links, of }: ShelfProps) {
  const { data, error, refetch } = useShelfQuery({ variables: of });
  if (data?.products.nodes.length === 0) return null;
  return (
    <Section title={title} sale={sale} links={links}>
      {data ? (
        <CardRow label={title} products={data.products.nodes} />
      ) : error ? (
        <Failure
          title={serverWords(error) ?? texts.productsFailed}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      ) : (
        <RowPlates count={4} />
      )}
    </Section>
  );
}

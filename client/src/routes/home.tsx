import { CloseUp } from '~/features/catalog/close-up';
import { Facts } from '~/features/catalog/facts';
import { Hero } from '~/features/catalog/hero';
import { Kinds } from '~/features/catalog/kinds';
import { CardRow, RowPlates } from '~/features/catalog/product-grid';
import { Section } from '~/features/catalog/section';
import { texts } from '~/features/catalog/texts';
import type { Subcategory } from '~/graphql/schema.generated';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { texts as ui } from '~/ui/texts';
import { useTitle } from '~/ui/use-title';
import { type HomeQuery, useHomeQuery } from './home.generated';

/** / */
export default function HomeRoute() {
  useTitle('Minimal');
  const { data, error, refetch } = useHomeQuery();
  return (
    <>
      <Hero pieces={data && heroPieces(data)} />
      {error && !data ? (
        <div className="page" style={{ marginTop: 'var(--section)' }}>
          <Failure
            title={serverWords(error) ?? texts.productsFailed}
            action={<Button onClick={() => void refetch()}>Try again</Button>}
          />
        </div>
      ) : (
        <Shelves data={data} />
      )}
      <Facts />
    </>
  );
}

function heroPieces({ menJeans, menShirts, womenJeans, womenShirts }: HomeQuery) {
  return {
    MEN: { jeans: menJeans.nodes, shirts: menShirts.nodes },
    WOMEN: { jeans: womenJeans.nodes, shirts: womenShirts.nodes },
  };
}

function kinds({ categories, menJeans, menShirts, womenJeans, womenShirts, womenTrousers }: HomeQuery) {
  const of = (subcategory: Subcategory) => categories.filter((category) => category.subcategory === subcategory);
  return [
    { label: 'Shirts', categories: of('SHIRTS'), pieces: [...menShirts.nodes, ...womenShirts.nodes] },
    { label: 'Jeans', categories: of('JEANS'), pieces: [...menJeans.nodes, ...womenJeans.nodes] },
    { label: 'Trousers', categories: of('TROUSERS'), pieces: womenTrousers.nodes },
  ];
}

const saleLinks = [
  { label: 'Women', to: '/category/sale/women' },
  { label: 'Men', to: '/category/sale/men' },
];

function Shelves({ data }: { data: HomeQuery | undefined }) {
  return (
    <>
      <Section title="New in" links={[{ label: ui.viewAll, to: '/category/women?sort=newest' }]}>
        {data ? <CardRow label="New in" products={data.newest.nodes} /> : <RowPlates count={4} />}
      </Section>
      {data && <Kinds kinds={kinds(data)} />}
      {data?.menShirts.nodes[0] && <CloseUp piece={data.menShirts.nodes[0]} />}
      {data && data.sale.nodes.length > 0 && (
        <Section title={texts.sale} sale links={saleLinks}>
          <CardRow label={texts.sale} products={data.sale.nodes} />
        </Section>
      )}
    </>
  );
}

import { CloseUp } from '~/features/catalog/close-up';
import { Facts } from '~/features/catalog/facts';
import { Hero } from '~/features/catalog/hero';
import { Kinds } from '~/features/catalog/kinds';
import { Shelf } from '~/features/catalog/shelf';
import type { ShelfQueryVariables } from '~/features/catalog/shelf.generated';
import { texts } from '~/features/catalog/texts';
import type { Subcategory } from '~/graphql/schema.generated';
import { texts as ui } from '~/ui/texts';
import { useTitle } from '~/ui/use-title';
import { type HomeQuery, useHomeQuery } from './home.generated';

/** / */
export default function HomeRoute() {
  useTitle('Minimal');
  const { data } = useHomeQuery();
  return (
    <>
      <Hero pieces={data && heroPieces(data)} />
      <Shelf title="New in" links={newLinks} of={newest} />
      {data && <Kinds kinds={kinds(data)} />}
      {data?.menShirts.nodes[0] && <CloseUp piece={data.menShirts.nodes[0]} />}
      <Shelf title={texts.sale} sale links={saleLinks} of={onSale} />
      <Facts />
    </>
  );
}

const newest: ShelfQueryVariables = { sort: 'NEWEST' };
const newLinks = [{ label: ui.viewAll, to: '/category/women?sort=newest' }];

const onSale: ShelfQueryVariables = { filter: { onSale: true }, sort: 'FEATURED' };
const saleLinks = [
  { label: 'Women', to: '/category/sale/women' },
  { label: 'Men', to: '/category/sale/men' },
];

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

import { Suspense } from 'react';
import { CloseUp } from '~/features/catalog/close-up';
import { Facts } from '~/features/catalog/facts';
import { Hero } from '~/features/catalog/hero';
import { Kinds } from '~/features/catalog/kinds';
import { Shelf } from '~/features/catalog/shelf';
import { texts } from '~/features/catalog/texts';
import { categoryPath, departmentNames, type Kind, NEWEST, salePath } from '~/graphql/catalogue';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { texts as ui } from '~/ui/texts';
import { useTitle } from '~/ui/use-title';
import { type HomeQuery, useHomeQuery } from './home.generated';
import { type ShelfQueryVariables, useShelfQuery } from './shelf.generated';

/** / */
export default function HomeRoute() {
  useTitle('');
  const home = useHomeQuery();
  const latest = useShelfQuery({ variables: newest });
  const reduced = useShelfQuery({ variables: onSale });
  const { data } = home;

  // When the shop cannot be asked, most often nothing can be had: it is said once, where it is met first.
  const failed = [home, latest, reduced].filter((part) => part.error && !part.data);
  const [firstFailed] = failed;
  const failure = firstFailed && (
    <Failure
      title={serverWords(firstFailed.error) ?? texts.productsFailed}
      action={<Button onClick={() => failed.forEach(({ refetch }) => void refetch())}>Try again</Button>}
    />
  );
  const shelf = (part: typeof latest, title: string, links: typeof saleLinks, sale = false) =>
    (part === firstFailed || !failed.includes(part)) && (
      <Suspense>
        <Shelf
          title={title}
          sale={sale}
          links={links}
          products={part.data?.products.nodes}
          failure={part === firstFailed && failure}
        />
      </Suspense>
    );

  return (
    <>
      <Hero pieces={data && heroPieces(data)} failure={firstFailed === home && failure} />
      {shelf(latest, 'New in', newLinks)}
      <Suspense>
        {data && <Kinds kinds={kinds(data)} />}
        {data?.menShirts.nodes[0] && <CloseUp piece={data.menShirts.nodes[0]} />}
      </Suspense>
      {shelf(reduced, texts.sale, saleLinks, true)}
      <Facts />
    </>
  );
}

const kindNames: Record<Kind, string> = { jeans: 'Jeans', shirts: 'Shirts', trousers: 'Trousers' };

const newest: ShelfQueryVariables = { sort: NEWEST.id };
const newLinks = [{ label: ui.viewAll, to: `${categoryPath('women')}?sort=${NEWEST.slug}` }];

const onSale: ShelfQueryVariables = { filter: { onSale: true }, sort: 'FEATURED' };
const saleLinks = [
  { label: departmentNames.women, to: salePath('women') },
  { label: departmentNames.men, to: salePath('men') },
];

function heroPieces({ menJeans, menShirts, womenJeans, womenShirts }: HomeQuery) {
  return {
    men: { jeans: menJeans.nodes, shirts: menShirts.nodes },
    women: { jeans: womenJeans.nodes, shirts: womenShirts.nodes },
  };
}

function kinds({ categories, menJeans, menShirts, womenJeans, womenShirts, womenTrousers }: HomeQuery) {
  const of = (kind: Kind) => categories.filter((category) => category.kind.key === kind);
  return [
    { label: kindNames.shirts, categories: of('shirts'), pieces: [...menShirts.nodes, ...womenShirts.nodes] },
    { label: kindNames.jeans, categories: of('jeans'), pieces: [...menJeans.nodes, ...womenJeans.nodes] },
    { label: kindNames.trousers, categories: of('trousers'), pieces: womenTrousers.nodes },
  ];
}

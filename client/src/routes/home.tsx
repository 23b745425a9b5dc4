import { Suspense } from 'react';
import { CloseUp } from '~/features/catalog/close-up';
import { Facts } from '~/features/catalog/facts';
import { Hero } from '~/features/catalog/hero';
import { Kinds } from '~/features/catalog/kinds';
import { Shelf } from '~/features/catalog/shelf';
import { texts } from '~/features/catalog/texts';
import { departmentsOf, NEWEST, salePath } from '~/graphql/catalogue';
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
  const { latest: newLinks, sale: saleLinks } = links(data);
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

const newest: ShelfQueryVariables = { sort: NEWEST.id };

const onSale: ShelfQueryVariables = { filter: { onSale: true }, sort: 'FEATURED' };

/** Where the shelves lead: departments as the owner has arranged them, the last one first. */
function links(data: HomeQuery | undefined) {
  const departments = departmentsOf(data?.categories ?? []).toReversed();
  const [first] = departments;
  return {
    latest: first ? [{ label: ui.viewAll, to: `${first.path}?sort=${NEWEST.slug}` }] : [],
    sale: departments.map((department) => ({ label: department.name, to: salePath(department) })),
  };
}

function heroPieces({ menJeans, menShirts, womenJeans, womenShirts }: HomeQuery) {
  return {
    men: { jeans: menJeans.nodes, shirts: menShirts.nodes },
    women: { jeans: womenJeans.nodes, shirts: womenShirts.nodes },
  };
}

/** Kinds in the order of the menu, with pictures of pieces, else with those of their categories. */
function kinds({ categories, menJeans, menShirts, womenJeans, womenShirts, womenTrousers }: HomeQuery) {
  const pieces: Partial<Record<string, HomeQuery['menJeans']['nodes']>> = {
    shirts: [...menShirts.nodes, ...womenShirts.nodes],
    jeans: [...menJeans.nodes, ...womenJeans.nodes],
    trousers: womenTrousers.nodes,
  };
  return [...new Map(categories.map(({ kind }) => [kind.key, kind.name]))].map(([key, label]) => {
    const own = categories.filter(({ kind }) => kind.key === key);
    const images = [...(pieces[key] ?? []).map(({ colors }) => colors[0]?.images[0]), ...own.map(({ image }) => image)];
    return { label, categories: own, images: images.filter((image) => image != null).slice(0, 3) };
  });
}

import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { useVisitorWishlistQuery } from './visitor-wishlist.generated';
import { CardSkeletons, GridCards, ProductGrid } from './product-grid';
import { texts } from './texts';
import { wishedColors, wishes } from './wishes';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

interface VisitorWishlistProps {
  /** What to show when nothing is kept. */
  empty: ReactNode;
}

/** What a visitor keeps in this browser. A piece taken off stays in sight until the page is left, to be taken back. */
export function VisitorWishlist({ empty }: VisitorWishlistProps) {
  const [ids] = useState(() => wishes.read());
  const [gone, setGone] = useState<readonly string[]>([]);
  const rows = Array.from({ length: Math.ceil(ids.length / NAMES.length) }, (_, at) =>
    ids.slice(at * NAMES.length, (at + 1) * NAMES.length),
  );

  function forget(missing: readonly string[]) {
    wishes.forget(missing);
    setGone((others) => [...others, ...missing]);
  }

  if (gone.length >= ids.length) return empty;
  return (
    <>
      <h2 className="visually-hidden">{texts.wishes}</h2>
      <ProductGrid>
        {rows.map((row) => (
          <KeptCards key={row[0]} ids={row} onGone={forget} />
        ))}
      </ProductGrid>
    </>
  );
}

function KeptCards({ ids, onGone }: { ids: readonly string[]; onGone: (ids: readonly string[]) => void }) {
  const { data, error, refetch } = useVisitorWishlistQuery({
    variables: Object.fromEntries(ids.map((id, at) => [NAMES[at], id])),
  });
  const [colorIds] = useState(wishedColors.read);
  const answers = data && ids.map((id, at) => ({ id, product: data[NAMES[at] ?? 'a'] }));

  useEffect(() => {
    const gone = answers?.filter(({ product }) => !product).map(({ id }) => id) ?? [];
    if (gone.length > 0) onGone(gone);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each answer.
  }, [data]);

  if (answers) {
    const products = answers.flatMap(({ product }) => product ?? []);
    const shown = products.map(({ colors }) => colorIds.find((id) => colors.some((color) => color.id === id)));
    return <GridCards products={products} shown={shown} />;
  }
  if (!error) return <CardSkeletons count={ids.length} />;
  return <Failure title={texts.wishlistFailed} action={<Button onClick={() => void refetch()}>Try again</Button>} />;
}

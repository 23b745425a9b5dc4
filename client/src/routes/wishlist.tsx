import { VisitorWishlist } from '~/features/catalog/visitor-wishlist';
import { CardSkeletons, GridCards, ProductGrid } from '~/features/catalog/product-grid';
import { texts } from '~/features/catalog/texts';
import { useUser } from '~/session/use-session';
import { Button, ButtonLink } from '~/ui/button';
import { Empty, Failure } from '~/ui/empty';
import { ArrowRightIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Screen } from '~/ui/screen';
import { useWishlistQuery } from './wishlist.generated';
import styles from './wishlist.module.css';

function NoWishes() {
  return (
    <Empty
      title={texts.noWishes}
      action={
        <ButtonLink kind="primary" to="/" end={<ArrowRightIcon />}>
          {texts.continueShopping}
        </ButtonLink>
      }
    >
      Press the heart of a piece to keep an eye on it.
    </Empty>
  );
}

/** The account's list. A piece taken off stays in sight until the page is left, to be taken back. */
function OwnWishes() {
  const { data, error, refetch } = useWishlistQuery({ fetchPolicy: 'network-only', nextFetchPolicy: 'cache-first' });
  const items = data?.viewer?.wishlist.items;

  if (items?.length === 0) return <NoWishes />;
  if (error) {
    return <Failure title={texts.wishlistFailed} action={<Button onClick={() => void refetch()}>Try again</Button>} />;
  }
  return (
    <>
      <h2 className="visually-hidden">{texts.wishes}</h2>
      <ProductGrid>
        {items ? (
          <GridCards
            products={items.map(({ product }) => product)}
            shown={items.map(({ color }) => color?.id)}
            eager={4}
          />
        ) : (
          <CardSkeletons count={4} />
        )}
      </ProductGrid>
    </>
  );
}

/** /wishlist */
export default function WishlistRoute() {
  const user = useUser();
  return (
    <Screen title="Wishlist">
      <h1>Wishlist</h1>
      <p className={styles.note}>
        {user ? (
          'On every device that you sign in on.'
        ) : (
          <>
            Kept in this browser.{' '}
            <Link to="/signin" className="link">
              Sign in
            </Link>{' '}
            to have it everywhere.
          </>
        )}
      </p>
      {user ? <OwnWishes /> : <VisitorWishlist empty={<NoWishes />} />}
    </Screen>
  );
}

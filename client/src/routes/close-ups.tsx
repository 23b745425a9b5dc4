import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { PictureSkeleton } from '~/ui/skeleton';
import { useCloseUpsQuery } from './close-ups.generated';
import styles from './close-ups.module.css';

const PLACES = [0, 1, 2];

/** The cloth of three shirts, near enough to count threads. Nothing when they cannot be fetched. */
export function CloseUps() {
  const { data, error } = useCloseUpsQuery();
  if (error) return null;
  return (
    <ul className={styles.row} aria-busy={!data || undefined}>
      {PLACES.map((place) => {
        const piece = data?.products.nodes[place];
        const image = piece?.colors[0]?.images.at(-1);
        return (
          <li key={place}>
            {piece && image ? (
              <Link to={`/product/${piece.id}`} className={styles.piece} aria-label={piece.name}>
                <Picture image={image} sizes="(min-width: 960px) 27vw, 33vw" decorative />
              </Link>
            ) : (
              <PictureSkeleton />
            )}
          </li>
        );
      })}
    </ul>
  );
}

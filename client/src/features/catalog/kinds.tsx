import { Link } from '~/ui/link';
import { Picture, type PictureImage } from '~/ui/picture';
import type { CategoryCountFragment } from './categories.generated';
import styles from './kinds.module.css';

interface Kind {
  label: string;
  categories: readonly CategoryCountFragment[];
  images: readonly (PictureImage & { id: string })[];
}

/** The index of the shop: every kind of garment, for whom, and how many. */
export function Kinds({ kinds }: { kinds: readonly Kind[] }) {
  return (
    <section className={styles.kinds} aria-label="Kinds">
      {kinds.map(({ label, categories, images }) => (
        <div key={label} className={styles.kind}>
          <div className={styles.words}>
            <h2 className="display">{label}</h2>
            <ul className={styles.links}>
              {categories.map(({ id, path, department, productCount }) => (
                <li key={id}>
                  <Link className="link" to={path}>
                    {department.name}
                  </Link>
                  <span>{productCount}</span>
                </li>
              ))}
            </ul>
          </div>
          <div className={styles.pictures}>
            {images.map((image) => (
              <div key={image.id}>
                <Picture image={image} sizes="(min-width: 960px) 15vw, 116px" decorative />
              </div>
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}

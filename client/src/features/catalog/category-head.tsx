import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import tabs from '~/ui/tabs.module.css';
import type { CategoryPage, SubcategoryPage } from './categories';
import type { ProductFacetsQuery } from './product-list.generated';
import styles from './category-head.module.css';

interface CategoryHeadProps {
  page: CategoryPage;
  chosen: SubcategoryPage;
  words: ProductFacetsQuery['categories'][number] | undefined;
}

/** The category's name, its words and picture, and its subcategories, each with its number of pieces. */
export function CategoryHead({ page, chosen, words }: CategoryHeadProps) {
  return (
    <div className={`page ${styles.head}`}>
      <h1 className={chosen.filter.onSale ? styles.sale : undefined}>{chosen.heading}</h1>
      {words && (words.description || words.image) && (
        <div className={styles.words}>
          {words.image && <Picture eager image={words.image} sizes="160px" />}
          <p>{words.description}</p>
        </div>
      )}
      <nav aria-label={chosen.heading} className={`${tabs.tabs} ${tabs.large}`}>
        {page.subcategories.map((subcategory) => (
          <Link
            key={subcategory.path}
            to={subcategory.path}
            className={tabs.tab}
            aria-current={subcategory === chosen ? 'page' : undefined}
          >
            {subcategory.label}
            {subcategory.count !== undefined && (
              <span className={tabs.count} aria-hidden="true">
                {subcategory.count}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <h2 className="visually-hidden">{chosen.label}</h2>
    </div>
  );
}

import { Link } from '~/ui/link';
import tabs from '~/ui/tabs.module.css';
import type { CategoryPage, SubcategoryPage } from './categories';
import styles from './category-head.module.css';

interface CategoryHeadProps {
  page: CategoryPage;
  chosen: SubcategoryPage;
}

/** The category's name and its subcategories, each with its number of pieces. */
export function CategoryHead({ page, chosen }: CategoryHeadProps) {
  return (
    <div className={`page ${styles.head}`}>
      <h1 className={chosen.filter.onSale ? styles.sale : undefined}>{chosen.heading}</h1>
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

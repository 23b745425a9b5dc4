import { Link } from '~/ui/link';
import tabs from '~/ui/tabs.module.css';
import type { CategoryPage, SubcategoryPage } from './categories';
import { useCategoriesQuery } from './categories.generated';
import styles from './category-head.module.css';

interface CategoryHeadProps {
  page: CategoryPage;
  chosen: SubcategoryPage;
}

/** The category's name and its subcategories, each with its number of pieces. */
export function CategoryHead({ page, chosen }: CategoryHeadProps) {
  const { data } = useCategoriesQuery();

  function count({ department, kind }: SubcategoryPage['filter']): number | undefined {
    return data?.categories.find((one) => one.department.key === department && one.kind.key === kind)?.productCount;
  }

  return (
    <div className={`page ${styles.head}`}>
      <h1 className={page.slug === 'sale' ? styles.sale : undefined}>{page.heading}</h1>
      <nav aria-label={page.heading} className={`${tabs.tabs} ${tabs.large}`}>
        {page.subcategories.map((subcategory) => (
          <Link
            key={subcategory.slug}
            to={`/category/${page.slug}/${subcategory.slug}`}
            className={tabs.tab}
            aria-current={subcategory === chosen ? 'page' : undefined}
          >
            {subcategory.label}
            {count(subcategory.filter) !== undefined && (
              <span className={tabs.count} aria-hidden="true">
                {count(subcategory.filter)}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <h2 className="visually-hidden">{chosen.label}</h2>
    </div>
  );
}

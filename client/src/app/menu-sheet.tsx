import { useEffect, useRef } from 'react';
import { topics } from '~/features/help/topics';
import { departmentsOf, salePath } from '~/graphql/catalogue';
import { type CategoryCountFragment, useCategoriesQuery } from '~/features/catalog/categories.generated';
import { useUser } from '~/session/use-session';
import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import styles from './menu-sheet.module.css';
import { texts } from './texts';

function groupsOf(categories: readonly CategoryCountFragment[]) {
  const departments = departmentsOf(categories);
  return [
    ...departments.map(({ key, name, path }) => ({
      title: name,
      sale: false,
      links: [
        { label: ui.viewAll, to: path },
        ...categories
          .filter(({ department }) => department.key === key)
          .map((one) => ({ label: one.name, to: one.path })),
      ],
    })),
    {
      title: texts.sale,
      sale: true,
      links: [
        { label: ui.viewAll, to: '/category/sale' },
        ...departments.toReversed().map((department) => ({ label: department.name, to: salePath(department) })),
      ],
    },
  ];
}

/** All groups of the shop at once, below the header. */
export default function MenuSheet() {
  const { data, error } = useCategoriesQuery();
  return data || error ? <Menu categories={data?.categories ?? []} /> : null;
}

function Menu({ categories }: { categories: readonly CategoryCountFragment[] }) {
  const user = useUser();
  const menu = useRef<HTMLElement>(null);

  useEffect(() => menu.current?.querySelector('a')?.focus(), []);

  return (
    <nav ref={menu} className="page" aria-label="Shop">
      <div className={styles.groups}>
        {groupsOf(categories).map(({ title, sale, links }) => (
          <section key={title} className={styles.group} aria-label={title}>
            <p className={sale ? styles.sale : styles.title}>{title}</p>
            <ul>
              {links.map(({ label, to }) => (
                <li key={to}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div className={styles.further}>
        {user ? <Link to="/account">Account</Link> : <Link to="/signin">{ui.signIn}</Link>}
        <Link to={topics.shipping.to}>{topics.shipping.title}</Link>
        <Link to={topics.returns.to}>{topics.returns.title}</Link>
      </div>
    </nav>
  );
}

import { useEffect, useRef } from 'react';
import { topics } from '~/features/help/topics';
import {
  categoryPath,
  type Department,
  departmentNames,
  type Kind,
  kindNames,
  kindsOf,
  salePath,
} from '~/graphql/catalogue';
import { useUser } from '~/session/use-session';
import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import styles from './menu-sheet.module.css';
import { texts } from './texts';

const departments: readonly Department[] = ['men', 'women'];
/** The order of the menu, which is not that of a category's page. */
const kinds: readonly Kind[] = ['shirts', 'jeans', 'trousers'];

const groups = [
  ...departments.map((department) => ({
    title: departmentNames[department],
    sale: false,
    links: [
      { label: ui.viewAll, to: categoryPath(department) },
      ...kinds
        .filter((kind) => kindsOf[department].includes(kind))
        .map((kind) => ({ label: kindNames[kind], to: categoryPath(department, kind) })),
    ],
  })),
  {
    title: texts.sale,
    sale: true,
    links: [
      { label: ui.viewAll, to: salePath() },
      ...departments
        .toReversed()
        .map((department) => ({ label: departmentNames[department], to: salePath(department) })),
    ],
  },
];

/** All groups of the shop at once, below the header. */
export default function MenuSheet() {
  const user = useUser();
  const menu = useRef<HTMLElement>(null);

  useEffect(() => menu.current?.querySelector('a')?.focus(), []);

  return (
    <nav ref={menu} className="page" aria-label="Shop">
      <div className={styles.groups}>
        {groups.map(({ title, sale, links }) => (
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

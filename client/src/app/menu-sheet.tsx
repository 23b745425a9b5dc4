import { useEffect, useRef } from 'react';
import { topics } from '~/features/help/topics';
import { categoryPath, genderNames, kindNames, kindsOf, salePath } from '~/graphql/catalogue';
import type { Gender, Subcategory } from '~/graphql/schema.generated';
import { useUser } from '~/session/use-session';
import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import styles from './menu-sheet.module.css';
import { texts } from './texts';

const genders: readonly Gender[] = ['MEN', 'WOMEN'];
/** The order of the menu, which is not that of a category's page. */
const kinds: readonly Subcategory[] = ['SHIRTS', 'JEANS', 'TROUSERS'];

const groups = [
  ...genders.map((gender) => ({
    title: genderNames[gender],
    sale: false,
    links: [
      { label: ui.viewAll, to: categoryPath(gender) },
      ...kinds
        .filter((kind) => kindsOf[gender].includes(kind))
        .map((kind) => ({ label: kindNames[kind], to: categoryPath(gender, kind) })),
    ],
  })),
  {
    title: texts.sale,
    sale: true,
    links: [
      { label: ui.viewAll, to: salePath() },
      ...genders.toReversed().map((gender) => ({ label: genderNames[gender], to: salePath(gender) })),
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

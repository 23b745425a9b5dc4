import { useEffect, useRef } from 'react';
import { topics } from '~/features/help/topics';
import { useUser } from '~/session/use-session';
import { Link } from '~/ui/link';
import { texts as ui } from '~/ui/texts';
import styles from './menu-sheet.module.css';
import { texts } from './texts';

const groups = [
  {
    title: 'Men',
    links: [
      { label: ui.viewAll, to: '/category/men' },
      { label: 'Shirts', to: '/category/men/shirts' },
      { label: 'Jeans', to: '/category/men/jeans' },
    ],
  },
  {
    title: 'Women',
    links: [
      { label: ui.viewAll, to: '/category/women' },
      { label: 'Shirts', to: '/category/women/shirts' },
      { label: 'Jeans', to: '/category/women/jeans' },
      { label: 'Trousers', to: '/category/women/trousers' },
    ],
  },
  {
    title: texts.sale,
    sale: true,
    links: [
      { label: ui.viewAll, to: '/category/sale' },
      { label: 'Women', to: '/category/sale/women' },
      { label: 'Men', to: '/category/sale/men' },
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

import { useSyncExternalStore } from 'react';
import { topics } from '~/features/help/topics';
import { applyTheme, followTheme, rememberedTheme, type Theme } from '~/session/theme';
import { Link } from '~/ui/link';
import { shopName } from '~/ui/shop-name';
import { useYear } from '~/ui/year';
import styles from './footer.module.css';
import { texts } from './texts';

const { payment, shipping, returns, faq, howToBuy, stores, about, contact, privacy, terms } = topics;
const account = { to: '/signin', title: texts.signInOrUp };
const links = [payment, shipping, returns, faq, howToBuy, stores, account, about, contact];
const smallPrint = [privacy, terms];

const themes: readonly { id: Theme; label: string }[] = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'system', label: 'As the system' },
];

function ThemeChoice() {
  const chosen = useSyncExternalStore<Theme>(followTheme, rememberedTheme, () => 'system');
  return (
    <div className={styles.theme} role="group" aria-label="Theme">
      {themes.map(({ id, label }) => (
        <button key={id} type="button" aria-pressed={chosen === id} onClick={() => applyTheme(id)}>
          {label}
        </button>
      ))}
    </div>
  );
}

export function Footer() {
  const year = useYear();
  return (
    <footer className={styles.footer}>
      <div className="page">
        <div className={styles.columns}>
          <div className={styles.about}>
            <p className={styles.wordmark}>{shopName()}</p>
            <p>Shirts, jeans and trousers. Few of them, made well, and kept in stock.</p>
          </div>
          <nav aria-label="Service">
            <ul className={styles.links}>
              {links.map(({ to, title }) => (
                <li key={to}>
                  <Link to={to}>{title}</Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className={styles.end}>
          <ul className={styles.smallPrint} aria-label="Small print">
            <li data-year={year}>{`© ${year} ${shopName()}`}</li>
            {smallPrint.map(({ to, title }) => (
              <li key={to}>
                <Link to={to}>{title}</Link>
              </li>
            ))}
          </ul>
          <ThemeChoice />
          <p>Prices in US dollars</p>
        </div>
      </div>
    </footer>
  );
}

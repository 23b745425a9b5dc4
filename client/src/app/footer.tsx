import { useState } from 'react';
import { applyTheme, rememberedTheme, type Theme } from '~/session/theme';
import { Link } from '~/ui/link';
import styles from './footer.module.css';

const links = [
  { label: 'Payment', to: '/' },
  { label: 'Shipping & Deliveries', to: '/' },
  { label: 'Exchange & Returns', to: '/' },
  { label: 'FAQ', to: '/' },
  { label: 'How to Buy', to: '/' },
  { label: 'Retail Stores', to: '/' },
  { label: 'Signin/Signup', to: '/signin' },
  { label: 'About Us', to: '/' },
  { label: 'Contact Us', to: '/' },
] as const;

const year = new Date().getFullYear();

const themes: readonly { id: Theme; label: string }[] = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'system', label: 'As the system' },
];

function ThemeChoice() {
  const [chosen, setChosen] = useState(rememberedTheme);
  return (
    <div className={styles.theme} role="group" aria-label="Theme">
      {themes.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-pressed={chosen === id}
          onClick={() => {
            applyTheme(id);
            setChosen(id);
          }}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className="page">
        <div className={styles.columns}>
          <div className={styles.about}>
            <p className={styles.wordmark}>Minimal</p>
            <p>Shirts, jeans and trousers. Few of them, made well, and kept in stock.</p>
          </div>
          <nav aria-label="Service">
            <ul className={styles.links}>
              {links.map(({ label, to }) => (
                <li key={label}>
                  <Link to={to}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <div className={styles.end}>
          <p>© {year} Minimal</p>
          <ThemeChoice />
          <p>Prices in US dollars</p>
        </div>
      </div>
    </footer>
  );
}

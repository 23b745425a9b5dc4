import { type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router';
import { loadResults, SearchSheet } from '~/features/catalog/search-sheet';
import { useUser } from '~/session/use-session';
import { BagIcon, CrossIcon, MenuIcon, SearchIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { Link } from '~/ui/link';
import { shopName } from '~/ui/shop-name';
import { useOutsidePress } from '~/ui/use-disclosure';
import { AccountMenu } from './account-menu';
import styles from './header.module.css';

const loadMenu = () => import('./menu-sheet');
const MenuSheet = lazyPart(loadMenu);
const CartCount = lazyPart(async () => ({ default: (await import('~/features/cart/cart-count')).CartCount }), {
  waiting: '0',
  failed: Uncounted,
});

/** The number of lines in the cart is not known. */
function Uncounted() {
  return '–';
}

type Sheet = 'menu' | 'search';

/** Which sheet hangs below the header. Moving on, Esc and a press outside take it away and give focus back. */
function useSheets() {
  const { key } = useLocation();
  const [opened, setOpened] = useState<{ sheet: Sheet; at: string }>();
  const open = opened?.at === key ? opened.sheet : null;
  const header = useRef<HTMLElement>(null);
  const opener = useRef<HTMLElement | null>(null);

  useOutsidePress(header, open !== null, () => setOpened(undefined));

  const closeAndReturn = useCallback(() => {
    // The opener may only come back into sight by the closing.
    flushSync(() => setOpened(undefined));
    opener.current?.focus();
  }, []);

  useEffect(() => {
    if (!open) return;
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') closeAndReturn();
    };
    document.addEventListener('keydown', escape);
    return () => document.removeEventListener('keydown', escape);
  }, [open, closeAndReturn]);

  function toggle(sheet: Sheet) {
    opener.current = document.activeElement as HTMLElement | null;
    setOpened(open === sheet ? undefined : { sheet, at: key });
  }

  return { open, toggle, close: closeAndReturn, header };
}

/** Before the script is there, and without one, the openers lead to pages that do the same. */
function PlainForms() {
  return (
    <>
      <form id="to-menu" action="/menu" />
      <form id="to-search" action="/search" />
    </>
  );
}

export function Header() {
  const { open, toggle, close, header } = useSheets();
  const user = useUser();
  const name = shopName();

  function press(event: MouseEvent, sheet: Sheet) {
    event.preventDefault();
    toggle(sheet);
  }

  return (
    <>
      <header ref={header} className={styles.header}>
        <div className={`page ${styles.bar}`}>
          <div className={styles.start}>
            <PlainForms />
            <button
              type="submit"
              form="to-menu"
              className={styles.opener}
              aria-expanded={open === 'menu'}
              aria-controls="menu-sheet"
              aria-label="Menu"
              onPointerEnter={() => void loadMenu()}
              onFocus={() => void loadMenu()}
              onClick={(event) => press(event, 'menu')}
            >
              {open === 'menu' ? <CrossIcon /> : <MenuIcon />}
              <span className={styles.word}>Menu</span>
            </button>
            <Link to="/" className={styles.wordmark} aria-label={`${name}, home`}>
              {name}
            </Link>
          </div>
          <div className={styles.end}>
            <button
              type="submit"
              form="to-search"
              className={styles.searchField}
              hidden={open === 'search'}
              onPointerEnter={() => void loadResults()}
              onFocus={() => void loadResults()}
              onClick={(event) => press(event, 'search')}
            >
              <SearchIcon size={16} />
              Search
            </button>
            <button
              type="submit"
              form="to-search"
              className={`${styles.opener} ${styles.searchIcon}`}
              aria-expanded={open === 'search'}
              aria-label="Search"
              onClick={(event) => press(event, 'search')}
            >
              <SearchIcon />
            </button>
            <AccountMenu />
            <Link to="/cart" className={styles.link}>
              <BagIcon />
              <span className={styles.word}>Cart</span>
              <span className={styles.count}>{user ? <CartCount /> : '0'}</span>
            </Link>
          </div>
        </div>
        {open && (
          <div id={`${open}-sheet`} className={styles.sheet}>
            {open === 'menu' ? <MenuSheet /> : <SearchSheet onClose={close} />}
          </div>
        )}
      </header>
      {open && <div className={styles.veil} />}
    </>
  );
}

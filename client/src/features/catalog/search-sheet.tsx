import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { CrossIcon, SearchIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { Price } from '~/ui/price';
import { Highlight } from './highlight';
import type { FoundFragment, SearchQuery } from './search.generated';
import styles from './search-sheet.module.css';
import { useSearch } from './use-search';

const RESULTS = 8;
const genders = { MEN: 'Men', WOMEN: 'Women' } as const;
const kinds = { SHIRTS: 'Shirts', JEANS: 'Jeans', TROUSERS: 'Trousers' } as const;

/** The search box, opened: a large field, what it finds while one types, and words to try next. */
export default function SearchSheet({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(-1);
  const { query, asked, loading, found } = useSearch(text, RESULTS);
  const navigate = useNavigate();
  const list = useId();
  const products = found?.products ?? [];
  const all = `/search?${new URLSearchParams({ q: text.trim() })}`;

  function change(next: string) {
    setText(next);
    setChosen(-1);
  }

  function steer(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && products.length > 0) {
      event.preventDefault();
      setChosen(Math.max(-1, Math.min(products.length - 1, chosen + step)));
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const product = products[chosen];
    if (product) void navigate(`/product/${product.id}`);
    else if (asked) void navigate(all);
  }

  return (
    <div role="search" className={`page ${styles.sheet}`}>
      <div className={styles.main}>
        <div className={styles.field}>
          <SearchIcon />
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the sheet was opened to type into it.
            autoFocus
            type="search"
            role="combobox"
            aria-label="Search"
            aria-expanded={products.length > 0}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
            autoComplete="off"
            enterKeyHint="search"
            placeholder="Search"
            value={text}
            onChange={({ target }) => change(target.value)}
            onKeyDown={steer}
          />
          <button type="button" aria-label="Close search" onClick={onClose}>
            <CrossIcon />
          </button>
        </div>
        <Said query={query} found={found} loading={loading} />
        <div id={list} role="listbox" aria-label="Products" className={styles.results}>
          {products.map((product, at) => (
            <Result
              key={product.id}
              id={`${list}-${at}`}
              product={product}
              words={found?.corrected ?? query}
              chosen={at === chosen}
            />
          ))}
        </div>
        {products.length > 0 && (
          <div className={styles.end}>
            <Link className="link" to={all}>
              See all results
            </Link>
            <span className={styles.keys} aria-hidden="true">
              ↑ ↓ to choose, Enter to open, Esc to close
            </span>
          </div>
        )}
      </div>
      {found && found.suggestions.length > 0 && (
        <div className={styles.suggestions}>
          <p>Suggestions</p>
          {found.suggestions.map((suggestion) => (
            <button key={suggestion} type="button" onClick={() => change(suggestion)}>
              {suggestion}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

interface SaidProps {
  query: string;
  found: SearchQuery['search'] | undefined;
  loading: boolean;
}

/** How the search went, in words. */
export function Said({ query, found, loading }: SaidProps) {
  if (!found) return <p className={styles.said} role="status">{loading ? 'Searching ...' : ''}</p>;
  const count = found.products.length;
  return (
    <p className={styles.said} role="status">
      {found.corrected && count > 0 && (
        <span>
          Nothing is called “{query}”. Showing <b>{found.corrected}</b>
        </span>
      )}
      {count === 0 && <span>Nothing for “{query}”. We make shirts, jeans and trousers.</span>}
      {count > 0 && (
        <span>
          {count} {count === 1 ? 'result' : 'results'}
        </span>
      )}
    </p>
  );
}

interface ResultProps {
  id: string;
  product: FoundFragment;
  words: string;
  chosen: boolean;
}

function Result({ id, product, words, chosen }: ResultProps) {
  const image = product.colors[0]?.images[0];
  return (
    <Link
      id={id}
      role="option"
      aria-selected={chosen}
      to={`/product/${product.id}`}
      className={styles.result}
      tabIndex={-1}
    >
      {image ? <Picture image={image} sizes="60px" decorative /> : <span />}
      <span>
        <span className={styles.name}>
          <Highlight text={product.name} words={words} />
        </span>
        <br />
        <span className={styles.category}>
          {genders[product.gender]}, {kinds[product.subcategory]}
        </span>
      </span>
      <Price price={product.chargedPrice} />
    </Link>
  );
}

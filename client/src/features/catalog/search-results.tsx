import { useEffect, useEffectEvent } from 'react';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { Price } from '~/ui/price';
import { Highlight } from './highlight';
import { productLink } from './product-link';
import type { FoundFragment, SearchQuery } from './search.generated';
import { allResults } from './search-query';
import styles from './search-results.module.css';
import { shownColor } from './shown-color';
import { useSearch } from './use-search';

const RESULTS = 8;

interface SearchResultsProps {
  /** As typed. */
  text: string;
  /** Id of the list of products. */
  list: string;
  /** Place of the product that the arrow keys are at; -1 while they are at none. */
  chosen: number;
  /** Called with the addresses of the products shown, each in its color. */
  onFound: (addresses: readonly string[]) => void;
  /** A suggestion was pressed. */
  onText: (text: string) => void;
}

/** What a search finds while one types, and words to try next. */
export default function SearchResults({ text, list, chosen, onFound, onText }: SearchResultsProps) {
  const { query, loading, results } = useSearch(text, RESULTS);
  const words = results?.corrected ?? query;
  const found = (results?.products.nodes ?? []).map((product) => {
    const colorId = shownColor(product.colors, [], words);
    return { product, colorId, to: productLink(product, colorId) };
  });
  const addresses = found.map(({ to }) => to).join(' ');
  const tell = useEffectEvent(onFound);

  useEffect(() => tell(addresses.split(' ').filter(Boolean)), [addresses]);

  return (
    <>
      <div className={styles.main}>
        <SearchStatus query={query} results={results} loading={loading} />
        <div id={list} role="listbox" aria-label="Products" className={styles.results}>
          {found.map((one, at) => (
            <Result key={one.product.id} id={`${list}-${at}`} {...one} words={words} chosen={at === chosen} />
          ))}
        </div>
        {found.length > 0 && (
          <div className={styles.end}>
            <Link className="link" to={allResults(text)}>
              See all results
            </Link>
            <span className={styles.keys} aria-hidden="true">
              ↑ ↓ to choose, Enter to open, Esc to close
            </span>
          </div>
        )}
      </div>
      {results && results.suggestions.length > 0 && (
        <div className={styles.suggestions}>
          <p>Suggestions</p>
          {results.suggestions.map((suggestion) => (
            <button key={suggestion} type="button" onClick={() => onText(suggestion)}>
              {suggestion}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

interface SearchStatusProps {
  query: string;
  results: SearchQuery['search'] | undefined;
  loading: boolean;
}

/** How the search went, in words. */
function SearchStatus({ query, results, loading }: SearchStatusProps) {
  if (!results)
    return (
      <p className={styles.message} role="status">
        {loading ? 'Searching ...' : ''}
      </p>
    );
  const count = results.products.totalCount;
  return (
    <p className={styles.message} role="status">
      {results.corrected && count > 0 && (
        <span>
          Nothing is called “{query}”. Showing <b>{results.corrected}</b>
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
  /** The color that it is shown in; its first without it. */
  colorId: string | undefined;
  to: string;
  words: string;
  chosen: boolean;
}

function Result({ id, product, colorId, to, words, chosen }: ResultProps) {
  const image = product.colors.find((color) => color.id === colorId)?.images[0];
  return (
    <Link id={id} role="option" aria-selected={chosen} to={to} className={styles.result} tabIndex={-1}>
      {image ? <Picture image={image} sizes="60px" decorative /> : <span />}
      <span>
        <span className={styles.name}>
          <Highlight text={product.name} words={words} />
        </span>
        <br />
        <span className={styles.category}>
          {product.category.department.name}, {product.category.name}
        </span>
      </span>
      <Price price={product.chargedPrice} />
    </Link>
  );
}

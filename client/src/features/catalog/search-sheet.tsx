import { type KeyboardEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { CrossIcon, SearchIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { allResults, MIN_LETTERS } from './search-query';
import styles from './search-sheet.module.css';

export const loadResults = () => import('./search-results');
const SearchResults = lazyPart(loadResults);

/**
 * The search box, opened. The field comes with the header, so that it has focus before the first key; the code that
 * finds and shows products follows.
 */
export function SearchSheet({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(-1);
  const [results, setResults] = useState<readonly string[]>([]);
  const list = useId();
  const navigate = useNavigate();

  function change(next: string) {
    setText(next);
    setChosen(-1);
  }

  function steer(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && results.length > 0) {
      event.preventDefault();
      setChosen(Math.max(-1, Math.min(results.length - 1, chosen + step)));
    }
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const address = results[chosen];
    if (address) void navigate(address);
    else if (text.trim().length >= MIN_LETTERS) void navigate(allResults(text));
  }

  return (
    <div role="search" className={`page ${styles.sheet}`}>
      <div className={styles.field}>
        <SearchIcon />
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the sheet was opened to type into it.
          autoFocus
          type="search"
          role="combobox"
          aria-label="Search"
          aria-expanded={results.length > 0}
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
      <SearchResults {...{ text, list, chosen }} onFound={setResults} onText={change} />
    </div>
  );
}

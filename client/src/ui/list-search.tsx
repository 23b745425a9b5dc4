import { useEffect, useEffectEvent, useState } from 'react';
import { Field } from './field';
import styles from './table.module.css';

const PAUSE_MS = 250;

interface ListSearchProps {
  label: string;
  /** As the address has it. */
  value: string;
  onSearch: (value: string) => void;
}

/** A search box above a list: it searches when typing pauses, and at once on Enter. */
export function ListSearch({ label, value, onSearch }: ListSearchProps) {
  const [typed, setTyped] = useState(value);
  const [searched, setSearched] = useState(value);
  const search = useEffectEvent(() => onSearch(typed.trim()));

  // The address changed by itself: by Back, or by a link.
  if (searched !== value) {
    setSearched(value);
    if (typed.trim() !== value) setTyped(value);
  }

  useEffect(() => {
    if (typed.trim() === value) return;
    const pause = setTimeout(search, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [typed, value]);

  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Field label={label} type="search" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </form>
  );
}

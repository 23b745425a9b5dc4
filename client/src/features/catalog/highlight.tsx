import styles from './search-results.module.css';

const escape = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A name with what was searched for underlined. */
export function Highlight({ text, words }: { text: string; words: string }) {
  const parts = words.trim().split(/\s+/).filter(Boolean).map(escape);
  if (parts.length === 0) return text;
  const pieces = text.split(new RegExp(`(${parts.join('|')})`, 'giu'));
  return pieces.map((piece, at) =>
    // oxlint-disable-next-line react/no-array-index-key -- a piece is its place.
    at % 2 === 1 ? (
      <mark key={at} className={styles.mark}>
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}

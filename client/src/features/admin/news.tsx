import { useState } from 'react';
import styles from './news.module.css';
import { type AdminEvent, useAdminEvents } from './use-admin-events';

/** How many events of a kind came since the list was last read, and the way to say that it is read now. */
export function useUnseen(kind: AdminEvent['__typename']): [number, () => void] {
  const [count, setCount] = useState(0);
  useAdminEvents(({ __typename }) => {
    if (__typename === kind) setCount((before) => before + 1);
  });
  return [count, () => setCount(0)];
}

interface NewsProps {
  count: number;
  /** What there is one of, and several: "new order", "new orders". */
  one: string;
  many: string;
  /** Brings them into the list; the list does not move before. */
  onShow: () => void;
}

/** A quiet line above a list: "2 new orders. Show". */
export function News({ count, one, many, onShow }: NewsProps) {
  return (
    <p role="status" className={count ? styles.news : undefined}>
      {count > 0 && (
        <>
          {count} {count === 1 ? one : many}.{' '}
          <button type="button" className="link" onClick={onShow}>
            Show
          </button>
        </>
      )}
    </p>
  );
}

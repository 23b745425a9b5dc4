import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import styles from './formatted-text.module.css';

/** Where a press leads inside this shop; every other press, such as one for a tab of its own, is the browser's. */
function placeOf({ target, button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): string | null {
  if (button !== 0 || metaKey || altKey || ctrlKey || shiftKey) return null;
  const link = (target as Element).closest('a')?.getAttribute('href');
  return link?.startsWith('/') ? link : null;
}

/** Text that was written in Markdown, as the server has made HTML of it: only what is safe is in there. */
export function FormattedText({ html }: { html: string }) {
  const navigate = useNavigate();
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the presses are on the links inside, and Enter on one is a click.
    <div
      className={styles.text}
      dangerouslySetInnerHTML={{ __html: html }}
      onClick={(event) => {
        const place = event.defaultPrevented ? null : placeOf(event);
        if (place === null) return;
        event.preventDefault();
        void navigate(place);
      }}
    />
  );
}

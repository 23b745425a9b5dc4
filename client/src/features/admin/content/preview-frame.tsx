import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Segments } from '~/ui/segments';
import styles from './content.module.css';
import { texts } from './texts';

const WIDTHS = { phone: 390, desktop: 1280 };
type Device = keyof typeof WIDTHS;

const devices = [
  { value: 'phone', label: 'Phone' },
  { value: 'desktop', label: 'Desktop' },
] as const;

/** An empty page whose width is the device's: there the shop's own styles answer as in a window of that size. */
const EMPTY = '<!doctype html><html lang="en"><head><title>Preview</title></head><body></body></html>';

/** Gives a document of its own the styles and the theme of this one. */
function dress(page: Document) {
  for (const style of document.querySelectorAll('link[rel="stylesheet"], style'))
    page.head.append(style.cloneNode(true));
  const { theme } = document.documentElement.dataset;
  if (theme) page.documentElement.dataset['theme'] = theme;
}

/** How wide the element is, followed. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}

interface PreviewFrameProps {
  /** Why it does not show what the form says. */
  note: string | undefined;
  /** What shoppers would see. */
  children: ReactNode;
}

/** A page in a window of a phone's or a desktop's width. Its links lead nowhere. */
export function PreviewFrame({ note, children }: PreviewFrameProps) {
  const [device, setDevice] = useState<Device>('phone');
  const [body, setBody] = useState<HTMLElement | null>(null);
  const { element, width } = useWidth();
  const scale = Math.min(1, width / WIDTHS[device]) || 1;
  return (
    <section className={styles.preview} aria-label={texts.preview}>
      <Segments label={texts.preview} options={devices} chosen={device} onChoose={setDevice} />
      <p className="small soft" role="status">
        {note}
      </p>
      <div ref={element} className={styles.frame} data-device={device} style={{ '--scale': scale }}>
        {/* oxlint-disable-next-line react/iframe-missing-sandbox -- it holds nothing but what is drawn into it from here. */}
        <iframe
          title={texts.preview}
          srcDoc={EMPTY}
          style={{ width: WIDTHS[device] }}
          onLoad={({ currentTarget: { contentDocument } }) => {
            if (!contentDocument) return;
            dress(contentDocument);
            setBody(contentDocument.body);
          }}
        />
      </div>
      {body &&
        createPortal(
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- it only keeps the links inside from leading out.
          <div
            onClickCapture={(event) => {
              if (!(event.target as Element).closest('a')) return;
              event.preventDefault();
              event.stopPropagation();
            }}
          >
            {children}
          </div>,
          body,
        )}
    </section>
  );
}

import { type ReactNode, useRef } from 'react';
import styles from './tabs.module.css';

interface TabsProps<Id extends string> {
  label: string;
  /** Begins the ids of tabs and panel, so that `TabPanel` can name its tab. */
  name: string;
  tabs: readonly { id: Id; label: ReactNode }[];
  /** Null when what is shown belongs to none of them; the arrow keys then only walk. */
  chosen: Id | null;
  onChoose: (id: Id) => void;
  lined?: boolean;
  large?: boolean;
  /** One below the other. */
  vertical?: boolean;
}

/** Tabs that follow the arrow keys; the chosen one alone is in the Tab order. */
export function Tabs<Id extends string>({
  label,
  name,
  tabs,
  chosen,
  onChoose,
  lined,
  large,
  vertical,
}: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);

  function choose(index: number) {
    const next = tabs.at(index % tabs.length);
    if (!next) return;
    if (chosen !== null) onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#${name}-tab-${next.id}`)?.focus();
  }

  return (
    <div
      ref={list}
      role="tablist"
      aria-orientation={vertical ? 'vertical' : undefined}
      aria-label={label}
      className={`${styles.tabs} ${lined ? styles.lined : ''} ${large ? styles.large : ''} ${vertical ? styles.vertical : ''}`}
    >
      {tabs.map((tab, index) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${name}-tab-${tab.id}`}
          aria-controls={chosen === null ? undefined : `${name}-panel`}
          aria-selected={tab.id === chosen}
          tabIndex={tab.id === chosen || (chosen === null && index === 0) ? 0 : -1}
          className={styles.tab}
          onClick={() => onChoose(tab.id)}
          onKeyDown={(event) => {
            if (event.key === (vertical ? 'ArrowDown' : 'ArrowRight')) choose(index + 1);
            if (event.key === (vertical ? 'ArrowUp' : 'ArrowLeft')) choose(index - 1);
            if (event.key === 'Home') choose(0);
            if (event.key === 'End') choose(-1);
          }}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}

interface TabPanelProps {
  name: string;
  chosen: string;
  /** Its name while its tab is not in the page. */
  label?: string | undefined;
  children: ReactNode;
}

/** What the chosen tab shows. */
export function TabPanel({ name, chosen, label, children }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      id={`${name}-panel`}
      aria-label={label}
      aria-labelledby={label === undefined ? `${name}-tab-${chosen}` : undefined}
    >
      {children}
    </div>
  );
}

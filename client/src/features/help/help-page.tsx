import { type ReactNode, useEffect } from 'react';
import { useLocation } from 'react-router';
import { Link } from '~/ui/link';
import { Screen } from '~/ui/screen';
import styles from './help-page.module.css';
import { type HelpSection, type HelpText, teasers } from './help-text';
import { type Topic, topics } from './topics';

/** An anchor that came with the address is found once its page is there; a question so pointed at opens. */
function useAnchor() {
  const { hash } = useLocation();
  useEffect(() => {
    if (!hash) return;
    const frame = requestAnimationFrame(() => {
      const place = document.getElementById(hash.slice(1));
      if (place instanceof HTMLDetailsElement) place.open = true;
      place?.scrollIntoView();
    });
    return () => cancelAnimationFrame(frame);
  }, [hash]);
}

interface HelpPageProps {
  topic: Topic;
  text: HelpText;
  /** Shown under the short answer. */
  picture?: ReactNode;
}

/** The one layout of all pages behind the footer: title, short answer, facts, then section by section. */
export function HelpPage({ topic, text, picture }: HelpPageProps) {
  const { title } = topics[topic];
  useAnchor();
  return (
    <Screen title={title}>
      <div className={styles.columns}>
        <article className={styles.article}>
          <header className={styles.head}>
            <h1>{title}</h1>
            <p className={styles.lead}>{text.lead}</p>
          </header>
          {picture}
          {text.facts.length > 0 && <Facts facts={text.facts} />}
          {text.sections.map((section) => (
            <Part key={section.id} {...section} />
          ))}
        </article>
        <Contents sections={text.sections} />
      </div>
      <nav className={styles.next} aria-label="More answers">
        {text.next.map((other) => (
          <Link key={other} to={topics[other].to} className={styles.other}>
            <span className={styles.otherTitle}>{topics[other].title}</span>
            <span className="soft">{teasers[other]}</span>
          </Link>
        ))}
      </nav>
    </Screen>
  );
}

function Facts({ facts }: Pick<HelpText, 'facts'>) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Part({ id, heading, body }: HelpSection) {
  return (
    <section id={id} className={styles.part} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      <div className={styles.body}>{body}</div>
    </section>
  );
}

function Contents({ sections }: Pick<HelpText, 'sections'>) {
  return (
    <nav className={styles.contents} aria-label="On this page">
      <p>On this page</p>
      <ul>
        {sections.map(({ id, heading }) => (
          <li key={id}>
            <a href={`#${id}`}>{heading}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

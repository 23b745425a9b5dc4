import type { ReactNode } from 'react';
import { PlusIcon } from './icons';
import styles from './questions.module.css';

interface Question {
  id: string;
  question: string;
  answer: ReactNode;
}

/** Questions that open on their answers; the browser's own search opens them too. */
export function Questions({ questions }: { questions: readonly Question[] }) {
  return questions.map(({ id, question, answer }) => (
    <details key={id} id={id} className={styles.question}>
      <summary>
        {question}
        <PlusIcon size={18} />
      </summary>
      <div className={styles.answer}>{answer}</div>
    </details>
  ));
}

import type { ReturnStatus } from '~/graphql/schema.generated';
import type { OrderCardFragment } from './order.generated';
import styles from './order-timeline.module.css';

const endings: Partial<Record<ReturnStatus, string>> = {
  REFUSED: 'Your return is refused.',
  CANCELED: 'Your return ended with its order.',
};

/** What the shop wrote to a return, and the label that it gave for the parcel. */
export function ReturnAnswers({ returns }: { returns: OrderCardFragment['returns'] }) {
  const answered = returns.filter(({ answer, labelUrl }) => answer || labelUrl);
  if (answered.length === 0) return null;
  return (
    <ul className={styles.parcels} aria-label="Answers to your returns">
      {answered.map(({ id, status, answer, labelUrl }) => (
        <li key={id}>
          {endings[status] ?? 'Your return is accepted.'} {answer}{' '}
          {labelUrl && status === 'ACCEPTED' && (
            <a className="link" href={labelUrl} target="_blank" rel="noreferrer">
              Print the label
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

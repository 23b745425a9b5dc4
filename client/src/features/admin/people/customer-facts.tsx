import { HistoryLink } from '~/features/admin/history-link';
import { formatLongDayIn, formatNumber } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import { useTimeZone } from '~/ui/time-zone';
import type { CustomerFactsFragment } from './customer.generated';
import styles from './customer.module.css';
import { texts } from './texts';
import { UserButtons } from './user-buttons';
import { roleName } from './user-table';

interface CustomerFactsProps {
  customer: CustomerFactsFragment;
  isSelf: boolean;
  allowed: boolean;
  noteId: string;
  onDeleted: () => void;
}

/** Who it is, what it came to, and what may be done to the account. */
export function CustomerFacts({ customer, isSelf, allowed, noteId, onDeleted }: CustomerFactsProps) {
  const waits = customer.adminRequest && customer.role !== 'ADMIN';
  const timeZone = useTimeZone();
  const facts: [string, string][] = [
    ['E-mail', customer.emailVerified ? customer.email : `${customer.email}, ${texts.notConfirmed}`],
    ['Role', waits ? `${roleName(customer)}, asks for admin access` : roleName(customer)],
    ['Since', formatLongDayIn(timeZone, customer.createdAt)],
    ['Orders', formatNumber(customer.orderCount)],
    ['Spent, less refunds', formatPrice(customer.spent)],
  ];
  return (
    <section className={styles.who}>
      <div className={styles.head}>
        <h2>{customer.name}</h2>
        <HistoryLink kind="user" id={customer.id} />
      </div>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {!isSelf && (
        <div className={styles.actions}>
          <UserButtons user={customer} allowed={allowed} noteId={noteId} onDeleted={onDeleted} />
        </div>
      )}
    </section>
  );
}

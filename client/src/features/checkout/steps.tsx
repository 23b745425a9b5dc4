import { Link } from '~/ui/link';
import styles from './steps.module.css';

const steps = [
  { name: 'Cart', to: '/cart' },
  { name: 'Address', to: '/checkout' },
  { name: 'Payment', to: '/payment' },
] as const;

/** How far the purchase is; the steps behind lead back. */
export function Steps({ current }: { current: (typeof steps)[number]['name'] }) {
  const here = steps.findIndex(({ name }) => name === current);
  return (
    <nav aria-label="Checkout">
      <ol className={styles.steps}>
        {steps.map(({ name, to }, index) => (
          <li key={name} aria-current={index === here ? 'step' : undefined}>
            {index < here ? (
              <Link to={to} className="link">
                {name}
              </Link>
            ) : (
              name
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

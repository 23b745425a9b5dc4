import { AddressLines } from '~/ui/address-lines';
import { Link } from '~/ui/link';
import type { QuoteFragment } from './checkout.generated';
import styles from './deliver-to.module.css';
import { texts } from './texts';

/** Where what is being paid goes, and the way to another address. */
export function DeliverTo({ address }: Pick<QuoteFragment, 'address'>) {
  return (
    <section className={styles.place} aria-labelledby="deliver-to">
      <div>
        <h2 id="deliver-to">{texts.deliverTo}</h2>
        <AddressLines address={address} />
      </div>
      <Link to="/checkout" className="link small">
        {texts.otherAddress}
      </Link>
    </section>
  );
}

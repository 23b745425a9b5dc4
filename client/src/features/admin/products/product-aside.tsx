import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { HistoryLink } from '~/features/admin/history-link';
import { toResult } from '~/graphql/settled';
import { ConfirmDialog } from '~/ui/dialog';
import { formatFieldMomentIn, formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { formatPrice } from '~/ui/price';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import { type EditableProductFragment, useDuplicateProductMutation } from './product-form.generated';
import styles from './product-form.module.css';
import { useRetireProductMutation, useRestoreProductMutation } from './product.generated';
import { texts } from './texts';

interface ProductAsideProps {
  product: EditableProductFragment;
  allowed: boolean;
  noteId: string;
  /** The product as a shopper's list would show it. */
  children: ReactNode;
  onChanged: () => void;
}

function useOffering(id: string, onChanged: () => void) {
  const [retire] = useRetireProductMutation();
  const [restore] = useRestoreProductMutation();

  async function run(work: Promise<{ data?: unknown }>, done: string, failed: string) {
    const { data, message } = await toResult(work);
    if (data) {
      toast.success(done);
      onChanged();
    } else toast.error(message ?? failed);
  }

  return {
    retire: () => run(retire({ variables: { id } }), texts.retired, texts.retireFailed),
    restore: () => run(restore({ variables: { id } }), texts.restored, texts.restoreFailed),
  };
}

function useDuplication(id: string) {
  const navigate = useNavigate();
  const [duplicate] = useDuplicateProductMutation();
  return async () => {
    const { data, message } = await toResult(duplicate({ variables: { id } }));
    if (!data) return toast.error(message ?? texts.duplicateFailed);
    toast.success(texts.duplicated);
    return navigate(`/admin/products/${data.duplicateProduct.id}`);
  };
}

function Reserved({ product: { reserved, reservedSince } }: { product: EditableProductFragment }) {
  if (reserved === 0 || !reservedSince) return 'None';
  return (
    <>
      {formatNumber(reserved)} in open checkouts since <Moment at={reservedSince} format={formatFieldMomentIn} />
    </>
  );
}

/** What shoppers see, what was sold, who changed it last, and what can be done with the product as a whole. */
export function ProductAside({ product, allowed, noteId, children, onChanged }: ProductAsideProps) {
  const { retire, restore } = useOffering(product.id, onChanged);
  const duplicate = useDuplication(product.id);
  const [asking, setAsking] = useState(false);
  const mayNot = allowed ? {} : { disabled: true, 'aria-describedby': noteId };

  return (
    <aside className={styles.aside} aria-label="About this product">
      <p className="small soft">As shoppers see it</p>
      <div inert>{children}</div>
      <dl className={styles.facts}>
        {product.isRetired && (
          <div>
            <dt>Status</dt>
            <dd>
              <Status mark="broken">Retired</Status>
            </dd>
          </div>
        )}
        <div>
          <dt>Sold</dt>
          <dd>
            {formatNumber(product.sold)}, {formatPrice(product.revenue)}
          </dd>
        </div>
        <div>
          <dt>Reserved</dt>
          <dd>
            <Reserved product={product} />
          </dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <Moment at={product.changedAt} format={formatFieldMomentIn} />
            {product.changedBy && `, by ${product.changedBy}`}
          </dd>
        </div>
      </dl>
      <div className={styles.acts}>
        <button type="button" className="link small" {...mayNot} onClick={() => void duplicate()}>
          Duplicate
        </button>
        {product.isRetired ? (
          <button type="button" className="link small" {...mayNot} onClick={() => void restore()}>
            Restore
          </button>
        ) : (
          <button type="button" className="link small" {...mayNot} onClick={() => setAsking(true)}>
            Retire
          </button>
        )}
        <HistoryLink kind="product" id={product.id} />
        {!product.isRetired && (
          <Link to={`/product/${product.id}`} className="link small">
            See in shop
          </Link>
        )}
      </div>
      <ConfirmDialog
        open={asking}
        title={`Retire ${product.name}?`}
        text="It leaves every list, search and cart. Past orders keep it, and it can be restored here."
        confirm="Retire"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void retire();
        }}
      />
    </aside>
  );
}

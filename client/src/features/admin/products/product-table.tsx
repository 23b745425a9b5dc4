import { useState } from 'react';
import styles from '~/features/admin/panel.module.css';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { Price } from '~/ui/price';
import { toast } from '~/ui/toast';
import { type AdminProductFragment, useDeleteProductMutation } from './product.generated';
import { texts } from './texts';

interface ProductTableProps {
  products: readonly AdminProductFragment[];
  allowed: boolean;
  noteId: string;
}

const named = (value: string) => value.charAt(0) + value.slice(1).toLowerCase();

function useDeletion({ id }: AdminProductFragment) {
  const [deleteProduct, { loading }] = useDeleteProductMutation({
    update(cache) {
      cache.evict({ id: cache.identify({ __typename: 'Product', id }) });
      cache.gc();
    },
  });

  async function remove() {
    const { data, said } = await settled(deleteProduct({ variables: { id } }));
    if (data) toast.success(texts.productDeleted);
    else toast.error(said ?? texts.productDeleteFailed);
  }

  return { remove, loading };
}

function ProductRow({ product, allowed, noteId }: { product: AdminProductFragment } & Omit<ProductTableProps, 'products'>) {
  const { remove, loading } = useDeletion(product);
  const [asking, setAsking] = useState(false);
  const [image] = product.images;

  return (
    <tr>
      <td className={styles.thumbnail}>{image && <Picture image={image} sizes="44px" decorative />}</td>
      <th scope="row">
        <Link to={`/product/${product.id}`} className="link">
          {product.name}
        </Link>
      </th>
      <td>
        {named(product.gender)}, {product.subcategory.toLowerCase()}
      </td>
      <td className={styles.number}>
        <Price price={product.price} discountedPrice={product.discountedPrice} />
      </td>
      <td className={styles.number}>{product.stock} in stock</td>
      <td>
        <div className={styles.actions}>
          <Button
            small
            disabled={!allowed}
            aria-describedby={allowed ? undefined : noteId}
            aria-label={`Delete ${product.name}`}
            working={loading && 'Deleting ...'}
            onClick={() => setAsking(true)}
          >
            Delete
          </Button>
        </div>
        <ConfirmDialog
          open={asking}
          title={`Delete ${product.name}?`}
          text="It leaves every list, search and cart; past orders keep it. This action cannot be undone."
          confirm="Delete"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void remove();
          }}
        />
      </td>
    </tr>
  );
}

export function ProductTable({ products, allowed, noteId }: ProductTableProps) {
  if (products.length === 0) return <p className="soft">There are no such products.</p>;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Picture</span>
          </th>
          <th scope="col">Product</th>
          <th scope="col">Category</th>
          <th scope="col" className={styles.number}>
            Price
          </th>
          <th scope="col" className={styles.number}>
            Stock
          </th>
          <th scope="col">
            <span className="visually-hidden">Controls</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <ProductRow key={product.id} product={product} allowed={allowed} noteId={noteId} />
        ))}
      </tbody>
    </table>
  );
}

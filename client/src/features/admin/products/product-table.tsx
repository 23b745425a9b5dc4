import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { DataTable, type Selection, type Sorting } from '~/ui/data-table';
import { ConfirmDialog } from '~/ui/dialog';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { Price } from '~/ui/price';
import { Status } from '~/ui/status';
import { toast } from '~/ui/toast';
import { type AdminProductFragment, useRetireProductMutation } from './product.generated';
import styles from './product-table.module.css';
import { texts } from './texts';

interface ProductTableProps {
  products: readonly AdminProductFragment[];
  allowed: boolean;
  noteId: string;
  selection?: Omit<Selection<AdminProductFragment>, 'nameOf'> | undefined;
  sorting?: Sorting | undefined;
  stale?: boolean | undefined;
}

function useDeletion({ id }: AdminProductFragment) {
  const [retireProduct, { loading }] = useRetireProductMutation({
    update(cache) {
      cache.evict({ id: cache.identify({ __typename: 'Product', id }) });
      cache.gc();
    },
  });

  async function remove() {
    const { data, message } = await toResult(retireProduct({ variables: { id } }));
    if (data) toast.success(texts.productDeleted);
    else toast.error(message ?? texts.productDeleteFailed);
  }

  return { remove, loading };
}

type DeletionProps = { product: AdminProductFragment } & Pick<ProductTableProps, 'allowed' | 'noteId'>;

function Deletion({ product, allowed, noteId }: DeletionProps) {
  const { remove, loading } = useDeletion(product);
  const [asking, setAsking] = useState(false);

  if (product.isRetired) return null;
  return (
    <>
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
      <ConfirmDialog
        open={asking}
        title={`Delete ${product.name}?`}
        text="It leaves every list, search and cart; past orders keep it."
        confirm="Delete"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void remove();
        }}
      />
    </>
  );
}

function StockOf({ product }: { product: AdminProductFragment }) {
  if (product.isRetired) return <Status mark="broken">Retired</Status>;
  if (product.stock === 0) return <Status mark="empty">Sold out</Status>;
  return `${formatNumber(product.stock)} in stock`;
}

/** Products to find, to tick and to take off sale. */
export function ProductTable({ products, allowed, noteId, selection, sorting, stale }: ProductTableProps) {
  return (
    <DataTable
      label="Products"
      rows={products}
      stale={stale}
      empty={texts.noProducts}
      sorting={sorting}
      selection={selection && { ...selection, nameOf: ({ name }) => name }}
      columns={[
        {
          title: 'Picture',
          kind: 'thumbnail',
          cell: ({ images: [image] }) => image && <Picture image={image} sizes="44px" decorative />,
        },
        {
          title: 'Product',
          isRowHeader: true,
          sorts: { ascending: 'name', first: 'name' },
          cell: ({ id, name }) => (
            <Link to={`/admin/products/${id}`} className="link">
              {name}
            </Link>
          ),
        },
        {
          title: 'Category',
          cell: ({ category }) => `${category.department.name}, ${category.name.toLowerCase()}`,
        },
        {
          title: 'Price',
          kind: 'number',
          sorts: { ascending: 'cheapest', descending: 'dearest', first: 'cheapest' },
          cell: ({ price, discountedPrice }) => <Price price={price} discountedPrice={discountedPrice} />,
        },
        {
          title: 'Stock',
          kind: 'number',
          className: styles.stock,
          cell: (product) => <StockOf product={product} />,
        },
        {
          title: 'Controls',
          kind: 'controls',
          cell: (product) => <Deletion product={product} allowed={allowed} noteId={noteId} />,
        },
      ]}
    />
  );
}

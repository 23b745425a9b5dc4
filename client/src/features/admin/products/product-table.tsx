import { useState } from 'react';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ConfirmDialog } from '~/ui/dialog';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { Price } from '~/ui/price';
import { Status } from '~/ui/status';
import { Head, NoRows, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
import { toast } from '~/ui/toast';
import { type AdminProductFragment, useDeleteProductMutation } from './product.generated';
import styles from './product-table.module.css';
import { texts } from './texts';

/** Which rows are ticked, and what a press on a tick does. */
interface Selection {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  toggleAll: () => void;
}

interface Sorting {
  by: string;
  onSort: (by: string) => void;
}

interface ProductTableProps {
  products: readonly AdminProductFragment[];
  allowed: boolean;
  noteId: string;
  selection?: Selection | undefined;
  sorting?: Sorting | undefined;
  stale?: boolean | undefined;
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

type RowProps = { product: AdminProductFragment } & Pick<ProductTableProps, 'allowed' | 'noteId' | 'selection'>;

function Deletion({ product, allowed, noteId }: RowProps) {
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

function Tick({ label, checked, onToggle }: { label: string; checked: boolean; onToggle: () => void }) {
  return (
    <Checkbox aria-label={label} checked={checked} onChange={onToggle}>
      {null}
    </Checkbox>
  );
}

function StockOf({ product }: { product: AdminProductFragment }) {
  if (product.isRetired) return <Status mark="broken">Retired</Status>;
  if (product.stock === 0) return <Status mark="empty">Sold out</Status>;
  return `${formatNumber(product.stock)} in stock`;
}

function ProductRow({ product, allowed, noteId, selection }: RowProps) {
  const [image] = product.images;
  const ticked = selection?.has(product.id) ?? false;

  return (
    <tr aria-selected={selection ? ticked : undefined}>
      {selection && (
        <td className={tableStyles.tick}>
          <Tick label={`Select ${product.name}`} checked={ticked} onToggle={() => selection.toggle(product.id)} />
        </td>
      )}
      <td className={tableStyles.thumbnail}>{image && <Picture image={image} sizes="44px" decorative />}</td>
      <th scope="row">
        <Link to={`/admin/products/${product.id}`} className="link">
          {product.name}
        </Link>
      </th>
      <td>
        {named(product.gender)}, {product.subcategory.toLowerCase()}
      </td>
      <td className={tableStyles.number}>
        <Price price={product.price} discountedPrice={product.discountedPrice} />
      </td>
      <td className={`${tableStyles.number} ${styles.stock}`}>
        <StockOf product={product} />
      </td>
      <td className={tableStyles.actions}>
        <Deletion product={product} allowed={allowed} noteId={noteId} />
      </td>
    </tr>
  );
}

/** The present order of a sortable column, and the order that a click requests. */
function sortable(sorting: Sorting | undefined, rising: string, falling: string) {
  if (!sorting) return {};
  const sorted = sorting.by === rising ? 'ascending' : sorting.by === falling ? 'descending' : 'none';
  return {
    sorted,
    onSort: () => sorting.onSort(sorting.by === rising && falling !== rising ? falling : rising),
  } as const;
}

export function ProductTable({ products, allowed, noteId, selection, sorting, stale }: ProductTableProps) {
  if (products.length === 0) return <NoRows>{texts.noProducts}</NoRows>;
  const all = selection ? products.every(({ id }) => selection.has(id)) : false;
  return (
    <Table label="Products" stale={stale}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" className={tableStyles.tick}>
              <Tick label="Select all on this page" checked={all} onToggle={selection.toggleAll} />
            </th>
          )}
          <Head hidden>Picture</Head>
          <Head {...sortable(sorting, 'name', 'name')}>Product</Head>
          <Head>Category</Head>
          <Head number {...sortable(sorting, 'cheapest', 'dearest')}>
            Price
          </Head>
          <Head number>Stock</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {products.map((product) => (
          <ProductRow key={product.id} product={product} allowed={allowed} noteId={noteId} selection={selection} />
        ))}
      </tbody>
    </Table>
  );
}

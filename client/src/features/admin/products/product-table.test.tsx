import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { type AdminProductFragment, RetireProductDocument } from './product.generated';
import { ProductTable } from './product-table';

const shop = shopServer();
const shirt: AdminProductFragment = {
  id: 'p1',
  name: 'Oxford Shirt',
  category: { id: 'men_shirts', name: 'Shirts', department: { name: 'Men' } },
  price: '89.00',
  discountedPrice: null,
  stock: 5,
  isRetired: false,
  images: [],
};

async function remove() {
  const { user } = renderShop(<ProductTable products={[shirt]} allowed noteId="note" />);
  await user.click(screen.getByRole('button', { name: 'Delete Oxford Shirt' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }));
}

describe('deleting a product', () => {
  // spec: errors.done.product.delete
  it('asks first, deletes, and says so', async () => {
    const requests = shop.answer(RetireProductDocument, {
      retireProduct: { __typename: 'Product', id: 'p1', isRetired: true },
    });

    await remove();

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Product deleted successfully'));
    expect(requests).toEqual([{ id: 'p1' }]);
  });

  // spec: errors.product.delete
  it('says that it failed when the shop fails', async () => {
    shop.fail(RetireProductDocument, 'INTERNAL');

    await remove();

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Error deleting product'));
  });

  it('is for the primary admin alone', () => {
    renderShop(<ProductTable products={[shirt]} allowed={false} noteId="note" />);

    expect(screen.getByRole('button', { name: 'Delete Oxford Shirt' })).toBeDisabled();
  });
});

import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderScreen, shopServer } from '~/test/shop';
import { EditProduct } from './edit-product';
import {
  type EditableProductFragment,
  type ProductFormOptionsFragment,
  UpdateProductDocument,
} from './product-form.generated';
import { RetireProductDocument } from './product.generated';

const shop = shopServer();
const image = { __typename: 'Image', id: 'i1', alt: 'Front', avif: '/i1.avif', fallback: '/i1.jpeg' };
const shirt: EditableProductFragment = {
  id: 'p1',
  version: 3,
  name: 'Oxford Shirt',
  title: 'Oxford Shirt',
  subtitle: 'Washed cotton',
  description: 'A shirt.',
  details: [],
  measurements: [],
  price: '80.00',
  discountedPrice: null,
  discountStartsAt: null,
  discountEndsAt: null,
  isOnSale: false,
  category: { id: 'men_shirts', department: { key: 'men' }, kind: { key: 'shirts' } },
  weightGrams: 300,
  isRetired: false,
  colors: [{ id: 'c1', name: 'White', hex: '#ffffff', isRetired: false, sold: 0 }],
  variants: [{ id: 'v1', colorId: 'c1', size: 'M', sku: 'OX-M', stock: 6, reserved: 0, sold: 0, isRetired: false }],
  pictures: [
    {
      colorId: 'c1',
      alt: 'Front',
      image,
    },
  ],
  sold: 0,
  revenue: '0.00',
  reserved: 0,
  reservedSince: null,
  changedAt: '2026-11-20T16:02:00Z',
  changedBy: 'owner@minimal.test',
};
const options: ProductFormOptionsFragment = {
  admin: {
    departments: [
      {
        key: 'men',
        name: 'Men',
        categories: [
          {
            key: 'men_shirts',
            name: 'Shirts',
            isHidden: false,
            measurementPoints: [],
            sizeSystem: { sizes: [], axes: [] },
            kind: { key: 'shirts' },
          },
        ],
      },
    ],
  },
  shop: { imageTypes: ['image/png'], limits: { imagesPerProduct: 12 } },
};

/** The editor with a changed name, after Retire; a fetch then answers the product as `now`. */
async function retired(now: EditableProductFragment) {
  shop.answer(RetireProductDocument, { retireProduct: { id: 'p1', isRetired: true } });
  const sent = shop.answer(UpdateProductDocument, {
    updateProduct: {
      __typename: 'ProductUpdated',
      product: { __typename: 'EditableProduct', ...now, name: 'Poplin Shirt', version: now.version + 1 },
    },
  });
  const refetch = vi.fn(() => Promise.resolve(now));
  const editor = <EditProduct product={shirt} options={options} allowed Preview={() => null} refetch={refetch} />;
  const { user } = renderScreen(editor);
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Poplin Shirt' } });
  await user.click(screen.getByRole('button', { name: 'Retire' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Retire' }));
  await waitFor(() => expect(refetch).toHaveBeenCalled());
  return { user, sent };
}

it('saves after Retire what was changed before, without a conflict', async () => {
  const { user, sent } = await retired({ ...shirt, isRetired: true, version: 4 });

  await user.click(screen.getByRole('button', { name: 'Save Changes' }));

  await waitFor(() => expect(sent).toMatchObject([{ version: 4, input: { name: 'Poplin Shirt' } }]));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save Changes' })).toBeNull());
});

it('still names after Retire what another admin has saved before it', async () => {
  await retired({ ...shirt, isRetired: true, version: 5, subtitle: 'Raw cotton' });

  expect(await screen.findByRole('dialog', { name: 'This product has changed' })).toHaveTextContent('subtitle');
});

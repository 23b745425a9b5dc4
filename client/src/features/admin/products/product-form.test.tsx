import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { graphql } from 'msw/graphql';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { session } from '~/session/storage';
import { toastQueue } from '~/ui/toast';
import { CreateProduct } from './create-product';
import {
  CreateProductDocument,
  type CreateProductMutation,
  type ProductFormOptionsFragment,
} from './product-form.generated';

const shop = shopServer();
const created = vi.fn();
const department = (key: string, name: string, kind: string, category: string) => ({
  key,
  name,
  categories: [
    {
      key: `${key}_${kind}`,
      name: category,
      isHidden: false,
      kind: { key: kind },
      measurementPoints: [],
      sizeSystem: { sizes: ['XS', 'S', 'M', 'L', 'XL', 'XXL'], axes: [{ name: 'Size', values: [] }] },
    },
  ],
});
const options: ProductFormOptionsFragment = {
  admin: {
    departments: [department('men', 'Men', 'shirts', 'Shirts'), department('women', 'Women', 'trousers', 'Trousers')],
  },
  shop: { imageTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/avif'], limits: { imagesPerProduct: 12 } },
};
const done: CreateProductMutation = {
  createProduct: { __typename: 'ProductCreated', product: { id: 'n1', name: 'Poplin Shirt' } },
};

beforeAll(() => {
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = () => {};
});

beforeEach(() => created.mockReset());

const show = (allowed = true) => renderShop(<CreateProduct options={options} allowed={allowed} onCreated={created} />);

it('offers the sizes of the chosen category, of two axes each with each', async () => {
  const axes = [
    { name: 'Waist', values: [{ name: 'W28' }, { name: 'W30' }] },
    { name: 'Length', values: [{ name: 'L32' }] },
  ];
  const men = department('men', 'Men', 'shirts', 'Shirts');
  const [jeans] = department('men', 'Men', 'jeans', 'Jeans').categories;
  if (!jeans) throw new Error('A department of the test has a category.');
  const sizeSystem = { sizes: ['W28 L32', 'W30 L32'], axes };
  const categories = [...men.categories, { ...jeans, sizeSystem }];
  const two = { ...options, admin: { departments: [{ ...men, categories }] } };
  const { user } = renderShop(<CreateProduct options={two} allowed onCreated={created} />);
  await user.click(screen.getByLabelText('Men'));
  await user.click(screen.getByLabelText('Shirts'));
  await user.click(screen.getByRole('checkbox', { name: 'M' }));

  await user.click(screen.getByLabelText('Jeans'));
  await user.click(screen.getByRole('checkbox', { name: 'W30 L32' }));

  const grid = screen.getByRole('table', { name: 'Stock by color and size' });
  const columns = within(grid).getAllByRole('columnheader');
  expect(columns.map(({ textContent }) => textContent)).toEqual(['Color', 'W30 L32', 'Sum']);
  expect(within(grid).getByRole('checkbox', { name: 'W30 L32' })).toBeChecked();
});

type User = ReturnType<typeof show>['user'];

const picture = (name = 'front.png') => new File(['x'], name, { type: 'image/png' });
const submit = (user: User) => user.click(screen.getByRole('button', { name: 'Create Product' }));

const enter = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (label: string) => fireEvent.click(screen.getByLabelText(label));

/** Fills in the whole form, by single events: there are many tests of it. */
async function fill(user: User) {
  enter('Name', 'Poplin Shirt');
  enter('Subtitle', 'Crisp cotton');
  enter('Description', 'A shirt.');
  enter('Price', '80');
  press('Men');
  press('Shirts');
  enter('Color name', 'White');
  fireEvent.click(screen.getByText('Add color'));
  press('M');
  enter('Stock', '5');
  await user.upload(screen.getByLabelText(/Add pictures/), picture());
}

function answerUploads(...answers: { id?: string; message?: string; status: number }[]) {
  const types: (string | null)[] = [];
  shop.use(
    http.post('/uploads/images/signed', () => new HttpResponse(null, { status: 204 })),
    http.post('/uploads/images', ({ request }) => {
      const { status, ...body } = answers[Math.min(types.length, answers.length - 1)] ?? { status: 500 };
      types.push(request.headers.get('content-type'));
      return HttpResponse.json(body, { status });
    }),
  );
  return types;
}

describe('the form for a new product', () => {
  // spec: errors.done.product.create
  it('uploads the picture as it is, creates the product, and says so', async () => {
    const types = answerUploads({ id: 'p1', status: 201 });
    const requests = shop.answer(CreateProductDocument, done);
    const { user } = show();

    await fill(user);
    await submit(user);

    await waitFor(() => expect(created).toHaveBeenCalledOnce());
    expect(types).toEqual(['image/png']);
    expect(requests).toMatchObject([
      { input: { name: 'Poplin Shirt', stock: 5, sizes: ['M'], images: [{ imageId: 'p1', color: null, alt: '' }] } },
    ]);
    expect(toastQueue.first()?.text).toBe('Product created successfully');
  });

  it('says why a picture was refused, and sends only what is missing the next time', async () => {
    const types = answerUploads({ message: 'This picture is broken.', status: 400 }, { id: 'p1', status: 201 });
    shop.fail(CreateProductDocument, 'INTERNAL');
    const { user } = show();
    await fill(user);

    expect(await screen.findByText('front.png: This picture is broken.')).toBeVisible();
    await user.upload(screen.getByLabelText(/Add pictures/), picture());
    await submit(user);
    expect(await screen.findByText('Error creating product')).toBeVisible();
    const requests = shop.answer(CreateProductDocument, done);
    await submit(user);

    await waitFor(() => expect(created).toHaveBeenCalledOnce());
    expect(requests).toMatchObject([{ input: { images: [{ imageId: 'p1' }] } }]);
    expect(types).toHaveLength(2);
  });

  it('sends one request however often it is pressed, once the pictures are uploaded', async () => {
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    shop.use(
      http.post('/uploads/images/signed', () => new HttpResponse(null, { status: 204 })),
      http.post('/uploads/images', async () => {
        await released;
        return HttpResponse.json({ id: 'p1' }, { status: 201 });
      }),
    );
    const requests = shop.answer(CreateProductDocument, done);
    const { user } = show();
    await fill(user);

    const form = screen.getByLabelText('Name').closest('form') as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    await user.click(await screen.findByRole('button', { name: 'Creating ...' }));
    expect(requests).toEqual([]);
    release?.();

    await waitFor(() => expect(created).toHaveBeenCalled());
    expect(requests).toHaveLength(1);
    expect(requests[0]?.input.images).toEqual([{ imageId: 'p1', color: null, alt: '' }]);
    expect(created).toHaveBeenCalledOnce();
  });

  it('places what the server refuses at its field, and takes the focus there', async () => {
    answerUploads({ id: 'p1', status: 201 });
    shop.answer(CreateProductDocument, {
      createProduct: {
        __typename: 'InvalidInput',
        message: 'Product name is taken',
        field: 'name',
        errors: [
          { field: 'name', message: 'Product name is taken' },
          { field: 'season', message: 'Choose a season' },
        ],
      },
    });
    const { user } = show();
    await fill(user);

    await submit(user);

    expect(await screen.findByText('Choose a season')).toBeVisible();
    expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('Product name is taken');
    expect(screen.getByLabelText('Name')).toHaveFocus();
    expect(created).not.toHaveBeenCalled();
  });

  it('places what the server says of a value that it could not read at its field', async () => {
    answerUploads({ id: 'p1', status: 201 });
    shop.use(
      graphql.link('http://shop.test/graphql').mutation('CreateProduct', () =>
        HttpResponse.json({
          errors: [{ message: `Variable '$product' has invalid value at .name: A name is written in letters.` }],
        }),
      ),
    );
    const { user } = show();
    await fill(user);

    await submit(user);

    await waitFor(() =>
      expect(screen.getByLabelText('Name')).toHaveAccessibleDescription('A name is written in letters.'),
    );
    expect(screen.getByLabelText('Name')).toHaveFocus();
    expect(toastQueue.first()?.text).toBe('A name is written in letters.');
  });

  it('spreads the typed stock over the grid and keeps what is set there', async () => {
    answerUploads({ id: 'p1', status: 201 });
    const requests = shop.answer(CreateProductDocument, done);
    const { user } = show();
    await fill(user);
    await user.click(screen.getByRole('checkbox', { name: 'S' }));
    const exact = screen.getByRole('checkbox', { name: 'Set the stock of each color and size' });

    await user.click(exact);

    expect(screen.getByLabelText('Stock')).toHaveValue('5');
    expect(screen.getByLabelText('White, S')).toHaveValue('3');
    expect(screen.getByLabelText('White, M')).toHaveValue('2');
    await user.type(screen.getByLabelText('White, M'), '20');
    await user.click(exact);
    expect(screen.getByLabelText('Stock')).toHaveValue('23');
    await user.click(exact);
    expect(screen.getByLabelText('White, M')).toHaveValue('20');
    await submit(user);
    await waitFor(() => expect(created).toHaveBeenCalledOnce());
    expect(requests).toMatchObject([
      {
        input: {
          variants: [
            { color: 0, size: 'S', stock: 3 },
            { color: 0, size: 'M', stock: 20 },
          ],
        },
      },
    ]);
  });

  // spec: screens.admin.form
  it('has five sections', () => {
    show();

    const sections = screen.getAllByRole('heading', { level: 3 });
    expect(sections.map(({ textContent }) => textContent)).toEqual([
      'Basic Information',
      'Pricing',
      'Categorization',
      'Colors & Sizes',
      'Product Images',
    ]);
  });

  // spec: states.form.creating
  it('says what it does while it creates', async () => {
    answerUploads({ id: 'p1', status: 201 });
    const answer = shop.hold(CreateProductDocument, done);
    const { user } = show();
    await fill(user);

    await submit(user);

    expect(await screen.findByRole('button', { name: 'Creating ...' })).toBeVisible();
    answer();
    await waitFor(() => expect(created).toHaveBeenCalledOnce());
  });

  // spec: errors.product.create
  it('says that it failed when the shop fails', async () => {
    answerUploads({ id: 'p1', status: 201 });
    shop.fail(CreateProductDocument, 'INTERNAL');
    const { user } = show();
    await fill(user);

    await submit(user);

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Error creating product'));
    expect(created).not.toHaveBeenCalled();
  });

  // spec: states.form.previews
  it('previews pictures, and asks for one again when the last is removed', async () => {
    answerUploads({ id: 'p1', status: 201 }, { id: 'p2', status: 201 });
    const { user } = show();
    await user.upload(screen.getByLabelText(/Add pictures/), [picture('front.png'), picture('back.png')]);
    expect(screen.getByAltText('Front.png')).toHaveAttribute('src', 'blob:preview');
    expect(screen.getByAltText('Back.png')).toBeVisible();

    for (const name of ['Edit Front.png', 'Edit Back.png']) {
      await user.click(await screen.findByRole('button', { name }));
      await user.click(screen.getByRole('button', { name: 'Delete picture' }));
    }
    await submit(user);

    expect(screen.getByLabelText(/Add pictures/)).toHaveProperty('files.length', 0);
    expect(await screen.findByText('Product image is required')).toBeVisible();
  });

  // spec: validation.product
  it('names everything that is missing at once', async () => {
    const { user } = show();

    await submit(user);

    await screen.findByText('Product name is required');
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Product name is required',
      'Product subtitle is required',
      'Product description is required',
      'Invalid price value',
      'Select a gender',
      'Product category is required',
      'At least one color must be selected',
      'At least one size must be selected',
      'Invalid stock value',
      'Product image is required',
    ]);
  });

  // spec: states.form.errors
  it('clears the error of the field that is edited and no other', async () => {
    const { user } = show();
    await submit(user);
    expect(await screen.findByText('Product name is required')).toBeVisible();

    await user.type(screen.getByLabelText('Name'), 'P');

    expect(screen.queryByText('Product name is required')).not.toBeInTheDocument();
    expect(screen.getByText('Product subtitle is required')).toBeVisible();
  });

  // spec: states.form.gender
  it('forgets the category when the gender changes', async () => {
    const { user } = show();
    await user.click(screen.getByRole('radio', { name: 'Men' }));
    await user.click(screen.getByRole('radio', { name: 'Shirts' }));

    await user.click(screen.getByRole('radio', { name: 'Women' }));
    await submit(user);

    expect(await screen.findByText('Product category is required')).toBeVisible();
    expect(screen.getByRole('radio', { name: 'Trousers' })).not.toBeChecked();
  });

  // spec: validation.product.color
  it('adds a color only once it has a name, black unless chosen otherwise', async () => {
    const { user } = show();
    const add = screen.getByRole('button', { name: 'Add color' });
    expect(add).toBeDisabled();

    await user.type(screen.getByLabelText('Color name'), 'Ink');
    await user.click(add);

    expect(within(screen.getByRole('rowheader', { name: /Ink/ })).getByText('#000000')).toBeVisible();
    expect(add).toBeDisabled();
  });

  it('names every picture that was refused', async () => {
    answerUploads(
      { message: 'This picture is broken.', status: 400 },
      { message: 'This picture is damaged or cut off.', status: 400 },
      { id: 'p1', status: 201 },
    );
    const { user } = show();

    await user.upload(screen.getByLabelText(/Add pictures/), ['a.png', 'b.png', 'c.png'].map(picture));

    expect(
      await screen.findByText('a.png: This picture is broken. b.png: This picture is damaged or cut off.'),
    ).toBeVisible();
  });

  it('names every file of another type and every picture above the limit', async () => {
    answerUploads({ id: 'p1', status: 201 });
    show();
    const pictures = Array.from({ length: 14 }, (_, at) => picture(`${at + 1}.png`));
    const others = ['a.gif', 'b.tiff'].map((name) => new File(['x'], name, { type: 'image/x' }));

    await userEvent
      .setup({ applyAccept: false })
      .upload(screen.getByLabelText(/Add pictures/), [...pictures, ...others]);

    expect(
      screen.getByText(
        'a.gif and b.tiff are no jpeg, jpg, png, webp or avif pictures. At most 12 pictures: 13.png and 14.png are left out.',
      ),
    ).toBeVisible();
  });

  it('says why a file of another type does not replace a picture', async () => {
    answerUploads({ id: 'p1', status: 201 });
    const { user } = show();
    await user.upload(screen.getByLabelText(/Add pictures/), picture());
    await user.click(await screen.findByRole('button', { name: 'Edit Front.png' }));

    await userEvent
      .setup({ applyAccept: false })
      .upload(screen.getByLabelText('Replace by'), new File(['x'], 'back.gif', { type: 'image/gif' }));

    expect(screen.getByText('back.gif is no jpeg, jpg, png, webp or avif picture.')).toBeVisible();
    expect(screen.getByAltText('Front.png')).toBeVisible();
  });

  // spec: validation.product.pictures, constants.image.types
  it('refuses a file that is no picture of an accepted kind', async () => {
    show();

    await userEvent
      .setup({ applyAccept: false })
      .upload(screen.getByLabelText(/Add pictures/), new File(['x'], 'front.gif', { type: 'image/gif' }));

    expect(screen.getByText('front.gif is no jpeg, jpg, png, webp or avif picture.')).toBeVisible();
    expect(screen.queryByRole('img')).not.toBeInTheDocument();
  });

  // spec: roles.creation
  it('can be sent by the primary admin alone', () => {
    show(false);

    expect(screen.getByRole('button', { name: 'Create Product' })).toBeDisabled();
    expect(screen.getByText('You lack privileges to use these controls')).toBeVisible();
  });

  it('says above its fields who may not send it', () => {
    show(false);
    const note = screen.getByText('You lack privileges to use these controls');

    expect(note.compareDocumentPosition(screen.getByLabelText('Name'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });
});

describe('a form that was left', () => {
  afterEach(() => session.signOut());

  const owner = { id: 'u1', name: 'Olga Owner', email: 'owner@minimal.test', role: 'admin' } as const;

  it('has everything in it when its admin comes back, pictures included', async () => {
    session.signIn(owner);
    answerUploads({ id: 'p1', status: 201 });
    const first = show();
    await fill(first.user);
    first.unmount();

    show();

    expect(screen.getByLabelText('Name')).toHaveValue('Poplin Shirt');
    expect(screen.getByRole('radio', { name: 'Shirts' })).toBeChecked();
    expect(screen.getByAltText('Front.png')).toHaveAttribute('src', 'blob:preview');
    expect(await screen.findByRole('button', { name: 'Edit Front.png' })).toBeVisible();
  });

  it('is empty for another account', async () => {
    answerUploads({ id: 'p1', status: 201 });
    session.signIn(owner);
    const first = show();
    await fill(first.user);
    first.unmount();

    session.signIn({ ...owner, id: 'u2' });
    show();

    expect(screen.getByLabelText('Name')).toHaveValue('');
  });

  it('is empty once its product was created', async () => {
    session.signIn({ ...owner, id: 'u3' });
    answerUploads({ id: 'p1', status: 201 });
    shop.answer(CreateProductDocument, done);
    const first = show();
    await fill(first.user);
    first.unmount();
    const second = show();
    await submit(second.user);
    await waitFor(() => expect(created).toHaveBeenCalledOnce());
    second.unmount();

    show();

    expect(screen.getByLabelText('Name')).toHaveValue('');
  });
});

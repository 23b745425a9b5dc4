import { fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { graphql } from 'msw/graphql';
import { describe, expect, it } from 'vitest';
import { reauthentication } from '~/session/reauthentication';
import { renderShop, shopServer } from '~/test/shop';
import { CodeForm } from './code-form';
import {
  CreateDiscountCodeDocument,
  type DiscountCodeRowFragment,
  UpdateDiscountCodeDocument,
} from './pricing.generated';
import { conditions, worth } from './words';

const shop = shopServer();
const link = graphql.link('http://shop.test/graphql');

const saved = {
  __typename: 'DiscountCode',
  id: 'd1',
  code: 'WELCOME10',
  action: { __typename: 'PercentOff', percent: 10 },
  conditions: [],
  startsAt: null,
  endsAt: null,
  maxUses: null,
  maxUsesPerCustomer: null,
  isActive: true,
  state: 'RUNNING',
  uses: 0,
  held: 0,
  discounts: '0.00',
  sales: '0.00',
} as const;

async function fill() {
  const rows: DiscountCodeRowFragment[] = [];
  const { user } = renderShop(<CodeForm code={null} onSaved={(code) => rows.push(code)} onCancel={() => undefined} />);
  await user.type(screen.getByLabelText('Code'), 'WELCOME10');
  await user.type(screen.getByLabelText('Percent off'), '10');
  return { user, rows, save: screen.getByRole('button', { name: 'Save' }) };
}

describe('the form of a discount code', () => {
  it('goes on by itself once its admin has signed in again', async () => {
    const requests: unknown[] = [];
    shop.use(
      link.mutation('CreateDiscountCode', ({ variables }) => {
        requests.push(variables);
        const extensions = { code: 'REAUTHENTICATION_REQUIRED' };
        if (requests.length === 1) return HttpResponse.json({ errors: [{ message: 'Sign in again.', extensions }] });
        return HttpResponse.json({ data: { createDiscountCode: saved } });
      }),
    );
    const { user, rows, save } = await fill();

    await user.click(save);
    await waitFor(() => expect(reauthentication.isAsked()).toBe(true));
    expect(screen.getByRole('button', { name: 'Saving ...' })).toHaveAttribute('aria-busy', 'true');
    expect(screen.getByLabelText('Code')).toHaveValue('WELCOME10');
    reauthentication.end(true);

    await waitFor(() => expect(rows).toMatchObject([{ code: 'WELCOME10' }]));
    expect(requests).toMatchObject([
      { code: 'WELCOME10', input: { action: { percentOff: { percent: 10 } }, conditions: {}, isActive: true } },
      { code: 'WELCOME10', input: { action: { percentOff: { percent: 10 } }, conditions: {}, isActive: true } },
    ]);
  });

  it('keeps what was typed when its admin would rather not', async () => {
    shop.fail(CreateDiscountCodeDocument, 'REAUTHENTICATION_REQUIRED');
    const { user, rows, save } = await fill();

    await user.click(save);
    await waitFor(() => expect(reauthentication.isAsked()).toBe(true));
    reauthentication.end(false);

    expect(await screen.findByText('Refused.')).toBeVisible();
    expect(screen.getByLabelText('Code')).toHaveValue('WELCOME10');
    expect(screen.getByLabelText('Percent off')).toHaveValue('10');
    expect(rows).toEqual([]);
  });

  it('says what the server finds wrong at its field, and goes there', async () => {
    const errors = [{ __typename: 'FieldError', field: 'percent', message: '1 to 100' }];
    shop.answer(CreateDiscountCodeDocument, { createDiscountCode: { __typename: 'InvalidInput', errors } });
    const { user, save } = await fill();

    await user.click(save);

    await waitFor(() => expect(screen.getByLabelText('Percent off')).toHaveAccessibleDescription('1 to 100'));
    await waitFor(() => expect(screen.getByLabelText('Percent off')).toHaveFocus());
    expect(screen.getByLabelText('Percent off')).toHaveValue('10');
  });

  it('is sent once, however often it is pressed', async () => {
    let release: ((answered: boolean) => void) | undefined;
    const released = new Promise<boolean>((resolve) => {
      release = resolve;
    });
    const requests: unknown[] = [];
    shop.use(
      link.mutation('CreateDiscountCode', async ({ variables }) => {
        requests.push(variables);
        await released;
        return HttpResponse.json({ data: { createDiscountCode: saved } });
      }),
    );
    const { user, rows, save } = await fill();

    // Twice before anything can be drawn anew, and once more while it is sent.
    fireEvent.submit(screen.getByLabelText('Code'));
    fireEvent.submit(screen.getByLabelText('Code'));
    await waitFor(() => expect(requests).toHaveLength(1));
    await user.click(save);
    release?.(true);

    await waitFor(() => expect(rows).toHaveLength(1));
    expect(requests).toHaveLength(1);
  });

  it('sends the action that is chosen and the conditions that are filled in', async () => {
    const requests = shop.answer(CreateDiscountCodeDocument, { createDiscountCode: saved });
    const { user, rows, save } = await fill();

    await user.click(screen.getByLabelText('Amount'));
    await user.type(screen.getByLabelText('Dollars off'), '7.5');
    await user.type(screen.getByLabelText('From a subtotal of'), '50');
    await user.click(save);

    await waitFor(() => expect(rows).toHaveLength(1));
    expect(requests).toMatchObject([
      { input: { action: { amountOff: { amount: '7.50' } }, conditions: { minSubtotal: { minSubtotal: '50.00' } } } },
    ]);
  });

  it('shows the rules of a code that is changed, and sends them as they were', async () => {
    const code: DiscountCodeRowFragment = {
      ...saved,
      state: 'RUNNING',
      action: { __typename: 'AmountOff', amount: '5.00' },
      conditions: [{ __typename: 'MinSubtotal', minSubtotal: '120.00' }],
    };
    const requests = shop.answer(UpdateDiscountCodeDocument, { updateDiscountCode: saved });
    const { user } = renderShop(<CodeForm code={code} onSaved={() => undefined} onCancel={() => undefined} />);

    expect(screen.getByLabelText('Amount')).toBeChecked();
    expect(screen.getByLabelText('Dollars off')).toHaveValue('5.00');
    expect(screen.getByLabelText('From a subtotal of')).toHaveValue('120.00');
    await user.click(screen.getByRole('button', { name: 'Save' }));

    await waitFor(() => expect(requests).toHaveLength(1));
    expect(requests).toMatchObject([
      { input: { action: { amountOff: { amount: '5.00' } }, conditions: { minSubtotal: { minSubtotal: '120.00' } } } },
    ]);
    expect([worth(code), conditions(code, 'UTC')]).toEqual(['$5.00 off', 'From $120.00.']);
  });

  it('sends nothing that cannot be read', async () => {
    const { user, save } = await fill();

    await user.type(screen.getByLabelText('From a subtotal of'), '$');
    await user.click(save);

    await waitFor(() =>
      expect(screen.getByLabelText('From a subtotal of')).toHaveAccessibleDescription('An amount such as 50.00'),
    );
  });
});

import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { settings } from './fixtures';
import { UpdateSettingsDocument } from './pricing.generated';
import { SettingsForm } from './settings-form';

const shop = shopServer();
/** Like a browser, and unlike jsdom: what a closed part hides takes no focus. */
function refuseHiddenFocus() {
  const { focus } = HTMLElement.prototype;
  vi.spyOn(HTMLElement.prototype, 'focus').mockImplementation(function takeFocus(this: HTMLElement, options) {
    if (!this.closest('details:not([open]) > :not(summary)')) focus.call(this, options);
  });
}

const partOf = (label: string) => screen.getByLabelText(label).closest('details');

test('settings are folded under their titles, which say what is in them', () => {
  renderShop(<SettingsForm settings={settings} allowed />);

  expect(document.querySelectorAll('details[open]')).toHaveLength(0);
  expect(screen.getByText('Minutes to cancel, Days to return')).toBeVisible();
  expect(screen.getByLabelText('Days to return')).not.toBeVisible();
});

test('a part in which something is refused opens, with the focus in that field', async () => {
  shop.answer(UpdateSettingsDocument, {
    updateSettings: {
      __typename: 'InvalidInput',
      errors: [{ __typename: 'FieldError', field: 'returnDays', message: 'At most 365 days' }],
    },
  });
  const { user } = renderShop(<SettingsForm settings={settings} allowed />);
  await user.click(screen.getByText('Orders and returns'));
  await user.clear(screen.getByLabelText('Days to return'));
  await user.type(screen.getByLabelText('Days to return'), '900');
  await user.click(screen.getByText('Orders and returns'));
  expect(partOf('Days to return')).not.toHaveAttribute('open');
  refuseHiddenFocus();

  await user.click(screen.getByRole('button', { name: 'Save' }));

  await waitFor(() => expect(partOf('Days to return')).toHaveAttribute('open'));
  expect(screen.getByText('At most 365 days')).toBeVisible();
  expect(screen.getByLabelText('Days to return')).toHaveFocus();
  expect(partOf('Seller')).not.toHaveAttribute('open');
});

import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { topics } from '~/features/help/topics';
import { renderShop, shopServer } from '~/test/shop';
import { Footer } from './footer';
import { AppRoutes } from './router';
import { CloseUpsDocument } from '~/routes/close-ups.generated';
import { AuthPageDocument } from '~/routes/auth-page.generated';
import { ContactDocument } from '~/routes/contact.generated';

const shop = shopServer();

beforeEach(() => {
  shop.answer(ContactDocument, { shop: { __typename: 'Shop', email: 'hello@shop.test' } });
  shop.answer(CloseUpsDocument, { products: { __typename: 'ProductConnection', nodes: [] } });
  shop.answer(AuthPageDocument, {
    shop: { __typename: 'Shop', googleClientId: 'client' },
    products: { __typename: 'ProductConnection', nodes: [] },
  });
});

const footerLinks = () => {
  const { unmount } = renderShop(<Footer />);
  const links = screen.getAllByRole('link').map((link) => ({
    words: link.textContent ?? '',
    address: link.getAttribute('href') ?? '',
  }));
  unmount();
  return links;
};

// spec: screens.footer.links, screens.footer.year
test('the footer has the nine service links, the year, and the small print after them', () => {
  const links = footerLinks();

  expect(links.map(({ words }) => words)).toEqual([
    'Payment',
    'Shipping & Deliveries',
    'Exchange & Returns',
    'FAQ',
    'How to Buy',
    'Retail Stores',
    'Signin/Signup',
    'About Us',
    'Contact Us',
    'Privacy',
    'Terms',
  ]);
  renderShop(<Footer />);
  expect(screen.getByText(`© ${new Date().getFullYear()} Minimal`)).toBeInTheDocument();
});

// spec: screens.footer.links
test.each(footerLinks())('$words leads to a page of its own', async ({ words, address }) => {
  renderShop(<AppRoutes />, address);

  const main = within(screen.getByRole('main'));
  const headings = await main.findAllByRole('heading', { level: 1 }, { timeout: 5000 });
  expect(headings).toHaveLength(1);
  expect(headings[0]).toHaveTextContent(words === 'Signin/Signup' ? 'Sign In' : words);
});

test.each(Object.values(topics))('$to names the window and lists its sections', async ({ to, title }) => {
  renderShop(<AppRoutes />, to);

  const contents = await screen.findByRole('navigation', { name: 'On this page' }, { timeout: 5000 });
  await waitFor(() => expect(document.title).toBe(`${title} - Minimal`));
  for (const anchor of within(contents).getAllByRole('link')) {
    const section = document.getElementById(anchor.getAttribute('href')?.slice(1) ?? '');
    expect(section).toHaveAccessibleName(anchor.textContent ?? '');
  }
});

test('the contact page has the address that the server names', async () => {
  renderShop(<AppRoutes />, topics.contact.to);

  expect(await screen.findByRole('link', { name: 'hello@shop.test' }, { timeout: 5000 })).toHaveAttribute(
    'href',
    'mailto:hello@shop.test',
  );
});

test('an address that points at a question opens it', async () => {
  renderShop(<AppRoutes />, `${topics.faq.to}#signed-out`);

  const answer = await screen.findByText(/A sign-in lasts 24 hours/, {}, { timeout: 5000 });
  await waitFor(() => expect(answer).toBeVisible());
  expect(screen.getByText(/Yes. It is the number of pieces/)).not.toBeVisible();
});

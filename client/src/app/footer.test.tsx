import { act, render, screen, waitFor, within } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { topics } from '~/features/help/topics';
import { renderShop, shopServer } from '~/test/shop';
import { browserTimeZone, calendarDayIn } from '~/ui/format';
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
  const thisYear = calendarDayIn(browserTimeZone(), new Date().toISOString()).slice(0, 4);

  renderShop(<Footer />);

  expect(screen.getByText(`© ${thisYear} Minimal`)).toBeInTheDocument();
});

afterEach(() => vi.useRealTimers());

const setYear = (year: number) => vi.setSystemTime(new Date(year, 5, 1));

// spec: screens.footer.year
test('the year turns in a window that stays open', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setYear(2031);
  renderShop(<Footer />);
  expect(screen.getByText('© 2031 Minimal')).toBeInTheDocument();

  setYear(2032);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));

  expect(screen.getByText('© 2032 Minimal')).toBeInTheDocument();
});

// spec: screens.footer.year
test('a page that a cache has kept since last year shows this one, and hydrates without a mismatch', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const footer = (
    <MemoryRouter>
      <Footer />
    </MemoryRouter>
  );
  const mismatches: unknown[] = [];
  setYear(2031);
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = renderToString(footer);
  expect(container).toHaveTextContent('© 2031 Minimal');

  setYear(2032);
  render(footer, { container, hydrate: true, onRecoverableError: (error) => mismatches.push(error) });

  expect(container).toHaveTextContent('© 2032 Minimal');
  expect(mismatches).toEqual([]);
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

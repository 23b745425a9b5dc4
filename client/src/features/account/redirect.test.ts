import { describe, expect, it } from 'vitest';
import { chosenProduct, chosenVariant, redirectTarget } from './redirect';

const origin = 'http://shop.test:8000';
const parameters = (redirect: string, action = 'addToCart') => new URLSearchParams({ redirect, action });

describe('where a visitor goes after signing in', () => {
  // spec: screens.paths.redirect
  it.each([
    ['/product/p1', '/product/p1'],
    ['/product/p1?size=M#details', '/product/p1?size=M#details'],
    ['http://shop.test:8000/product/p1', '/product/p1'],
    ['product/p1', '/product/p1'],
  ])('%s is an address of the shop and leads to %s', (redirect, target) => {
    expect(redirectTarget(parameters(redirect), origin)).toBe(target);
  });

  // spec: screens.paths.redirect
  it.each([
    ['another host', 'https://evil.test/'],
    ['a host without a scheme', '//evil.test/'],
    ['a host behind backslashes', '/\\evil.test/'],
    ['a host behind a tab', '/\t/evil.test/'],
    ['a host behind a line break', '/\n/evil.test/'],
    ['another port', 'http://shop.test:9000/'],
    ['another scheme', 'https://shop.test:8000/'],
    ['a script', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['the shop as a user name', 'http://shop.test:8000@evil.test/'],
    ['no address at all', 'http://['],
    ['nothing', ''],
  ])('%s leads home', (_, redirect) => {
    expect(redirectTarget(parameters(redirect), origin)).toBe('/');
  });

  // spec: screens.paths.redirect
  it('home, when nothing was to be added to the cart', () => {
    expect(redirectTarget(new URLSearchParams({ redirect: '/product/p1' }), origin)).toBe('/');
    expect(redirectTarget(parameters('/product/p1', 'somethingElse'), origin)).toBe('/');
  });

  it.each(['/account', '/account/orders/o1', '/account?tab=orders', '/cart', '/checkout', '/admin/orders', '/admin'])(
    '%s is a page that needs a sign-in and is come back to without an action',
    (redirect) => {
      expect(redirectTarget(new URLSearchParams({ redirect }), origin)).toBe(redirect);
      expect(redirectTarget(new URLSearchParams({ redirect: `https://evil.test${redirect}` }), origin)).toBe('/');
      expect(redirectTarget(new URLSearchParams({ redirect: `/\\evil.test${redirect}` }), origin)).toBe('/');
    },
  );

  it.each(['/accounts', '/signin', '/help/faq', '/', '/product/p1'])('%s is no such page', (redirect) => {
    expect(redirectTarget(new URLSearchParams({ redirect }), origin)).toBe('/');
  });

  it('home, when only the action is there', () => {
    expect(redirectTarget(new URLSearchParams({ action: 'addToCart' }), origin)).toBe('/');
  });
});

describe('what a visitor had chosen', () => {
  it('is the variant and the quantity beside the redirect', () => {
    const query = new URLSearchParams('redirect=/product/p1&action=addToCart&variant=v7&quantity=3');

    expect(chosenVariant(query)).toEqual({ variantId: 'v7', quantity: 3 });
  });

  it.each(['0', '-1', '1.5', 'many', ''])('is one piece when the quantity is %j', (quantity) => {
    const query = new URLSearchParams({ action: 'addToCart', variant: 'v7', quantity });

    expect(chosenVariant(query)).toEqual({ variantId: 'v7', quantity: 1 });
  });

  it('is nothing without a variant or without the action', () => {
    expect(chosenVariant(new URLSearchParams('action=addToCart&redirect=/product/p1'))).toBeNull();
    expect(chosenVariant(new URLSearchParams('variant=v7'))).toBeNull();
  });
});

describe('the product that a visitor had chosen', () => {
  it('is the one that sign-in leads back to', () => {
    expect(chosenProduct(parameters('/product/p1'))).toBe('p1');
    expect(chosenProduct(parameters('/product/p1', 'somethingElse'))).toBeUndefined();
    expect(chosenProduct(new URLSearchParams({ action: 'addToCart' }))).toBeUndefined();
  });

  it.each([
    '//evil.test/product/p1',
    'https://evil.test/product/p1',
    '/product/p1/more',
    '/product/\\evil',
    '/product/\t',
  ])('is none in %j', (redirect) => {
    expect(chosenProduct(parameters(redirect))).toBeUndefined();
  });
});

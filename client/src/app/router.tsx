import { isValidElement, type ReactElement } from 'react';
import { matchRoutes, type RouteObject, useRoutes } from 'react-router';
import type { WrittenTopic } from '~/features/help/texts';
import { type Topic, topics } from '~/features/help/topics';
import type { shop } from '~routes';
import { Layout } from './layout';
import { isScreen, screen } from './screen';

const Home = screen('routes/home', () => import('~/routes/home'));
const Category = screen('routes/category', () => import('~/routes/category'));
const Product = screen('routes/product', () => import('~/routes/product'));
const MenuPage = screen('app/menu-page', () => import('./menu-page'));
const Search = screen('routes/search', () => import('~/routes/search'));
const SignIn = screen('routes/signin', () => import('~/routes/signin'));
const SignUp = screen('routes/signup', () => import('~/routes/signup'));
const ForgotPassword = screen('routes/forgot-password', () => import('~/routes/forgot-password'));
const ResetPassword = screen('routes/reset-password', () => import('~/routes/reset-password'));
const VerifyEmail = screen('routes/verify-email', () => import('~/routes/verify-email'));
const Account = screen('routes/account', () => import('~/routes/account'));
const Order = screen('routes/order', () => import('~/routes/order'));
const Cart = screen('routes/cart', () => import('~/routes/cart'));
const Checkout = screen('routes/checkout', () => import('~/routes/checkout'));
const Payment = screen('routes/payment', () => import('~/routes/payment'));
const PaymentReturn = screen('routes/payment-return', () => import('~/routes/payment-return'));
const AddAddress = screen('routes/add-address', () => import('~/routes/add-address'));
const EditAddress = screen('routes/edit-address', () => import('~/routes/edit-address'));
const Help = screen('routes/help', () => import('~/routes/help'));
const Contact = screen('routes/contact', () => import('~/routes/contact'));
const ContentPage = screen('routes/content-page', () => import('~/routes/content-page'));
const Wishlist = screen('routes/wishlist', () => import('~/routes/wishlist'));
const Offline = screen('routes/offline', () => import('~/routes/offline'));
const NotFound = screen('routes/not-found', () => import('~/routes/not-found'));

/** Each answer of the shop at its address. */
const help = Object.fromEntries(
  Object.entries(topics).map(([topic, { to }]) => [to, <Help key={to} topic={topic as WrittenTopic} />]),
) as Record<(typeof topics)[Topic]['to'], ReactElement>;

const screens: Record<keyof typeof shop, ReactElement> = {
  '/': <Home />,
  '/category/:category': <Category />,
  '/category/:category/:subcategory': <Category />,
  '/product/:productId': <Product />,
  '/menu': <MenuPage />,
  '/search': <Search />,
  '/signin': <SignIn />,
  '/signup': <SignUp />,
  '/forgot-password': <ForgotPassword />,
  '/reset-password': <ResetPassword />,
  '/verify-email': <VerifyEmail />,
  '/account': <Account />,
  '/account/orders/:orderId': <Order />,
  '/wishlist': <Wishlist />,
  '/cart': <Cart />,
  '/checkout': <Checkout />,
  '/payment': <Payment />,
  '/payment/return': <PaymentReturn />,
  '/add-address': <AddAddress />,
  '/edit-address/:addressId': <EditAddress />,
  ...help,
  '/contact': <Contact />,
  '/pages/:slug': <ContentPage />,
  '/offline': <Offline />,
};

const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      ...Object.entries(screens).map(([path, element]) => ({ path, element })),
      { path: '*', element: <NotFound /> },
    ],
  },
];

/** Every address of the shop (client/routes.json). Each screen is a chunk of its own. */
export function AppRoutes() {
  return useRoutes(routes);
}

/** The screen that an address shows. */
export function screenAt(pathname: string) {
  const element: unknown = matchRoutes(routes, pathname)?.at(-1)?.route.element;
  return isValidElement(element) && isScreen(element.type) ? element.type : undefined;
}

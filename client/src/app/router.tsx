import { isValidElement } from 'react';
import { createRoutesFromElements, matchRoutes, Route, Routes } from 'react-router';
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
const Cart = screen('routes/cart', () => import('~/routes/cart'));
const Checkout = screen('routes/checkout', () => import('~/routes/checkout'));
const Payment = screen('routes/payment', () => import('~/routes/payment'));
const PaymentReturn = screen('routes/payment-return', () => import('~/routes/payment-return'));
const AddAddress = screen('routes/add-address', () => import('~/routes/add-address'));
const EditAddress = screen('routes/edit-address', () => import('~/routes/edit-address'));
const Help = screen('routes/help', () => import('~/routes/help'));
const Contact = screen('routes/contact', () => import('~/routes/contact'));
const Wishlist = screen('routes/wishlist', () => import('~/routes/wishlist'));
const Admin = screen('routes/admin', () => import('~/routes/admin'));
const Offline = screen('routes/offline', () => import('~/routes/offline'));
const NotFound = screen('routes/not-found', () => import('~/routes/not-found'));

const addresses = (
  <Route element={<Layout />}>
    <Route index element={<Home />} />
    <Route path="category/:category" element={<Category />} />
    <Route path="category/:category/:subcategory" element={<Category />} />
    <Route path="product/:productId" element={<Product />} />
    <Route path="menu" element={<MenuPage />} />
    <Route path="search" element={<Search />} />
    <Route path="signin" element={<SignIn />} />
    <Route path="signup" element={<SignUp />} />
    <Route path="forgot-password" element={<ForgotPassword />} />
    <Route path="reset-password" element={<ResetPassword />} />
    <Route path="verify-email" element={<VerifyEmail />} />
    <Route path="account" element={<Account />} />
    <Route path="wishlist" element={<Wishlist />} />
    <Route path="cart" element={<Cart />} />
    <Route path="checkout" element={<Checkout />} />
    <Route path="payment" element={<Payment />} />
    <Route path="payment/return" element={<PaymentReturn />} />
    <Route path="add-address" element={<AddAddress />} />
    <Route path="edit-address/:addressId" element={<EditAddress />} />
    <Route path="help/payment" element={<Help topic="payment" />} />
    <Route path="help/shipping" element={<Help topic="shipping" />} />
    <Route path="help/returns" element={<Help topic="returns" />} />
    <Route path="help/faq" element={<Help topic="faq" />} />
    <Route path="help/how-to-buy" element={<Help topic="howToBuy" />} />
    <Route path="stores" element={<Help topic="stores" />} />
    <Route path="about" element={<Help topic="about" />} />
    <Route path="contact" element={<Contact />} />
    <Route path="privacy" element={<Help topic="privacy" />} />
    <Route path="terms" element={<Help topic="terms" />} />
    <Route path="admin" element={<Admin />} />
    <Route path="admin/orders" element={<Admin room="orders" />} />
    <Route path="admin/orders/:orderId" element={<Admin room="order" />} />
    <Route path="admin/orders/:orderId/slip" element={<Admin room="slip" />} />
    <Route path="admin/products/:productId" element={<Admin room="product" />} />
    <Route path="admin/import" element={<Admin room="import" />} />
    <Route path="admin/stock" element={<Admin room="stock" />} />
    <Route path="admin/customers/:userId" element={<Admin room="customer" />} />
    <Route path="admin/codes" element={<Admin room="codes" />} />
    <Route path="admin/delivery" element={<Admin room="delivery" />} />
    <Route path="admin/log" element={<Admin room="log" />} />
    <Route path="admin/jobs" element={<Admin room="jobs" />} />
    <Route path="admin/settings" element={<Admin room="settings" />} />
    <Route path="offline" element={<Offline />} />
    <Route path="*" element={<NotFound />} />
  </Route>
);

/** Every address of the shop. Each screen is a chunk of its own. */
export function AppRoutes() {
  return <Routes>{addresses}</Routes>;
}

/** The screen that an address shows. */
export function screenAt(pathname: string) {
  const element: unknown = matchRoutes(createRoutesFromElements(addresses), pathname)?.at(-1)?.route.element;
  return isValidElement(element) && isScreen(element.type) ? element.type : undefined;
}

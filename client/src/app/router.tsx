import { lazy } from 'react';
import { Route, Routes } from 'react-router';
import { Layout } from './layout';

const Home = lazy(() => import('~/routes/home'));
const Category = lazy(() => import('~/routes/category'));
const Product = lazy(() => import('~/routes/product'));
const Search = lazy(() => import('~/routes/search'));
const SignIn = lazy(() => import('~/routes/signin'));
const SignUp = lazy(() => import('~/routes/signup'));
const ForgotPassword = lazy(() => import('~/routes/forgot-password'));
const ResetPassword = lazy(() => import('~/routes/reset-password'));
const VerifyEmail = lazy(() => import('~/routes/verify-email'));
const Account = lazy(() => import('~/routes/account'));
const Cart = lazy(() => import('~/routes/cart'));
const Checkout = lazy(() => import('~/routes/checkout'));
const Payment = lazy(() => import('~/routes/payment'));
const PaymentReturn = lazy(() => import('~/routes/payment-return'));
const AddAddress = lazy(() => import('~/routes/add-address'));
const EditAddress = lazy(() => import('~/routes/edit-address'));
const Help = lazy(() => import('~/routes/help'));
const Contact = lazy(() => import('~/routes/contact'));
const Admin = lazy(() => import('~/routes/admin'));
const NotFound = lazy(() => import('~/routes/not-found'));

/** Every address of the shop. Each screen is a chunk of its own. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Layout />}>
        <Route index element={<Home />} />
        <Route path="category/:category" element={<Category />} />
        <Route path="category/:category/:subcategory" element={<Category />} />
        <Route path="product/:productId" element={<Product />} />
        <Route path="search" element={<Search />} />
        <Route path="signin" element={<SignIn />} />
        <Route path="signup" element={<SignUp />} />
        <Route path="forgot-password" element={<ForgotPassword />} />
        <Route path="reset-password" element={<ResetPassword />} />
        <Route path="verify-email" element={<VerifyEmail />} />
        <Route path="account" element={<Account />} />
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
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

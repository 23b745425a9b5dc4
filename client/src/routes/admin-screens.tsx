import type { ComponentType } from 'react';
import { texts } from '~/features/admin/texts';
import { retryable } from '~/ui/lazy-part';
import type { AdminViewer } from './admin-viewer';

/** What every screen is given: who looks at it. */
type Screen = ComponentType<{ viewer: AdminViewer }>;

const screen = (load: () => Promise<{ default: Screen }>) => retryable(load);

/** The tree stays while one of its rows is opened after the other. */
const categories = screen(() => import('./admin-categories'));

/** The four tabs at /admin. */
export const tabs = [
  { id: 'users', label: texts.userControl, Screen: screen(() => import('./admin-users')) },
  { id: 'products', label: texts.productControl, Screen: screen(() => import('./admin-products')) },
  { id: 'analytics', label: texts.analytics, Screen: screen(() => import('./admin-analytics')) },
  { id: 'create', label: texts.createProduct, Screen: screen(() => import('./admin-create-product')) },
] as const;

export type TabId = (typeof tabs)[number]['id'];

/** Screens with an address of their own, below the tab or the link that leads to them. */
export const screens = {
  orders: { under: 'orders', Screen: screen(() => import('./admin-orders')) },
  order: { under: 'orders', Screen: screen(() => import('./admin-order')) },
  product: { under: 'products', Screen: screen(() => import('./admin-product')) },
  import: { under: 'products', Screen: screen(() => import('./admin-import')) },
  stock: { under: 'stock', Screen: screen(() => import('./admin-stock')) },
  customer: { under: 'users', Screen: screen(() => import('./admin-customer')) },
  codes: { under: 'codes', Screen: screen(() => import('./admin-codes')) },
  delivery: { under: 'delivery', Screen: screen(() => import('./admin-delivery')) },
  sizes: { under: 'sizes', Screen: screen(() => import('./admin-sizes')) },
  categories: { under: 'products', Screen: categories },
  category: { under: 'products', Screen: categories },
  log: { under: 'log', Screen: screen(() => import('./admin-log')) },
  jobs: { under: 'jobs', Screen: screen(() => import('./admin-jobs')) },
  operations: { under: 'operations', Screen: screen(() => import('./admin-operations')) },
  content: { under: 'content', Screen: screen(() => import('./admin-content')) },
  page: { under: 'content', Screen: screen(() => import('./admin-page')) },
  settings: { under: 'settings', Screen: screen(() => import('./admin-settings')) },
} as const;

export type ScreenId = keyof typeof screens;

/** The links after the tabs; some are for the primary admin alone. */
export const links: readonly { id: string; label: string; to: string; ownerOnly?: true }[] = [
  { id: 'orders', label: 'Orders', to: '/admin/orders' },
  { id: 'stock', label: 'Stock', to: '/admin/stock' },
  { id: 'codes', label: 'Discount codes', to: '/admin/codes' },
  { id: 'delivery', label: 'Delivery and tax', to: '/admin/delivery' },
  { id: 'sizes', label: 'Sizes', to: '/admin/sizes' },
  { id: 'log', label: 'Audit log', to: '/admin/log' },
  { id: 'jobs', label: 'Failed jobs', to: '/admin/jobs' },
  { id: 'content', label: 'Content', to: '/admin/content', ownerOnly: true },
  { id: 'operations', label: 'Operations', to: '/admin/operations', ownerOnly: true },
  { id: 'settings', label: 'Settings', to: '/admin/settings' },
];

/** On a phone these stand at the lower edge; all others are one press further. */
export const busiest: readonly { id: string; label: string; to: string }[] = [
  { id: 'orders', label: 'Orders', to: '/admin/orders' },
  { id: 'stock', label: 'Stock', to: '/admin/stock' },
  { id: 'products', label: 'Products', to: '/admin?tab=products' },
  { id: 'users', label: 'Users', to: '/admin?tab=users' },
];

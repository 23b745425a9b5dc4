import type { ComponentType } from 'react';
import { texts } from '~/features/admin/texts';
import { retryable } from '~/ui/lazy-part';
import type { AdminViewer } from './admin-viewer';

/** What every room is given: who looks at it. */
type Room = ComponentType<{ viewer: AdminViewer }>;

const room = (load: () => Promise<{ default: Room }>) => retryable(load);

/** The four tabs at /admin. */
export const tabs = [
  { id: 'users', label: texts.userControl, Room: room(() => import('./admin-users')) },
  { id: 'products', label: texts.productControl, Room: room(() => import('./admin-products')) },
  { id: 'analytics', label: texts.analytics, Room: room(() => import('./admin-analytics')) },
  { id: 'create', label: texts.createProduct, Room: room(() => import('./admin-create-product')) },
] as const;

export type TabId = (typeof tabs)[number]['id'];

/** Rooms with an address of their own, below the tab or the link that leads to them. */
export const rooms = {
  orders: { under: 'orders', Room: room(() => import('./admin-orders')) },
  order: { under: 'orders', Room: room(() => import('./admin-order')) },
  slip: { under: 'orders', Room: room(() => import('./admin-slip')) },
  product: { under: 'products', Room: room(() => import('./admin-product')) },
  import: { under: 'products', Room: room(() => import('./admin-import')) },
  stock: { under: 'stock', Room: room(() => import('./admin-stock')) },
  customer: { under: 'users', Room: room(() => import('./admin-customer')) },
  codes: { under: 'codes', Room: room(() => import('./admin-codes')) },
  delivery: { under: 'delivery', Room: room(() => import('./admin-delivery')) },
  log: { under: 'log', Room: room(() => import('./admin-log')) },
  jobs: { under: 'jobs', Room: room(() => import('./admin-jobs')) },
  operations: { under: 'operations', Room: room(() => import('./admin-operations')) },
  settings: { under: 'settings', Room: room(() => import('./admin-settings')) },
} as const;

export type RoomId = keyof typeof rooms;

/** The links after the tabs; some are for the primary admin alone. */
export const links: readonly { id: string; label: string; to: string; ownerOnly?: true }[] = [
  { id: 'orders', label: 'Orders', to: '/admin/orders' },
  { id: 'stock', label: 'Stock', to: '/admin/stock' },
  { id: 'codes', label: 'Discount codes', to: '/admin/codes' },
  { id: 'delivery', label: 'Delivery and tax', to: '/admin/delivery' },
  { id: 'log', label: 'Audit log', to: '/admin/log' },
  { id: 'jobs', label: 'Failed jobs', to: '/admin/jobs' },
  { id: 'operations', label: 'Operations', to: '/admin/operations', ownerOnly: true },
  { id: 'settings', label: 'Settings', to: '/admin/settings' },
];

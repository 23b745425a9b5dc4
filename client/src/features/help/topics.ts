/** Where the shop answers what. The shell needs no more than this; the words come with the pages. */
export const topics = {
  payment: { to: '/help/payment', title: 'Payment' },
  shipping: { to: '/help/shipping', title: 'Shipping & Deliveries' },
  returns: { to: '/help/returns', title: 'Exchange & Returns' },
  faq: { to: '/help/faq', title: 'FAQ' },
  howToBuy: { to: '/help/how-to-buy', title: 'How to Buy' },
  stores: { to: '/stores', title: 'Retail Stores' },
  about: { to: '/about', title: 'About Us' },
  contact: { to: '/contact', title: 'Contact Us' },
  privacy: { to: '/privacy', title: 'Privacy' },
  terms: { to: '/terms', title: 'Terms' },
} as const;

export type Topic = keyof typeof topics;

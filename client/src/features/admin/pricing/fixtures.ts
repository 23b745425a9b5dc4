/** Settings of a shop that has decided none of them. */
export const settings = {
  __typename: 'ShopSettings' as const,
  id: 'settings',
  name: 'Minimal',
  accentColor: '',
  seller: 'Minimal',
  vatNumber: '',
  contactEmail: 'shop@minimal.test',
  cancelMinutes: 120,
  returnDays: 30,
  lowStockThreshold: 5,
  timeZone: 'UTC',
  pricesIncludeTax: false,
  decided: [],
  timeZones: ['UTC'],
  environment: [],
};

/** What the overview says. */
export const texts = {
  failed: 'Error fetching this chart',
  counting: 'Counting',
  table: 'Table',
  tableOf: (title: string) => `${title} as a table`,
  period: 'Period',
  comparison: 'Compared with',
  comparedWith: 'compared with',

  sales: 'Net sales by day',
  funnel: 'From view to paid',
  goOn: (percent: string) => `${percent}% go on`,
  categories: 'Net sales by category',
  twelveMonths: 'Last 12 months',
  hours: 'When orders come',
  ninetyDays: 'Last 90 days',
  customers: 'New and returning',
  soonSoldOut: 'Soon sold out',
  thirtyDays: 'At the pace of 30 days',
  nothingRunsOut: 'Nothing that sells runs out within 30 days.',
  noOrders: 'No order was paid in this period.',
} as const;

/** What Analytics says. */
export const texts = {
  failed: 'Error fetching analytics',
  views: 'Views of the figures',
  overview: 'Overview',
  reports: 'Reports',
  opening: 'Opening',
  counting: 'Counting',
  totals: 'Totals',
  topProducts: 'Top products',
} as const;

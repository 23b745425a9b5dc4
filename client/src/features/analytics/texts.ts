/** What Analytics says. */
export const texts = {
  failed: 'Error fetching analytics',
  views: 'Views of the figures',
  overview: 'Overview',
  reports: 'Reports',
  opening: 'Opening',
  counting: 'Counting',
  countedUntil: (time: string) => `Figures show what happened until ${time}. What happened since is being counted.`,
  totals: 'Totals',
  topProducts: 'Top products',
  allTime: 'All time',
} as const;

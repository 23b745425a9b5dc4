export const texts = {
  failed: 'Error fetching analytics',
} as const;

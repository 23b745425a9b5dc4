export const texts = {
  title: 'Audit log',
  failed: 'Error retrieving the audit log',
  nothing: 'Nothing has been written down yet.',
  nothingFound: 'Nothing matches.',
  empty: 'nothing',
  wholeLog: 'Show the whole log',
} as const;

export const texts = {
  title: 'Operations',
  waiting: 'Looking at the shop',
  failed: 'Error looking at the shop',
  ownerOnly: 'Only the primary admin sees how the shop runs.',
  about: 'How the shop runs, looked at every ten seconds while this page is open.',
  processes: 'Processes',
  noProcesses: 'No process has said anything yet. Each does within ten seconds of its start.',
  queues: 'Background work',
  failures: 'Last failures',
  noFailures: 'Nothing has failed.',
  allFailures: 'All failed jobs',
} as const;

/** Queues in words; others are shown by their names. */
export const queues: Partial<Record<string, string>> = {
  payments: 'Refunds',
  identity: 'Accounts',
  restock: 'Back in stock',
  mail: 'Mail',
  imports: 'Imports',
  content: 'Pages',
  reports: 'Reports',
};

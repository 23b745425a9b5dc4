export const texts = {
  title: 'Failed jobs',
  waiting: 'Fetching failed jobs',
  failed: 'Error retrieving failed jobs',
  none: 'Nothing has failed.',
  about:
    'Work in the background that was tried for the last time: mails that were refused, refunds, imports. It rests here.',
  primaryOnly: 'Only the primary admin starts jobs again or drops them.',
  retry: 'Start again',
  retrying: 'Starting ...',
  retried: 'Job started again',
  retryFailed: 'Error starting the job again',
  drop: 'Drop',
  dropping: 'Dropping ...',
  dropped: 'Job dropped',
  dropFailed: 'Error dropping the job',
  dropTitle: 'Drop this job?',
  dropText: 'What it was to do is never done.',
} as const;

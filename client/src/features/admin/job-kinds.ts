/** Kinds of jobs in words; others are shown by their names. */
export const kinds: Partial<Record<string, string>> = {
  mail: 'Mail',
  refund: 'Refund',
  cancellation: 'Refund of a canceled order',
  'password-reset': 'Password reset',
  import_check: 'Check of an import',
  import_run: 'Import',
  restocked: 'Back in stock',
  'unsubscribe-link': 'Link that stops mails',
  'rebuild-analytics': 'Rebuild of reports',
  'publish-document': 'Publishing of a page',
};

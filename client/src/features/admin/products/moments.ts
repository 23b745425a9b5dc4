const words = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** "Nov 20, 2026, 16:02", in this computer's time zone. */
export const inWords = (moment: string) => words.format(new Date(moment));

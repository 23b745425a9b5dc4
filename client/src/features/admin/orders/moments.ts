const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

export const atMoment = (value: string) => moment.format(new Date(value));
export const onDay = (value: string) => day.format(new Date(value));

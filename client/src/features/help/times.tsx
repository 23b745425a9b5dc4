import { useShopTimesQuery } from './times.generated';

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`;

/** Minutes in the largest unit that leaves no rest: "2 hours", "90 minutes". */
export function spanWords(minutes: number): string {
  return minutes > 0 && minutes % 60 === 0 ? count(minutes / 60, 'hour') : count(minutes, 'minute');
}

/** How long an order can be canceled after paying, as the shop has it today. */
export function CancelTime() {
  const { data } = useShopTimesQuery();
  return data ? spanWords(data.shop.cancelMinutes) : '…';
}

/** How long a piece can be sent back after paying, as the shop has it today. */
export function ReturnTime() {
  const { data } = useShopTimesQuery();
  return data ? count(data.shop.returnDays, 'day') : '…';
}

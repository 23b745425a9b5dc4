import { texts } from './texts';

/** Says whose days a list is filtered by, and whose clock its times are of. */
export function ShopDays({ timeZone }: { timeZone: string }) {
  return <p className="small soft">{texts.daysIn(timeZone)}</p>;
}

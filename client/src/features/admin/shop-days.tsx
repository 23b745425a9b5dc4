import { useTimeZone } from '~/ui/time-zone';
import { texts } from './texts';

/** Says whose days a list is filtered by, and whose clock its times are of. */
export function ShopDays() {
  return <p className="small soft">{texts.daysIn(useTimeZone())}</p>;
}

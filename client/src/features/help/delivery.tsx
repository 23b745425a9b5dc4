import { formatPrice } from '~/ui/price';
import { daysInWords } from '~/ui/sums';
import { type DeliveryInShortFragment, type ShopDeliveryQuery, useShopDeliveryQuery } from './delivery.generated';
import styles from './delivery.module.css';

type ShortZone = DeliveryInShortFragment['deliveryZones'][number];
type Zone = ShopDeliveryQuery['shop']['deliveryZones'][number];

const weight = (grams: number) => (grams >= 1000 ? `${grams / 1000} kg` : `${grams} g`);

/** "$12.00, from 1 kg $18.00". */
function prices({ rates }: ShortZone): string {
  return rates
    .map(({ fromGrams, fromAmount, price }, place) => {
      if (place === 0) return formatPrice(price);
      return `from ${fromGrams === null ? formatPrice(fromAmount ?? '0') : weight(fromGrams)} ${formatPrice(price)}`;
    })
    .join(', ');
}

/** What the first zone costs, in a title and the words under it; null in a shop that delivers everywhere for nothing. */
export function deliveryInShort({
  deliveryZones: [home],
}: DeliveryInShortFragment): { title: string; words: string } | null {
  if (!home) return null;
  const [rate] = home.rates;
  const days = daysInWords(home.minDays, home.maxDays);
  const price = rate ? formatPrice(rate.price) : '';
  const title = home.freeFrom === null ? `Delivery from ${price}` : `Free delivery from ${formatPrice(home.freeFrom)}`;
  return {
    title,
    words: `${home.name}: ${[home.freeFrom !== null && `${price} below`, days].filter(Boolean).join(', ')}.`,
  };
}

function ZoneRow({ zone }: { zone: Zone }) {
  const days = daysInWords(zone.minDays, zone.maxDays);
  return (
    <div>
      <dt>
        {zone.name}
        {!zone.isRestOfWorld && zone.countries.length > 1 && (
          <span>{zone.countries.map(({ name }) => name).join(', ')}</span>
        )}
      </dt>
      <dd>
        {prices(zone)}
        {zone.freeFrom !== null && <span>Free from {formatPrice(zone.freeFrom)}</span>}
        {days && <span>{days}</span>}
      </dd>
    </div>
  );
}

/** Where parcels go, for how much and in how many days, as the shop has it today. */
export function DeliveryPrices() {
  const { data } = useShopDeliveryQuery();
  if (!data) return <p>…</p>;
  const { deliveryZones: zones } = data.shop;
  if (zones.length === 0) return <p>Everywhere, for nothing on top of the pieces.</p>;
  return (
    <>
      <dl className={styles.zones}>
        {zones.map((zone) => (
          <ZoneRow key={zone.id} zone={zone} />
        ))}
      </dl>
      {!zones.some(({ isRestOfWorld }) => isRestOfWorld) && <p>We do not deliver to other countries yet.</p>}
    </>
  );
}

/** Whether tax is in the prices, as the shop has it today. */
export function TaxWords() {
  const { data } = useShopDeliveryQuery();
  if (!data) return '…';
  return data.shop.pricesIncludeTax
    ? 'The tax of the country that the parcel goes to is in the prices; checkout says how much of the total it is.'
    : 'Where the country that the parcel goes to asks for a tax, checkout adds it and says how much it is.';
}

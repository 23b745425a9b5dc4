import { skipToken } from '@apollo/client/react';
import { type SubmitEvent, useState } from 'react';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import {
  type DeliveryZoneRowFragment,
  type ShippingAndTaxDetailsFragment,
  useRemoveDeliveryZoneMutation,
  useRemoveTaxRateMutation,
} from '~/features/admin/pricing/pricing.generated';
import styles from '~/features/admin/pricing/pricing.module.css';
import { TaxForm } from '~/features/admin/pricing/tax-form';
import { TaxTable } from '~/features/admin/pricing/tax-table';
import { texts } from '~/features/admin/pricing/texts';
import { ZoneForm } from '~/features/admin/pricing/zone-form';
import { ZoneTable } from '~/features/admin/pricing/zone-table';
import { serverWords, settled } from '~/graphql/settled';
import { parseAmount, parseWhole } from '~/ui/amount';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { Field, Select } from '~/ui/field';
import { Sums } from '~/ui/sums';
import { NoRows } from '~/ui/table';
import type { AdminViewer } from './admin-viewer';
import { useAdminShippingAndTaxQuery, usePreviewRatesQuery } from './admin-delivery.generated';

type Zone = DeliveryZoneRowFragment;
type Tax = ShippingAndTaxDetailsFragment['taxRates'][number];

/** Deletes a zone or a tax after a confirmation that says what that means. */
function RemoveDialog({ zone, tax, onClose }: { zone: Zone | null; tax: Tax | null; onClose: () => void }) {
  const [removeZone, { loading: removingZone }] = useRemoveDeliveryZoneMutation();
  const [removeTax, { loading: removingTax }] = useRemoveTaxRateMutation();
  const [refusal, setRefusal] = useState<string | null>(null);
  const country = tax?.country.name ?? '';

  async function confirm() {
    const { data, said } = zone
      ? await settled(removeZone({ variables: { id: zone.id } }))
      : await settled(removeTax({ variables: { country: tax?.country.code ?? '' } }));
    if (data) onClose();
    else setRefusal(said ?? texts.notSaved);
  }

  return (
    <ConfirmDialog
      open={zone !== null || tax !== null}
      title={zone ? texts.removeZoneTitle(zone.name) : texts.removeTaxTitle(country)}
      text={zone ? texts.removeZoneText(zone.name) : texts.removeTaxText(country)}
      confirm={texts.remove}
      refusal={refusal}
      working={(removingZone || removingTax) && 'Removing ...'}
      onConfirm={() => void confirm()}
      onClose={onClose}
    />
  );
}

/** A small calculator over the rates as it is saved. */
function Trial({ countries }: { countries: ShippingAndTaxDetailsFragment['countries'] }) {
  const [country, setCountry] = useState('US');
  const [goods, setGoods] = useState('100.00');
  const [grams, setGrams] = useState('800');
  const [asked, setAsked] = useState<{ country: string; goods: string; grams: number } | null>(null);
  const [isBroken, setBroken] = useState(false);
  const { data, loading } = usePreviewRatesQuery(asked ? { variables: asked, fetchPolicy: 'network-only' } : skipToken);
  const answer = data?.admin?.previewRates;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const [amount, weight] = [parseAmount(goods).value, parseWhole(grams).value];
    setBroken(amount === null || weight === null);
    if (amount !== null && weight !== null) setAsked({ country, goods: amount, grams: weight });
  }

  return (
    <section className={`${styles.room} ${styles.trial}`}>
      <h3>{texts.tryIt}</h3>
      <form className={styles.form} noValidate onSubmit={submit}>
        <Select label="Sent to" value={country} onChange={({ target }) => setCountry(target.value)}>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <div className={styles.pair}>
          <Field label="Goods for" start="$" inputMode="decimal" value={goods} onChange={({ target }) => setGoods(target.value)} />
          <Field label="Grams" inputMode="numeric" value={grams} onChange={({ target }) => setGrams(target.value)} />
        </div>
        {isBroken && <ErrorNote>An amount such as 100.00, and whole grams</ErrorNote>}
        <div className={styles.actions}>
          <Button small type="submit">
            Calculate
          </Button>
        </div>
      </form>
      <div role="status">
        {answer?.__typename === 'RatePreview' && asked && (
          <Sums of={{ ...answer, subtotal: asked.goods, discountCode: null, discount: '0.00' }} stale={loading} />
        )}
        {answer?.__typename === 'RatePreviewRefused' && <p>{answer.message}</p>}
      </div>
    </section>
  );
}

/** Where parcels go, for how much, and what is taxed. */
export default function DeliveryRoom({ viewer }: { viewer: AdminViewer }) {
  const { data, error } = useAdminShippingAndTaxQuery({ fetchPolicy: 'cache-and-network' });
  const [zone, setZone] = useState<Zone | 'new' | null>(null);
  const [tax, setTax] = useState<Tax | 'new' | null>(null);
  const [goneZone, setGoneZone] = useState<Zone | null>(null);
  const [goneTax, setGoneTax] = useState<Tax | null>(null);
  const rates = data?.admin?.shippingAndTax;
  const allowed = viewer.isPrimaryAdmin;

  return (
    <Panel
      title={texts.delivery}
      waiting={texts.deliveryWaiting}
      failed={error && !rates ? (serverWords(error) ?? texts.deliveryFailed) : false}
    >
      {rates && (
        <div>
          <PrivilegeNote id="delivery-privileges" allowed={allowed} />
          <section className={styles.room}>
            <div className={styles.head}>
              <h3>Delivery</h3>
              <Button small disabled={!allowed} onClick={() => setZone('new')}>
                {texts.newZone}
              </Button>
            </div>
            {rates.zones.length === 0 ? (
              <NoRows>{texts.everywhereFree}</NoRows>
            ) : (
              <ZoneTable zones={rates.zones} allowed={allowed} onEdit={setZone} onRemove={setGoneZone} />
            )}
          </section>
          <section className={styles.room}>
            <div className={styles.head}>
              <h3>Tax</h3>
              <Button small disabled={!allowed} onClick={() => setTax('new')}>
                {texts.newTax}
              </Button>
            </div>
            {rates.taxRates.length === 0 ? (
              <NoRows>{texts.noTax}</NoRows>
            ) : (
              <TaxTable taxes={rates.taxRates} allowed={allowed} onEdit={setTax} onRemove={setGoneTax} />
            )}
          </section>
          <Trial countries={rates.countries} />
          <Dialog
            open={zone !== null}
            title={zone === 'new' || zone === null ? texts.newZone : zone.name}
            onClose={() => setZone(null)}
          >
            {zone && (
              <ZoneForm
                zone={zone === 'new' ? null : zone}
                countries={rates.countries}
                onSaved={() => setZone(null)}
                onCancel={() => setZone(null)}
              />
            )}
          </Dialog>
          <Dialog open={tax !== null} title={texts.newTax} onClose={() => setTax(null)}>
            {tax && (
              <TaxForm
                tax={tax === 'new' ? null : tax}
                countries={rates.countries}
                onSaved={() => setTax(null)}
                onCancel={() => setTax(null)}
              />
            )}
          </Dialog>
          <RemoveDialog
            key={goneZone?.id ?? goneTax?.country.code}
            zone={goneZone}
            tax={goneTax}
            onClose={() => {
              setGoneZone(null);
              setGoneTax(null);
            }}
          />
        </div>
      )}
    </Panel>
  );
}

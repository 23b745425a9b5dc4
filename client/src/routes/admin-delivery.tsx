import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import * as v from 'valibot';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import {
  type DeliveryZoneRowFragment,
  type ShippingAndTaxDetailsFragment,
  useDeleteDeliveryZoneMutation,
  useDeleteTaxRateMutation,
} from '~/features/admin/pricing/pricing.generated';
import styles from '~/features/admin/pricing/pricing.module.css';
import { TaxForm } from '~/features/admin/pricing/tax-form';
import { TaxTable } from '~/features/admin/pricing/tax-table';
import { texts } from '~/features/admin/pricing/texts';
import { ZoneForm } from '~/features/admin/pricing/zone-form';
import { ZoneTable } from '~/features/admin/pricing/zone-table';
import { failure } from '~/graphql/list-page';
import { toResult } from '~/graphql/settled';
import { useSentForm } from '~/graphql/use-sent-form';
import { parseAmount, parseWhole } from '~/ui/amount';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { Field, Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Sums } from '~/ui/sums';
import { needed } from '~/ui/typed';
import type { AdminViewer } from './admin-viewer';
import { PreviewRatesDocument, type PreviewRatesQuery, useAdminShippingAndTaxQuery } from './admin-delivery.generated';

type Zone = DeliveryZoneRowFragment;
type Tax = ShippingAndTaxDetailsFragment['taxRates'][number];

/** Deletes a zone or a tax after a confirmation that says what that means. */
function RemoveDialog({ zone, tax, onClose }: { zone: Zone | null; tax: Tax | null; onClose: () => void }) {
  const [removeZone, { loading: removingZone }] = useDeleteDeliveryZoneMutation();
  const [removeTax, { loading: removingTax }] = useDeleteTaxRateMutation();
  const [refusal, setRefusal] = useState<string | null>(null);
  const country = tax?.country.name ?? '';

  async function confirm() {
    const { data, message } = zone
      ? await toResult(removeZone({ variables: { id: zone.id } }))
      : await toResult(removeTax({ variables: { country: tax?.country.code ?? '' } }));
    if (data) onClose();
    else setRefusal(message ?? texts.notSaved);
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

const trialRules = v.object({
  country: v.string(),
  goods: needed(parseAmount, texts.trialWrong),
  grams: needed(parseWhole, texts.trialWrong),
});

type Countries = ShippingAndTaxDetailsFragment['countries'];

type Rates = Extract<NonNullable<PreviewRatesQuery['admin']>['previewRates'], { __typename: 'RatePreview' }>;

/** A small calculator over the rates as it is saved. */
function Trial({ countries }: { countries: Countries }) {
  const client = useApolloClient();
  const [answer, setAnswer] = useState<(Rates & { subtotal: string }) | null>(null);
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: trialRules,
    defaultValues: { country: 'US', goods: '100.00', grams: '800' },
    send: async (variables) => {
      const { data } = await client.query({ query: PreviewRatesDocument, variables, fetchPolicy: 'network-only' });
      return { data: data?.admin && { previewRates: { ...data.admin.previewRates, subtotal: variables.goods } } };
    },
    done: 'RatePreview',
    onDone: setAnswer,
    otherwise: texts.notCalculated,
  });

  return (
    <section className={`${styles.section} ${styles.trial}`}>
      <h3>{texts.tryIt}</h3>
      <form className={styles.form} noValidate onSubmit={onSubmit}>
        <Select label="Sent to" {...field('country')}>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        <div className={styles.pair}>
          <Field label="Goods for" start="$" inputMode="decimal" {...field('goods')} />
          <Field label="Grams" inputMode="numeric" {...field('grams')} />
        </div>
        <FormEnd refusal={refusal} submit="Calculate" working={false} plain />
      </form>
      <div role="status">
        {answer && !refusal && <Sums of={{ ...answer, discountCode: null, discount: '0.00' }} stale={isSending} />}
      </div>
    </section>
  );
}

interface ZonesProps {
  zones: readonly Zone[];
  countries: Countries;
  allowed: boolean;
}

function Zones({ zones, countries, allowed }: ZonesProps) {
  const [open, setOpen] = useState<Zone | 'new' | null>(null);
  const [gone, setGone] = useState<Zone | null>(null);
  const close = () => setOpen(null);
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>Delivery</h3>
        <Button small disabled={!allowed} onClick={() => setOpen('new')}>
          {texts.newZone}
        </Button>
      </div>
      <ZoneTable zones={zones} allowed={allowed} onEdit={setOpen} onRemove={setGone} />
      <Dialog open={open !== null} title={open === 'new' || open === null ? texts.newZone : open.name} onClose={close}>
        {open && (
          <ZoneForm zone={open === 'new' ? null : open} countries={countries} onSaved={close} onCancel={close} />
        )}
      </Dialog>
      <RemoveDialog key={gone?.id} zone={gone} tax={null} onClose={() => setGone(null)} />
    </section>
  );
}

interface TaxesProps {
  taxes: readonly Tax[];
  countries: Countries;
  allowed: boolean;
}

function Taxes({ taxes, countries, allowed }: TaxesProps) {
  const [open, setOpen] = useState<Tax | 'new' | null>(null);
  const [gone, setGone] = useState<Tax | null>(null);
  const close = () => setOpen(null);
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <h3>Tax</h3>
        <Button small disabled={!allowed} onClick={() => setOpen('new')}>
          {texts.newTax}
        </Button>
      </div>
      <TaxTable taxes={taxes} allowed={allowed} onEdit={setOpen} onRemove={setGone} />
      <Dialog open={open !== null} title={texts.newTax} onClose={close}>
        {open && <TaxForm tax={open === 'new' ? null : open} countries={countries} onSaved={close} onCancel={close} />}
      </Dialog>
      <RemoveDialog key={gone?.country.code} zone={null} tax={gone} onClose={() => setGone(null)} />
    </section>
  );
}

/** Where parcels go, for how much, and what is taxed. */
export default function DeliveryScreen({ viewer }: { viewer: AdminViewer }) {
  const { data, error, refetch } = useAdminShippingAndTaxQuery({ fetchPolicy: 'cache-and-network' });
  const rates = data?.admin?.shippingAndTax;
  const allowed = viewer.isPrimaryAdmin;

  return (
    <Panel
      title={texts.delivery}
      waiting={texts.deliveryWaiting}
      failed={!rates && failure(error, texts.deliveryFailed)}
      onRetry={() => void refetch()}
    >
      {rates && (
        <div>
          <PrivilegeNote id="delivery-privileges" allowed={allowed} />
          <Zones zones={rates.zones} countries={rates.countries} allowed={allowed} />
          <Taxes taxes={rates.taxRates} countries={rates.countries} allowed={allowed} />
          <Trial countries={rates.countries} />
        </div>
      )}
    </Panel>
  );
}

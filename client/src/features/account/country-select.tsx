import type { ComponentPropsWithRef } from 'react';
import { Field, Select } from '~/ui/field';
import { type CountryChoiceFragment, type StatesQuery, useCountriesQuery } from './address.generated';
import { texts } from './texts';

type Choice = Omit<ComponentPropsWithRef<'select'>, 'value'> & { value: string; error?: string | undefined };
type States = NonNullable<StatesQuery['shop']['states']>;

function Options({ countries }: { countries: readonly CountryChoiceFragment[] }) {
  return countries.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
}

/** The countries that the shop sends to, then all others; a plain field for a name where they cannot be had. */
export function CountrySelect({ value, ...choice }: Choice) {
  const { data, error } = useCountriesQuery();
  if (error) return <Field {...(choice as object)} label="Country" defaultValue={value} autoComplete="country-name" />;
  const { delivered = [], others = [] } = data?.shop ?? {};
  const isListed = [...delivered, ...others].some(({ code }) => code === value);
  return (
    <Select {...choice} label="Country" value={value} autoComplete="country">
      <option value="">{texts.chooseCountry}</option>
      {value && !isListed && <option value={value}>{data ? value : texts.loadingCountries}</option>}
      {others.length === 0 ? (
        <Options countries={delivered} />
      ) : (
        <>
          <optgroup label={texts.delivered}>
            <Options countries={delivered} />
          </optgroup>
          <optgroup label={texts.notDelivered}>
            <Options countries={others} />
          </optgroup>
        </>
      )}
    </Select>
  );
}

/** The states of a country that has them in its addresses. */
export function StateSelect({ states, ...choice }: Choice & { states: States }) {
  const label = states.isRequired ? states.label : texts.optional(states.label);
  return (
    <Select {...choice} label={label} autoComplete="address-level1">
      <option value="">{texts.chooseState(states.label)}</option>
      {states.choices.map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Select>
  );
}

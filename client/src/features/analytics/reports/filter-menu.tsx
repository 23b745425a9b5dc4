import { useState } from 'react';
import { Checkbox } from '~/ui/choice';
import { Field } from '~/ui/field';
import { Waiting } from '~/ui/ring';
import { Segments } from '~/ui/segments';
import styles from './builder.module.css';
import type { Guide } from './fit';
import { useReportMembersQuery } from './report.generated';
import type { Filter, ReportState } from './state';
import { texts } from './texts';
import { NONE, toRange } from './variables';
import { Choice } from './word';
import { capitalized, dimensionWords, memberWords } from './words';

const MANY = 12;

interface Value {
  key: string;
  label: string;
}

/** What a dimension can be filtered by: all its values, or those that were sold in the period. */
function useValues(guide: Guide, state: ReportState, { dimension, values: chosen }: Filter): Value[] | undefined {
  const closed = guide.dimensions.find(({ name }) => name === dimension)?.values;
  const { data, error } = useReportMembersQuery({
    variables: { range: toRange(state.range), dimension, where: null },
    skip: Boolean(closed),
    fetchPolicy: 'no-cache',
  });
  if (closed) return closed.map((key) => ({ key, label: memberWords(dimension, key) }));
  if (!data && !error) return undefined;
  const matches = (data?.admin?.analytics.report?.rows ?? []).flatMap(({ dim }) =>
    dim && (dim.key !== null || dimension === 'DISCOUNT_CODE') ? [{ key: dim.key ?? NONE, label: dim.label }] : [],
  );
  const missing = chosen.filter((key) => !matches.some((each) => each.key === key));
  return [...matches, ...missing.map((key) => ({ key, label: key }))];
}

interface FilterMenuProps {
  guide: Guide;
  state: ReportState;
  /** As it is, or about to be: without values it filters nothing yet. */
  filter: Filter;
  onChange: (filter: Filter) => void;
  onRemove?: () => void;
}

/** What a filter keeps or leaves out. */
export function FilterMenu({ guide, state, filter, onChange, onRemove }: FilterMenuProps) {
  const values = useValues(guide, state, filter);
  const [sought, setSought] = useState('');
  const shown = values?.filter(({ label }) => label.toLowerCase().includes(sought.trim().toLowerCase()));
  const isSingle = filter.dimension === 'DISCOUNTED';

  function toggle(key: string, isOn: boolean) {
    const others = isSingle ? [] : filter.values.filter((each) => each !== key);
    onChange({ ...filter, values: isOn ? [...others, key] : others });
  }

  return (
    <div className={styles.filter}>
      {!isSingle && (
        <Segments
          label={capitalized(dimensionWords(filter.dimension))}
          options={[
            { value: 'is', label: texts.is },
            { value: 'not', label: texts.isNot },
          ]}
          chosen={filter.negated ? 'not' : 'is'}
          onChoose={(word) => onChange({ ...filter, negated: word === 'not' })}
        />
      )}
      {values && values.length > MANY && (
        <Field label={texts.find} value={sought} onChange={({ target }) => setSought(target.value)} />
      )}
      {!shown && <Waiting>{texts.fetching}</Waiting>}
      {values?.length === 0 && <p className="small soft">{texts.noValues}</p>}
      <fieldset className={styles.values}>
        <legend className="visually-hidden">{texts.values}</legend>
        {shown?.map(({ key, label }) => (
          <Checkbox
            key={key}
            checked={filter.values.includes(key)}
            onChange={({ target }) => toggle(key, target.checked)}
          >
            {label}
          </Checkbox>
        ))}
      </fieldset>
      {onRemove && <Choice onChoose={onRemove}>{texts.remove}</Choice>}
    </div>
  );
}

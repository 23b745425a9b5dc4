import * as v from 'valibot';
import { refusalOf, useSentForm } from '~/graphql/use-sent-form';
import { Field, TextArea } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { linesOf, parseLines, wrongLine } from './size-lines';
import styles from './sizes.module.css';
import {
  type SizeSystemRowFragment,
  useCreateSizeSystemMutation,
  useUpdateSizeSystemMutation,
} from './sizes.generated';
import { texts } from './texts';

interface SizeSystemFormProps {
  /** The system to be changed; null for a new one. */
  system: SizeSystemRowFragment | null;
  onSaved: () => void;
  onCancel: () => void;
}

const text = v.pipe(v.string(), v.trim());
const rules = v.object({ key: text, name: text, market: text, axis: text, values: text, axis2: text, values2: text });

type Ready = v.InferOutput<typeof rules>;

function typedOf(system: SizeSystemRowFragment | null): Ready {
  const [first, second] = system?.axes ?? [];
  return {
    key: system?.key ?? '',
    name: system?.name ?? '',
    market: system?.market ?? '',
    axis: first?.name ?? 'Size',
    values: linesOf(first?.values ?? []),
    axis2: second?.name ?? '',
    values2: linesOf(second?.values ?? []),
  };
}

/** The system as the schema takes it; a second axis only where something is typed of it. */
function inputOf({ name, market, axis, values, axis2, values2 }: Ready) {
  const lines = [
    { name: axis, values: parseLines(values).value ?? [] },
    { name: axis2, values: parseLines(values2).value ?? [] },
  ];
  return { name, market, axes: axis2 || values2 ? lines : lines.slice(0, 1) };
}

/** A system of sizes, whole: the order of its lines is that of its sizes. */
export function SizeSystemForm({ system, onSaved, onCancel }: SizeSystemFormProps) {
  const [create] = useCreateSizeSystemMutation();
  const [update] = useUpdateSizeSystemMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: typedOf(system),
    async send(ready) {
      for (const name of ['values', 'values2'] as const) {
        const wrong = wrongLine(ready[name]);
        if (wrong !== undefined) return refusalOf(texts.wrongLine(wrong), name);
      }
      const input = inputOf(ready);
      return system
        ? update({ variables: { key: system.key, version: system.version, input } })
        : create({ variables: { key: ready.key, input } });
    },
    done: 'SizeSystemsChanged',
    onDone: onSaved,
    otherwise: texts.notSaved,
    fields: { axes: 'values' },
  });

  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <Field label={texts.name} maxLength={60} {...field('name')} />
      {!system && <Field label={texts.key} maxLength={30} note={texts.keyNote} {...field('key')} />}
      <Field label={texts.market} maxLength={20} note={texts.marketNote} {...field('market')} />
      <Field label={texts.axis} maxLength={60} {...field('axis')} />
      <TextArea label={texts.values} rows={8} note={texts.valuesNote} {...field('values')} />
      <Field label={texts.secondAxis} maxLength={60} note={texts.secondAxisNote} {...field('axis2')} />
      <TextArea label={texts.secondValues} rows={4} {...field('values2')} />
      <FormEnd refusal={refusal} submit={texts.save} working={isSending && texts.saving} onCancel={onCancel} />
    </form>
  );
}

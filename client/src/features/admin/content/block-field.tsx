import { Checkbox } from '~/ui/choice';
import { Field, Select, TextArea } from '~/ui/field';
import { Segments } from '~/ui/segments';
import type { FieldForm, PartDraft, PictureValue, Value } from './page-draft';
import { PartsField } from './parts-field';
import { PictureField } from './picture-field';
import { texts } from './texts';
import type { Change } from './use-page-draft';

export interface Names {
  /** Departments and kinds of clothing, by what is chosen. */
  DEPARTMENT: readonly { key: string; name: string }[];
  PRODUCT_KIND: readonly { key: string; name: string }[];
  /** MIME types of pictures. */
  imageTypes: readonly string[];
}

/** What forms of blocks need to know of the shop, and of what is wrong. */
export interface FormAround extends Names {
  /** What is wrong, by places in the input. */
  problems: Readonly<Record<string, string>>;
}

interface BlockFieldProps {
  field: FieldForm;
  /** Its place in the input: `blocks.0.heading`. */
  place: string;
  value: Value | undefined;
  around: FormAround;
  onChange: (change: Change) => void;
}

/** Longer texts have several lines. */
const ONE_LINE = 200;

/** One field of a block, entered as its kind says. */
export function BlockField({ field, place, value, around, onChange }: BlockFieldProps) {
  const { label, control, longest } = field;
  const error = around.problems[place];
  const text = {
    label,
    error,
    value: String(value ?? ''),
    maxLength: longest ?? undefined,
    onChange: ({ target }: { target: { value: string } }) => onChange(() => target.value),
  };
  switch (control) {
    case 'TEXT':
      return (longest ?? 0) > ONE_LINE ? <TextArea rows={3} {...text} /> : <Field {...text} />;
    case 'MARKDOWN':
      return <TextArea rows={8} {...text} note={texts.markdownNote} />;
    case 'LINK':
      return <Field {...text} note={texts.linkNote} />;
    case 'NUMBER': {
      const { least, most } = field;
      const numbers = Array.from({ length: (most ?? 0) - (least ?? 0) + 1 }, (_, at) => String((least ?? 0) + at));
      return <Choice {...text} options={numbers.map((number) => ({ value: number, label: number }))} />;
    }
    case 'FLAG':
      return (
        <Checkbox checked={value === true} onChange={({ target }) => onChange(() => target.checked)}>
          {label}
        </Checkbox>
      );
    case 'CHOICE':
      return field.options.length === 2 ? (
        <Segments
          label={label}
          options={field.options}
          chosen={text.value}
          error={error}
          onChoose={(chosen) => onChange(() => chosen)}
        />
      ) : (
        <Choice {...text} options={field.options} />
      );
    case 'DEPARTMENT':
    case 'PRODUCT_KIND': {
      const names = around[control].map(({ key, name }) => ({ value: key, label: name }));
      // What is hidden since stays chosen, by its key.
      const hidden = text.value && !names.some((one) => one.value === text.value);
      const other = hidden ? [{ value: text.value, label: text.value }] : [];
      return <Choice {...text} options={[{ value: '', label: texts.all }, ...names, ...other]} />;
    }
    case 'PICTURE':
      return (
        <PictureField
          label={label}
          value={value as PictureValue | null}
          types={around.imageTypes}
          error={around.problems[`${place}.imageId`] ?? error}
          wordsError={around.problems[`${place}.alt`]}
          onChange={onChange}
        />
      );
    case 'PARTS':
      return (
        <PartsField
          field={field}
          parts={value as readonly PartDraft[]}
          error={error}
          onChange={(change) => onChange((now) => change(now as readonly PartDraft[]))}
          renderField={(inner, at, part, onInner) => (
            <BlockField
              field={inner}
              place={`${place}.${at}.${inner.name}`}
              value={part.values[inner.name]}
              around={around}
              onChange={onInner}
            />
          )}
        />
      );
  }
}

interface ChoiceProps {
  label: string;
  error: string | undefined;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (event: { target: { value: string } }) => void;
}

function Choice({ options, label, error, value, onChange }: ChoiceProps) {
  return (
    <Select label={label} error={error} value={value} onChange={onChange}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

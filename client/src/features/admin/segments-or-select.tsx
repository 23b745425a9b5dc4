import { Select } from '~/ui/field';
import { Segments } from '~/ui/segments';

/** As many stand side by side. */
const MOST_SEGMENTS = 5;

interface SegmentsOrSelectProps {
  label: string;
  options: readonly { value: string; label: string }[];
  /** That of no option while nothing is chosen. */
  chosen: string;
  error?: string | undefined;
  onChoose: (value: string) => void;
}

/** A choice of one among as many as an owner has made: a few side by side, more in a list. */
export function SegmentsOrSelect({ label, options, chosen, error, onChoose }: SegmentsOrSelectProps) {
  if (options.length <= MOST_SEGMENTS) return <Segments {...{ label, options, chosen, error, onChoose }} />;
  return (
    <Select label={label} value={chosen} error={error} onChange={({ target }) => onChoose(target.value)}>
      {!options.some(({ value }) => value === chosen) && <option value="">Choose</option>}
      {options.map(({ value, label: words }) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </Select>
  );
}

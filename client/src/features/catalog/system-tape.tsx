import { useId, useState } from 'react';
import type { Size } from '~/graphql/catalogue';
import { SizeTape, type SizeTapeProps } from '~/ui/size-tape';
import styles from '~/ui/size-tape.module.css';
import { type SizeSystemQuery, useSizeSystemQuery } from './size-system.generated';

type Axis = NonNullable<SizeSystemQuery['product']>['category']['sizeSystem']['axes'][number];
type Value = Axis['values'][number];
type Parts = readonly (string | null)[];

interface SystemTapeProps extends Omit<SizeTapeProps<Size>, 'onChoose'> {
  productId: string;
  /** Null when no size is chosen any more. */
  onChoose: (size: Size | null) => void;
}

interface AxisTapeProps extends Pick<SystemTapeProps, 'missing' | 'describedBy'> {
  label: string;
  market: string;
  values: readonly Value[];
  chosen: string | null;
  /** Why a value cannot be had with what is chosen along the other axis; empty when it can. */
  without: (value: string) => string;
  onChoose: (value: string) => void;
}

/** "EU 38" */
const shown = (name: string, market: string) => (market ? `${market} ${name}` : name);

/** "EU 38, UK 5, US 7.5" */
const spoken = ({ name, labels }: Value, market: string, out: string) =>
  [shown(name, market), ...labels.map((label) => `${label.market} ${label.name}`), out].filter(Boolean).join(', ');

/** The values of one axis, with their names in other markets under them. */
function AxisTape({ label, market, values, chosen, without, onChoose, missing, describedBy }: AxisTapeProps) {
  const group = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      aria-describedby={describedBy}
      aria-invalid={missing || undefined}
      data-missing={missing || undefined}
      className={styles.tape}
    >
      {values.map((value) => {
        const out = without(value.name);
        return (
          <label key={value.name} className={`${styles.cell} ${out ? styles.out : ''}`}>
            <input
              type="radio"
              name={group}
              aria-label={spoken(value, market, out)}
              checked={value.name === chosen}
              onChange={() => onChoose(value.name)}
            />
            <span aria-hidden="true" className={styles.names}>
              {shown(value.name, market)}
              {value.labels.map((one) => (
                <small key={one.market}>
                  {one.market} {one.name}
                </small>
              ))}
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** Which values of an axis the product is made in, in the order of the system. */
const madeIn = ({ values }: Axis, parts: readonly string[]) => values.filter(({ name }) => parts.includes(name));

const sizeOf = (at: number, value: string, other: string) => (at === 0 ? `${value} ${other}` : `${other} ${value}`);

/** Two choices that make one size. A combination that is not made takes the other choice back. */
function TwoAxes({ axes, market, ...choice }: SystemTapeProps & { axes: readonly Axis[]; market: string }) {
  const { sizes, chosen, onChoose, missing, describedBy } = choice;
  const [half, setHalf] = useState<Parts>([null, null]);
  const parts: Parts = chosen ? chosen.split(' ') : half;

  function choose(at: number, value: string) {
    const other = parts[1 - at] ?? null;
    const size = other && sizeOf(at, value, other);
    if (size && sizes.some((one) => one.size === size)) {
      onChoose(size);
      return;
    }
    setHalf(at === 0 ? [value, null] : [null, value]);
    if (chosen) onChoose(null);
  }

  function without(at: number, value: string) {
    const other = parts[1 - at];
    const fitting = sizes.filter(({ size }) =>
      other ? size === sizeOf(at, value, other) : size.split(' ')[at] === value,
    );
    if (fitting.length === 0) return `not with ${other}`;
    return fitting.every(({ soldOut }) => soldOut) ? 'sold out' : '';
  }

  return axes.map((axis, at) => (
    <div key={axis.name} className={styles.axis}>
      <p className="small soft">
        {axis.name} {parts[at] && <b>{parts[at]}</b>}
      </p>
      <AxisTape
        label={axis.name}
        market={market}
        values={madeIn(
          axis,
          sizes.map(({ size }) => size.split(' ')[at] ?? ''),
        )}
        chosen={parts[at] ?? null}
        without={(value) => without(at, value)}
        onChoose={(value) => choose(at, value)}
        missing={missing && !parts[at]}
        describedBy={describedBy}
      />
    </div>
  ));
}

/** The choice of a size that is no letter: two choices where there are two axes, with its names in other markets. */
export default function SystemTape({ productId, ...choice }: SystemTapeProps) {
  const { data } = useSizeSystemQuery({ variables: { id: productId } });
  const system = data?.product?.category.sizeSystem;
  const [first, second] = system?.axes ?? [];
  const { sizes, chosen, onChoose } = choice;

  if (!system || !first) return <SizeTape {...choice} />;
  if (second) return <TwoAxes {...choice} productId={productId} axes={[first, second]} market={system.market} />;
  if (first.values.length === 1) return null;
  const soldOut = new Map(sizes.map((one) => [one.size, one.soldOut]));
  return (
    <AxisTape
      {...choice}
      market={system.market}
      values={madeIn(first, [...soldOut.keys()])}
      chosen={chosen}
      without={(size) => (soldOut.get(size) ? 'sold out' : '')}
      onChoose={onChoose}
    />
  );
}

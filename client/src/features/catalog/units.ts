import { useSyncExternalStore } from 'react';
import { oneOf, stored } from '~/ui/stored';

export type Units = 'in' | 'cm';

const storedUnit = stored('minimal:units', oneOf('in', 'cm'));
const PER_CM = 10_000;
const PER_INCH = 25_400;
const quarters = ['', '¼', '½', '¾'] as const;

/** Micrometers as "11¼" or, to the half centimeter, "28.5". */
export function formatLength(micrometers: number, units: Units): string {
  if (units === 'cm') return String(Math.round((micrometers / PER_CM) * 2) / 2);
  const rest = Math.round((micrometers / PER_INCH) * 4);
  return `${Math.floor(rest / 4)}${quarters[rest % 4]}`;
}

const remembered = (): Units => storedUnit.read() ?? 'in';

let chosen: Units | undefined;
const listeners = new Set<() => void>();

function choose(units: Units) {
  chosen = units;
  storedUnit.write(units);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) chosen = undefined;
  };
}

/** Inches or centimeters, as this browser last chose; every table on the page follows. */
export function useUnits(): [Units, (units: Units) => void] {
  return [
    useSyncExternalStore(
      subscribe,
      () => chosen ?? remembered(),
      () => 'in',
    ),
    choose,
  ];
}

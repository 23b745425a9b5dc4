import { createContext, type ReactNode, useContext } from 'react';
import { formatMomentIn } from './format';

const Name = createContext<string | null>(null);

/** The time zone, by its IANA name, in which all that is shown inside writes its days and times. */
export function TimeZone({ name, children }: { name: string; children: ReactNode }) {
  return <Name value={name}>{children}</Name>;
}

/** The time zone around a component. There is no other to fall back on: the browser's may be far from the shop's. */
export function useTimeZone(): string {
  const name = useContext(Name);
  if (name === null) throw new Error('No <TimeZone> around what shows a day or a time.');
  return name;
}

interface MomentProps {
  /** ISO 8601. */
  at: string;
  /** Of ~/ui/format; day and time when left out. */
  format?: (timeZone: string, moment: string) => string;
  className?: string | undefined;
}

/** A moment by the clock of the time zone around it. */
export function Moment({ at, format = formatMomentIn, className }: MomentProps) {
  return (
    <time dateTime={at} className={className}>
      {format(useTimeZone(), at)}
    </time>
  );
}

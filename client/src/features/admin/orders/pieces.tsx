import type { ReactNode } from 'react';
import * as v from 'valibot';
import { Stepper } from '~/ui/stepper';
import styles from './order.module.css';
import type { AdminOrderLinePartsFragment } from './order.generated';
import { texts } from './texts';

export type Line = AdminOrderLinePartsFragment;

/** A line as people tell it from others. */
export function called({ name, color, size }: Line): string {
  return [name ?? texts.noName, color, size].filter(Boolean).join(', ');
}

interface PiecesProps {
  lines: readonly { line: Line; most: number }[];
  chosen: Readonly<Record<string, number>>;
  onChoose: (chosen: Record<string, number>) => void;
  /** After "Pieces of …": "to send". */
  verb: string;
  /** Further choices of one line. */
  children?: (line: Line) => ReactNode;
}

/** How many pieces of each line. */
export function Pieces({ lines, chosen, onChoose, verb, children }: PiecesProps) {
  return (
    <ul className={styles.pieces}>
      {lines.map(({ line, most }) => (
        <li key={line.id}>
          <div>
            <p>{line.name ?? texts.noName}</p>
            <p className="small soft">
              {[line.color, line.size, line.sku].filter(Boolean).join(', ')}. {most} at most
            </p>
            {children?.(line)}
          </div>
          <Stepper
            label={`Pieces of ${called(line)} ${verb}`}
            value={chosen[line.id] ?? 0}
            min={0}
            max={most}
            onChange={(number) => onChoose({ ...chosen, [line.id]: number })}
          />
        </li>
      ))}
    </ul>
  );
}

/** Such a choice in a form: pieces by line. */
export const pieces = v.record(v.string(), v.number());

/** What the server takes of such a choice. */
export function piecesInput(chosen: Readonly<Record<string, number>>) {
  return Object.entries(chosen).flatMap(([lineId, quantity]) => (quantity > 0 ? { lineId, quantity } : []));
}

/** How series differ: by pattern as well as by tone, so that they do in print and for every eye. */
interface Paint {
  fill: string;
  stroke: string;
  dash: string | undefined;
}

const strokes = [
  ['ink', undefined],
  ['denim', undefined],
  ['denim-2', '7 3'],
  ['denim', '2 3'],
  ['stone', '9 3 2 3'],
  ['stone', undefined],
] as const;

/** `id` is the chart's own, as the patterns are. */
export function paintOf(id: string, place: number): Paint {
  const fills = [
    'var(--ink)',
    'var(--denim)',
    'var(--denim-2)',
    `url(#${id}-slanted)`,
    `url(#${id}-level)`,
    `url(#${id}-dotted)`,
  ];
  const index = place % fills.length;
  const [tone, dash] = strokes[index] ?? strokes[0];
  return { fill: fills[index] ?? 'var(--ink)', stroke: `var(--${tone})`, dash };
}

/** The patterns that the paints of a chart name. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-slanted`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" fill="var(--paper)" />
        <rect width="2.6" height="5" fill="var(--denim)" />
      </pattern>
      <pattern id={`${id}-level`} width="4" height="4" patternUnits="userSpaceOnUse">
        <rect width="4" height="4" fill="var(--paper)" />
        <rect width="4" height="1.6" fill="var(--stone)" />
      </pattern>
      <pattern id={`${id}-dotted`} width="5" height="5" patternUnits="userSpaceOnUse">
        <rect width="5" height="5" fill="var(--paper)" />
        <circle cx="2.5" cy="2.5" r="1.3" fill="var(--ink)" />
      </pattern>
      <pattern id={`${id}-before`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <rect width="5" height="5" fill="var(--paper)" />
        <rect width="1.4" height="5" fill="var(--ink-soft)" />
      </pattern>
    </defs>
  );
}

import type { MeasurementPoint } from '~/graphql/schema.generated';
import styles from './garment-outline.module.css';
import { letterOf, type Outline } from './measurements';

type Point = readonly [x: number, y: number];

interface Dimension {
  from: Point;
  to: Point;
  /** Middle of its letter. */
  letter: Point;
}

type Dimensions = Readonly<Partial<Record<MeasurementPoint, Dimension>>>;

interface Drawing {
  viewBox: string;
  /** Seen from the front: edges, then seams. */
  edges: string;
  seams: string;
  /** Where the tape was laid for each point that the kind has. */
  dimensions: Dimensions;
}

const legs = {
  WAIST: { from: [93, 24], to: [207, 24], letter: [150, 11] },
  FRONT_RISE: { from: [150, 40], to: [150, 132], letter: [177, 98] },
  THIGH: { from: [80, 146], to: [148, 146], letter: [112, 163] },
  INSEAM: { from: [246, 132], to: [246, 306], letter: [262, 219] },
  HEM: { from: [74, 320], to: [129, 320], letter: [101, 336] },
} as const;

const sleeves = 'M108 58C92 62 85 74 80 92L40 222L71 234L112 132M232 58C248 62 255 74 260 92L300 222L269 234L228 132';
const shoulders = 'M148 40L108 58M192 40L232 58';
const armholes = 'M108 58C113 82 114 108 112 132M232 58C227 82 226 108 228 132';
const collar = 'M148 40C156 48 184 48 192 40M148 40L143 62L164 72L170 52L176 72L197 62L192 40';
const cuffs = 'M46 203L77 215M294 203L263 215';

const drawings: Record<Outline, Drawing> = {
  jean: {
    viewBox: '0 0 300 346',
    edges: 'M93 38H207L208 54C213 82 219 112 220 150L226 306H172L150 132L128 306H74L80 150C81 112 87 82 92 54Z',
    seams:
      'M92 54H208M150 54V132M162 54V92Q162 110 150 114M108 54Q106 74 87 80M192 54Q194 74 213 80M74.4 298H127M173 298H225.6',
    dimensions: legs,
  },
  trouser: {
    viewBox: '0 0 300 346',
    edges: 'M96 38H204L206 54C214 84 220 112 222 150L232 306H170L150 132L130 306H68L78 150C80 112 86 84 94 54Z',
    seams:
      'M94 54H206M150 54V132M161 54V92Q161 108 150 112M104 54L90 88M196 54L210 88M122 54C118 120 106 220 99 306M178 54C182 120 194 220 201 306',
    dimensions: {
      WAIST: legs.WAIST,
      FRONT_RISE: { from: [150, 40], to: [150, 132], letter: [169.5, 98] },
      THIGH: { from: [78, 146], to: [148, 146], letter: [94, 163] },
      INSEAM: legs.INSEAM,
      HEM: { from: [68, 320], to: [130, 320], letter: [99, 336] },
    },
  },
  shirt: {
    viewBox: '0 0 340 346',
    edges: `${shoulders}M112 132V272Q114 292 142 300H198Q226 292 228 272V132${sleeves}`,
    seams: `${collar}${armholes}${cuffs}M165 70V300M175 70V300`,
    dimensions: {
      COLLAR: { from: [148, 26], to: [192, 26], letter: [170, 12] },
      SHOULDER: { from: [109, 92], to: [231, 92], letter: [141, 82] },
      CHEST: { from: [113, 138], to: [227, 138], letter: [141, 154] },
      SLEEVE: { from: [97, 48], to: [28, 218], letter: [49, 126] },
      LENGTH: { from: [318, 40], to: [318, 300], letter: [332, 170] },
    },
  },
  shapedShirt: {
    viewBox: '0 0 340 346',
    edges: `${shoulders}M112 132C118 160 124 180 124 200C124 224 112 250 108 280Q136 300 170 300T232 280C228 250 216 224 216 200C216 180 222 160 228 132${sleeves}`,
    seams: `${collar}${armholes}${cuffs}M165 70V300M175 70V300`,
    dimensions: {
      SHOULDER: { from: [109, 92], to: [231, 92], letter: [141, 82] },
      BUST: { from: [113, 138], to: [227, 138], letter: [141, 154] },
      WAIST: { from: [125, 200], to: [215, 200], letter: [144, 216] },
      SLEEVE: { from: [97, 48], to: [28, 218], letter: [49, 126] },
      LENGTH: { from: [318, 40], to: [318, 300], letter: [332, 170] },
    },
  },
};

const TICK = 5;

/** A line with a short stroke across each end. */
function ruler({ from: [x1, y1], to: [x2, y2] }: Dimension): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(-(y2 - y1) / length) * TICK, ((x2 - x1) / length) * TICK];
  const across = ([x, y]: Point) => `M${x - dx} ${y - dy}L${x + dx} ${y + dy}`;
  return `M${x1} ${y1}L${x2} ${y2}${across([x1, y1])}${across([x2, y2])}`;
}

/** Where the tape was laid: the garment in line, the measurements in denim blue. Says nothing that the table does not. */
export function GarmentOutline({ outline, points }: { outline: Outline; points: readonly MeasurementPoint[] }) {
  const { viewBox, edges, seams, dimensions } = drawings[outline];
  return (
    <svg className={styles.outline} viewBox={viewBox} aria-hidden="true">
      <path d={edges} />
      <path d={seams} className={styles.seams} />
      {points.map((point, index) => {
        const dimension = dimensions[point];
        if (!dimension) return null;
        return (
          <g key={point} className={styles.dimension}>
            <path d={ruler(dimension)} />
            <text x={dimension.letter[0]} y={dimension.letter[1]}>
              {letterOf(index)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

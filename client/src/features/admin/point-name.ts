import type { MeasurementPoint } from '~/graphql/schema.generated';

const names: Readonly<Record<MeasurementPoint, string>> = {
  COLLAR: 'Collar',
  SHOULDER: 'Shoulder',
  CHEST: 'Chest',
  BUST: 'Bust',
  SLEEVE: 'Sleeve',
  LENGTH: 'Length',
  WAIST: 'Waist',
  FRONT_RISE: 'Front rise',
  THIGH: 'Thigh',
  INSEAM: 'Inseam',
  HEM: 'Hem',
};

/** Everything that a garment can be measured at. */
export const POINTS = Object.keys(names) as readonly MeasurementPoint[];

export const pointName = (point: MeasurementPoint) => names[point];

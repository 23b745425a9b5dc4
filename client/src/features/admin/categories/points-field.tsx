import { POINTS, pointName } from '~/features/admin/point-name';
import { reorder } from '~/features/admin/reorder';
import { Sortable, useSorted } from '~/features/admin/sortable';
import type { MeasurementPoint } from '~/graphql/schema.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Select } from '~/ui/field';
import styles from './categories.module.css';
import { texts } from './texts';

interface PointsFieldProps {
  points: readonly MeasurementPoint[];
  error: string | undefined;
  disabled: boolean;
  onChange: (points: MeasurementPoint[]) => void;
}

interface PointProps {
  point: MeasurementPoint;
  place: number;
  of: number;
  disabled: boolean;
  onRemove: () => void;
}

function Point({ point, place, of, disabled, onRemove }: PointProps) {
  const name = pointName(point);
  const { grip, item } = useSorted(point, { label: texts.move(name, place, of) });
  return (
    <li {...item}>
      <div className={styles.line}>
        {!disabled && grip}
        <span className={styles.name}>{name}</span>
        {!disabled && (
          <Button small aria-label={`${texts.remove} ${name}`} onClick={onRemove}>
            {texts.remove}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Where garments of a category are measured: added, removed, put into the order of the table. */
export function PointsField({ points, error, disabled, onChange }: PointsFieldProps) {
  const items = points.map((point) => ({ key: point, name: pointName(point) }));
  const others = POINTS.filter((point) => !points.includes(point));
  return (
    <fieldset className={styles.points}>
      <legend>{texts.points}</legend>
      <p className="small soft">{points.length === 0 ? texts.noPoints : texts.pointsAbout}</p>
      <Sortable
        inRows
        items={items}
        onMove={(key, onto) => {
          const order = reorder(items, key, onto).map((item) => item.key);
          onChange(order);
        }}
      >
        <ol aria-label={texts.points}>
          {points.map((point, at) => (
            <Point
              key={point}
              point={point}
              place={at + 1}
              of={points.length}
              disabled={disabled}
              onRemove={() => onChange(points.filter((one) => one !== point))}
            />
          ))}
        </ol>
      </Sortable>
      {error && <ErrorNote>{error}</ErrorNote>}
      {!disabled && others.length > 0 && (
        <Select
          label={texts.addPoint}
          value=""
          onChange={({ target }) => {
            const point = others.find((one) => one === target.value);
            if (point) onChange([...points, point]);
          }}
        >
          <option value="">{texts.choosePoint}</option>
          {others.map((point) => (
            <option key={point} value={point}>
              {pointName(point)}
            </option>
          ))}
        </Select>
      )}
    </fieldset>
  );
}

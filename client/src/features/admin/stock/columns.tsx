import { texts } from './texts';
import styles from './import.module.css';

const columns: readonly (readonly [name: string, means: string])[] = [
  [
    'sku',
    'Which variant the row is about. The only column that must be there. A known one is changed, an unknown one is made.',
  ],
  ['product', "The product's id. A new product takes a word of your own, the same in all of its rows."],
  ['name, title, subtitle, description', 'Texts of the product, the same in all of its rows.'],
  ['category', 'Its key, such as men_shirts. Keys stand in Product Control, Categories.'],
  ['price, discounted_price', 'Dollars, such as 89.90 or 1,250.00. An empty discounted_price ends the discount.'],
  [
    'discount_starts, discount_ends',
    "Moments such as 2026-11-27T08:00:00Z, or 2026-11-27 08:00 in the shop's time zone, or empty.",
  ],
  ['weight_grams', 'Of one piece, packed. Empty: 400 for a new product, and as it is for another.'],
  ['color, color_hex, size', 'What the variant is: Indigo, #2f4e7d, M. A SKU keeps its color and size.'],
  [
    'images, color_images',
    'Pictures of every color, and of this one: their addresses in this shop, divided by spaces.',
  ],
  [
    'collar_cm, waist_cm, … hem_cm',
    'Measurements of the finished garment in centimeters, such as 78.5; in inches the columns are collar_in, waist_in and so on. ' +
      'One length for all colors of a size. An empty cell is not measured; cells of points that the kind does not have stay empty.',
  ],
  ['stock', 'Pieces that can be bought, beside what open checkouts hold.'],
  [
    'exported_stock',
    'The stock when the file was exported. Where stock still says the same, what was sold since stays sold.',
  ],
];

/** The format, where it is needed. */
export function Columns() {
  return (
    <details className={styles.columns}>
      <summary>{texts.columns}</summary>
      <p className="small">
        One row is one variant. A column that is left out changes nothing; rows that are left out stay as they are.
        Commas, semicolons and tabs all work, as do decimal commas. A text that begins like a formula has an apostrophe
        in front of it in an export, which an import takes away again.
      </p>
      <dl>
        {columns.map(([name, means]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

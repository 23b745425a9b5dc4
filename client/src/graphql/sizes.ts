import type { Size } from './schema.generated';

/** As people read them; a size that the schema gets is missed here by the compiler. */
const places: Record<Size, number> = { XS: 0, S: 1, M: 2, L: 3, XL: 4, XXL: 5 };

/** Every size, the smallest first. */
export const SIZES = Object.keys(places) as readonly Size[];

import { Checkbox } from '~/ui/choice';
import type { FlagFacet } from './facets';
import type { FilterProps } from './filters';

/** A facet that is chosen or not. */
export function Flag({ facet: { label, member }, filters, narrow }: FilterProps & { facet: FlagFacet }) {
  return (
    <Checkbox checked={filters[member] === true} onChange={({ target }) => narrow({ [member]: target.checked })}>
      {label}
    </Checkbox>
  );
}

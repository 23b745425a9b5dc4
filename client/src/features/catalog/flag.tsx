import { Checkbox } from '~/ui/choice';
import { type FlagFacet, isEmpty } from './facets';
import type { FilterProps } from './filters';

/** A facet that is chosen or not; it can be chosen where it leaves something. */
export function Flag({ facet: { label, member }, filters, facets, narrow }: FilterProps & { facet: FlagFacet }) {
  const isChosen = filters[member] === true;
  const isDisabled = isEmpty(facets?.[member], isChosen);
  return (
    <Checkbox
      checked={isChosen}
      aria-disabled={isDisabled}
      onChange={({ target }) => isDisabled || narrow({ [member]: target.checked })}
    >
      {label}
    </Checkbox>
  );
}

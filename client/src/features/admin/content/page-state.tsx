import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import type { PageRowFragment } from './content.generated';

type State = Pick<PageRowFragment, 'isPublished' | 'hasChanges' | 'publishAt'>;

/** Whether shoppers see a page, and whether its draft is what they see. */
export function PageState({ page: { isPublished, hasChanges, publishAt } }: { page: State }) {
  return (
    <>
      {!isPublished && <Status mark="empty">Draft</Status>}
      {isPublished && <Status mark={hasChanges ? 'half' : 'full'}>{hasChanges ? 'Changed since' : 'Published'}</Status>}
      {publishAt && (
        <span className="small soft">
          {' goes live '}
          <Moment at={publishAt} />
        </span>
      )}
    </>
  );
}

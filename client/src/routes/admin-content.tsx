import { useState } from 'react';
import { useNavigate } from 'react-router';
import { NewPageForm } from '~/features/admin/content/new-page-form';
import { PageTable } from '~/features/admin/content/page-table';
import { texts } from '~/features/admin/content/texts';
import { ListPanel } from '~/features/admin/list';
import { listPage } from '~/graphql/list-page';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { FilterBar } from '~/ui/filter-bar';
import { useListQuery } from '~/ui/use-list-query';
import { useAdminContentQuery } from './admin-content.generated';

const beginning = { q: '' };

/** Pages that the owner writes: what there is, in which state, and new ones. */
export default function ContentScreen() {
  const navigate = useNavigate();
  const list = useListQuery(beginning);
  const [isNew, setIsNew] = useState(false);
  const result = useAdminContentQuery({
    variables: { search: list.values.q || null, after: list.after },
    fetchPolicy: 'cache-and-network',
  });

  return (
    <>
      <ListPanel
        title={texts.title}
        waiting={texts.waiting}
        failed={texts.failed}
        list={list}
        page={listPage(result, ({ admin }) => admin?.pages)}
        aside={
          <Button small kind="primary" onClick={() => setIsNew(true)}>
            {texts.newPage}
          </Button>
        }
        above={<FilterBar list={list} fields={[{ name: 'q', kind: 'search', label: 'Find a page' }]} />}
      >
        {(pages, stale) => (
          <PageTable pages={pages} stale={stale} empty={list.isNarrowed ? texts.noneFound : texts.none} />
        )}
      </ListPanel>
      <Dialog open={isNew} title={texts.newPage} onClose={() => setIsNew(false)}>
        <NewPageForm onCreated={({ id }) => void navigate(`/admin/content/${id}`)} onCancel={() => setIsNew(false)} />
      </Dialog>
    </>
  );
}

import { List } from '~/features/admin/list';
import { Panel } from '~/features/admin/panel';
import { Columns } from '~/features/admin/stock/columns';
import { FileChooser } from '~/features/admin/stock/file-chooser';
import styles from '~/features/admin/stock/import.module.css';
import { ImportTable } from '~/features/admin/stock/import-table';
import { ImportView } from '~/features/admin/stock/import-view';
import { texts } from '~/features/admin/stock/texts';
import { failure, listPage } from '~/graphql/list-page';
import { useListQuery } from '~/ui/use-list-query';
import { useSearchParams } from '~/ui/use-search-params';
import type { AdminViewer } from './admin-viewer';
import { useImportsQuery } from './admin-import.generated';

const FILE = 'file';
const PAGE = 20;
const EXPORT = '/exports/products.csv';

/** Whole ranges in and out: a file is checked, looked at, and only then done. */
export default function ImportScreen({ viewer }: { viewer: AdminViewer }) {
  const [query, setQuery] = useSearchParams();
  const list = useListQuery({});
  const result = useImportsQuery({ variables: { after: list.after }, fetchPolicy: 'cache-and-network' });
  const page = listPage(result, ({ admin }) => admin?.imports);
  const file = query.get(FILE);

  return (
    <Panel
      title={texts.importTitle}
      waiting={texts.importWaiting}
      failed={failure(page.error, texts.importFailed)}
      onRetry={page.retry}
    >
      {page.connection && (
        <div className={styles.section}>
          <div className={styles.ways}>
            <div>
              <h3>Export</h3>
              <p className="small">
                Everything on offer, a row per variant. Change it in a spreadsheet and bring it back.
              </p>
              <a href={EXPORT} download className="link">
                Download products.csv
              </a>
              <p className="small soft">
                Measurements are in centimeters.{' '}
                <a href={`${EXPORT}?units=in`} download className="link">
                  Take them in inches
                </a>
              </p>
            </div>
            <div>
              <h3>Import</h3>
              <FileChooser
                onSent={(id) => {
                  setQuery({ [FILE]: id });
                  page.retry();
                }}
              />
            </div>
          </div>
          {file && <ImportView key={file} id={file} isPrimary={viewer.isPrimaryAdmin} onChanged={page.retry} />}
          <Columns />
          <List list={list} page={page} pageSize={PAGE}>
            {(imports, stale) => <ImportTable imports={imports} stale={stale} />}
          </List>
        </div>
      )}
    </Panel>
  );
}

import { DataTable } from '~/ui/data-table';
import { Fold } from '~/ui/fold';
import type { SettingsWholeFragment } from './pricing.generated';
import styles from './pricing.module.css';

/** What only the environment decides, with what each does. */
export function EnvironmentTable({ environment }: Pick<SettingsWholeFragment, 'environment'>) {
  return (
    <Fold
      className={styles.environment}
      title={<h3>From the environment</h3>}
      about={`${environment.length} settings and limits`}
    >
      <p className="small soft">
        These come from the environment of the server, or its .env file, and take a restart to change. Of secrets it is
        only said whether they are set.
      </p>
      <DataTable
        label="Settings of the environment"
        rows={environment}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Name', isRowHeader: true, cell: ({ name }) => <code>{name}</code> },
          { title: 'Value', label: true, cell: ({ value }) => <code>{value}</code> },
          { title: 'What it does', label: true, cell: ({ about }) => about },
        ]}
      />
    </Fold>
  );
}

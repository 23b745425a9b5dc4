import { Head, Table } from '~/ui/table';
import type { SettingsWholeFragment } from './pricing.generated';
import styles from './pricing.module.css';

/** What only the environment decides, with what each does. */
export function EnvironmentTable({ environment }: Pick<SettingsWholeFragment, 'environment'>) {
  return (
    <section className={`${styles.room} ${styles.environment}`}>
      <h3>From the environment</h3>
      <p className="small soft">
        These come from the environment of the server, or its .env file, and take a restart to change. Of secrets it is
        only said whether they are set.
      </p>
      <Table label="Settings of the environment">
        <thead>
          <tr>
            <Head>Name</Head>
            <Head>Value</Head>
            <Head>What it does</Head>
          </tr>
        </thead>
        <tbody>
          {environment.map(({ name, value, about }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td data-label="Value">
                <code>{value}</code>
              </td>
              <td data-label="What it does">{about}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

import { Status } from '~/ui/status';
import { Head, Table } from '~/ui/table';
import { conditionsOf } from './conditions';
import type { OperationsStateFragment } from './operations.generated';
import { texts } from './texts';

/** The shop at a glance: each part and how it is. */
export function ConditionTable({ state }: { state: OperationsStateFragment }) {
  return (
    <Table label={texts.title}>
      <thead>
        <tr>
          <Head>Part</Head>
          <Head>How it is</Head>
        </tr>
      </thead>
      <tbody>
        {conditionsOf(state).map(({ name, mark, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <Status mark={mark}>{text}</Status>
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

import { type DocumentNode, type OperationDefinitionNode, Kind, parse } from 'graphql';

/** Who has to be signed in for an example; `none` for anybody. */
export type AccountName = 'none' | 'shopper' | 'admin';

export interface Example {
  /** The folder below examples/. */
  subject: string;
  title: string;
  account: AccountName;
  /** Of its operation. */
  name: string;
  query: string;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** The variables whose values are always the same. */
  variables: Readonly<Record<string, unknown>>;
  /** A query whose answer has values of further variables, under the variables' names; null for none. */
  lookup: string | null;
}

const documents = import.meta.glob<string>('../../../examples/*/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const variables = import.meta.glob<string>('../../../examples/*/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function toExample([path, query]: [string, string]): Example {
  const document = parse(query);
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error(`${path} is not one operation.`);
  const beside = (ending: string) => path.replace(/graphql$/, ending);
  const folder = path.split('/').at(-2) ?? '';
  return {
    subject: folder.replace(/^\d+-/, '').replaceAll('-', ' '),
    title: /^# (.+)/.exec(query)?.[1] ?? '',
    account: (/^# Account: (\w+)$/m.exec(query)?.[1] ?? 'none') as AccountName,
    name: operation.name?.value ?? '',
    query,
    document,
    operation,
    variables: JSON.parse(variables[beside('json')] ?? '{}') as Example['variables'],
    lookup: documents[beside('lookup.graphql')] ?? null,
  };
}

/** The documents of examples/ in the order of their paths. */
export const examples = Object.entries(documents)
  .filter(([path]) => !path.endsWith('.lookup.graphql'))
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(toExample);

/** The same by subject, in the order of the folders. */
export const subjects = [...new Set(examples.map(({ subject }) => subject))].map(
  (subject) => [subject, examples.filter((example) => example.subject === subject)] as const,
);

const documents = import.meta.glob<string>('../../../examples/*.graphql', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const variables = import.meta.glob<string>('../../../examples/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The documents of examples/ in the order of their names, each with the variables beside it. */
export const examples = Object.entries(documents)
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(([path, query]) => ({ query, variables: variables[path.replace(/graphql$/, 'json')] ?? null }));

// Prints the introspection documents that graphql-js writes, for every combination of its options, as a JSON list.
const { getIntrospectionQuery } = require('graphql');

const options = [
  'descriptions',
  'specifiedByUrl',
  'directiveIsRepeatable',
  'schemaDescription',
  'inputValueDeprecation',
  'experimentalDirectiveDeprecation',
  'oneOf',
];
const documents = [3, 7, 9].map((typeDepth) => getIntrospectionQuery({ typeDepth }));
for (let bits = 0; bits < 2 ** options.length; bits += 1) {
  documents.push(getIntrospectionQuery(Object.fromEntries(options.map((name, at) => [name, Boolean(bits & (2 ** at))]))));
}
process.stdout.write(JSON.stringify(documents));

import { isInterfaceType, isUnionType, visit } from 'graphql';

const declared = (name, types) =>
  `export const ${name}: Record<string, string[]> = ${JSON.stringify(Object.fromEntries(types), null, 2)};\n`;

/**
 * What makeCache() must know of the types that fragments name. `possibleTypes` has the types behind each interface; what
 * fragments never name, all unions among it, stays out: every browser downloads this list. `objectTypes` has the others,
 * which have no types behind them: in development Apollo warns of a fragment on a type that its cache was not given.
 */
export const plugin = (schema, documents) => {
  const interfaces = new Set();
  const objects = new Set();
  const typeCondition = ({ typeCondition: { name } }) => {
    const type = schema.getType(name.value);
    if (isUnionType(type))
      throw new Error(`Write its members: a fragment on the union ${name.value} would find nothing.`);
    (isInterfaceType(type) ? interfaces : objects).add(type);
  };
  for (const { document } of documents) {
    visit(document, { InlineFragment: typeCondition, FragmentDefinition: typeCondition });
  }
  const possibleTypes = [...interfaces].map((type) => [
    type.name,
    schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .toSorted(),
  ]);
  const objectTypes = [...objects].map(({ name }) => [name, []]).toSorted();
  return [declared('possibleTypes', possibleTypes), declared('objectTypes', objectTypes)].join('\n');
};

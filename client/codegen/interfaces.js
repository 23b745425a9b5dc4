import { isInterfaceType, isUnionType, visit } from 'graphql';

/**
 * The types behind every interface that a fragment asks for, as makeCache() must know them. What fragments never name,
 * all unions among it, stays out: every browser downloads this list.
 */
export const plugin = (schema, documents) => {
  const asked = new Set();
  const typeCondition = ({ typeCondition: { name } }) => {
    const type = schema.getType(name.value);
    if (isUnionType(type))
      throw new Error(`Write its members: a fragment on the union ${name.value} would find nothing.`);
    if (isInterfaceType(type)) asked.add(type);
  };
  for (const { document } of documents) {
    visit(document, { InlineFragment: typeCondition, FragmentDefinition: typeCondition });
  }
  const possibleTypes = Object.fromEntries(
    [...asked].map((type) => [
      type.name,
      schema
        .getPossibleTypes(type)
        .map(({ name }) => name)
        .toSorted(),
    ]),
  );
  return `export const possibleTypes: Record<string, string[]> = ${JSON.stringify(possibleTypes, null, 2)};\n`;
};

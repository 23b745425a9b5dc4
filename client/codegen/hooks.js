const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Gives every operation of a document its own hook: query Cart becomes useCartQuery, mutation SignIn useSignInMutation. */
export const plugin = (_schema, documents) => {
  const operations = documents
    .flatMap(({ document }) => document.definitions)
    .filter(({ kind, operation }) => kind === 'OperationDefinition' && operation !== 'subscription');
  if (operations.length === 0) return '';

  const makers = [...new Set(operations.map(({ operation }) => `${operation}Hook`))].toSorted();
  const hooks = operations.map(({ name, operation }) => {
    const hook = `use${capital(name.value)}${capital(operation)}`;
    return `export const ${hook} = /* @__PURE__ */ ${operation}Hook(${capital(name.value)}Document);`;
  });
  return { prepend: [`import { ${makers.join(', ')} } from '~/graphql/hooks';`], content: hooks.join('\n') };
};

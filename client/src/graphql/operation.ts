import type { DocumentNode } from '@apollo/client';

/** What a document's operation is called: "Home". */
export function nameOf(query: DocumentNode): string {
  const definition = query.definitions.find(({ kind }) => kind === 'OperationDefinition');
  return definition?.kind === 'OperationDefinition' ? (definition.name?.value ?? '') : '';
}

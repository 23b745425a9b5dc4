import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { type SkipToken, useApolloClient, useMutation, useQuery } from '@apollo/client/react';
import { registerDocument, writeInjected } from './injected';

type QueryOptions<Data, Variables extends OperationVariables> = useQuery.Options<Data, Variables> | SkipToken;

type QueryArguments<Data, Variables extends OperationVariables> =
  Record<string, never> extends Variables
    ? [options?: QueryOptions<Data, Variables>]
    : [options: QueryOptions<Data, Variables>];

/** Binds `useQuery` to one document; variables are asked for only when the operation requires some. */
export function queryHook<Data, Variables extends OperationVariables>(document: TypedDocumentNode<Data, Variables>) {
  registerDocument(document);
  return (
    ...[options]: QueryArguments<Data, Variables>
  ): useQuery.Result<Data, Variables, 'complete' | 'streaming' | 'empty'> => {
    writeInjected(useApolloClient(), document, options);
    return useQuery(document, options as useQuery.Options<Data, Variables>);
  };
}

/** Binds `useMutation` to one document. */
export function mutationHook<Data, Variables extends OperationVariables>(document: TypedDocumentNode<Data, Variables>) {
  return (options?: useMutation.Options<Data, Variables>) => useMutation<Data, Variables>(document, options);
}

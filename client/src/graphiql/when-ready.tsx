import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect } from 'react';

interface Props {
  /** Which operation of a document from a link is meant; null for its only one. */
  operationName: string | null;
  onReady: () => void;
}

/** Prepares the editors once they are mounted, and calls back: GraphiQL ignores earlier clicks. */
export function WhenReady({ operationName, onReady }: Props) {
  const { setOperationName } = useGraphiQLActions();
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    responseEditor: state.responseEditor,
  }));
  useEffect(() => {
    if (!queryEditor || !variableEditor || !responseEditor) return;
    for (const editor of [queryEditor, variableEditor, responseEditor]) editor.updateOptions({ wordWrap: 'on' });
    if (operationName) setOperationName(operationName);
    onReady();
  }, [queryEditor, variableEditor, responseEditor, operationName, setOperationName, onReady]);
  return null;
}

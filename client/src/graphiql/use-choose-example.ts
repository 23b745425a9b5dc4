import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { type Example, examples } from './examples';
import { fetchGraphQL } from './fetch-graphql';
import { fillVariables } from './fill-variables';
import { isNarrow } from './narrow';
import { useWorkbench } from './workbench';

const isUntouched = (text: string) => text === '' || examples.some(({ query }) => query === text);

/** Puts an example into the editors, with values from the running shop in its variables. Whatever a reader wrote stays. */
export function useChooseExample(): (example: Example) => Promise<void> {
  const { accounts, known, setChosen, setPane, setProblem } = useWorkbench();
  const { addTab, setOperationFacts, setVisiblePlugin, updateActiveTabValues } = useGraphiQLActions();
  const { queryEditor, variableEditor, responseEditor } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    responseEditor: state.responseEditor,
  }));

  async function lookUp({ lookup }: Example): Promise<unknown> {
    if (lookup === null) return null;
    try {
      return (await fetchGraphQL({ query: lookup })).data;
    } catch {
      setProblem('The shop does not answer.');
      return null;
    }
  }

  return async (example) => {
    setProblem('');
    const shopper = accounts.find(({ name }) => name === 'shopper');
    const credentials = shopper && { email: shopper.email, password: shopper.password };
    const { text, missing } = fillVariables(example, await lookUp(example), { ...known, ...credentials });
    if (!queryEditor || !variableEditor || !responseEditor) return;
    if (!isUntouched(queryEditor.getValue())) addTab();
    queryEditor.setValue(example.query);
    variableEditor.setValue(text);
    responseEditor.setValue('');
    const { document, name, operation, query } = example;
    // Its own reading of the editor comes a moment later, and a quick reader presses Execute before.
    setOperationFacts({ documentAST: document, operationName: name, operations: [operation] });
    updateActiveTabValues({ query, variables: text, response: null, operationName: name });
    setChosen({ example, missing });
    setPane('query');
    if (isNarrow()) {
      setVisiblePlugin(null);
      requestAnimationFrame(() => window.document.querySelector<HTMLElement>('.graphiql-execute-button')?.focus());
    }
  };
}

import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

/** Calls back once the editors are mounted: GraphiQL ignores earlier clicks. */
export function WhenReady({ onReady }: { onReady: () => void }) {
  const ready = useGraphiQL(({ queryEditor, variableEditor, responseEditor }) =>
    Boolean(queryEditor && variableEditor && responseEditor),
  );
  useEffect(() => {
    if (ready) onReady();
  }, [ready, onReady]);
  return null;
}

import { useGraphiQL } from '@graphiql/react';
import { useEffect } from 'react';

/** Tells once that the editors are there: GraphiQL silently drops what is pressed before. */
export function WhenReady({ onReady }: { onReady: () => void }) {
  const ready = useGraphiQL(({ queryEditor, variableEditor, responseEditor }) =>
    Boolean(queryEditor && variableEditor && responseEditor),
  );
  useEffect(() => {
    if (ready) onReady();
  }, [ready, onReady]);
  return null;
}

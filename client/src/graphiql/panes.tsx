import { useGraphiQL, useGraphiQLActions } from '@graphiql/react';
import { useEffect, useRef } from 'react';
import { EXAMPLES } from './examples-menu';
import { isNarrow } from './narrow';
import { useWorkbench } from './workbench';

/** What a narrow window shows one at a time. A result is shown when it is asked for. */
export function Panes() {
  const { pane, setPane } = useWorkbench();
  const { setVisiblePlugin } = useGraphiQLActions();
  const { isFetching, visiblePlugin } = useGraphiQL((state) => ({
    isFetching: state.isFetching,
    visiblePlugin: state.visiblePlugin,
  }));
  const result = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isFetching) return;
    setPane('result');
    if (isNarrow()) result.current?.focus();
  }, [isFetching, setPane]);

  const show = (shown: typeof pane) => () => {
    setVisiblePlugin(null);
    setPane(shown);
  };
  const isShown = (shown: typeof pane) => visiblePlugin === null && pane === shown;
  return (
    <nav aria-label="Panes" className="panes">
      <button type="button" aria-pressed={visiblePlugin === EXAMPLES} onClick={() => setVisiblePlugin(EXAMPLES)}>
        Examples
      </button>
      <button type="button" aria-pressed={isShown('query')} onClick={show('query')}>
        Query
      </button>
      <button type="button" ref={result} aria-pressed={isShown('result')} onClick={show('result')}>
        Result
      </button>
    </nav>
  );
}

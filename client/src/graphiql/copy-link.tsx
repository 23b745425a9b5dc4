import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import { linkTo, type SharedQuery } from './shared-query';

const STATUS_MS = 2000;
const page = () => `${window.location.origin}${window.location.pathname}`;

function LinkIcon() {
  return (
    <svg
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.3}
      className="graphiql-toolbar-icon"
      aria-hidden="true"
    >
      <path d="M5.8 8.2a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.9.9M8.2 5.8a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.9-.9" />
    </svg>
  );
}

/** Copies a link to the editors' present content. */
export function CopyLink() {
  const { queryEditor, variableEditor } = useGraphiQL(({ queryEditor: query, variableEditor: variables }) => ({
    queryEditor: query,
    variableEditor: variables,
  }));
  const [status, setStatus] = useState('');

  async function copy(shared: Pick<SharedQuery, 'query' | 'variables'>) {
    try {
      await navigator.clipboard.writeText(linkTo(shared, page()));
      setStatus('Link copied');
    } catch {
      window.location.hash = new URL(linkTo(shared, page())).hash;
      setStatus('The link is in the address bar');
    }
    setTimeout(() => setStatus(''), STATUS_MS);
  }

  return (
    <>
      <ToolbarButton
        label="Copy a link to this query"
        onClick={() => {
          if (queryEditor && variableEditor)
            void copy({ query: queryEditor.getValue(), variables: variableEditor.getValue() });
        }}
      >
        <LinkIcon />
      </ToolbarButton>
      <span role="status" className="copy-status">
        {status}
      </span>
    </>
  );
}

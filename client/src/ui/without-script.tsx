import type { ReactNode } from 'react';

export interface WithoutScriptProps {
  /** What cannot be done here without script: "Buying". */
  what: string;
}

/** Says in a browser without script what needs it, and what to do. The server writes it; with script none of it is seen. */
export const WithoutScript: (props: WithoutScriptProps) => ReactNode = () => <noscript />;

import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { changeAccount, type DemoAccount, demoAccounts, fetchViewer, type Viewer } from './accounts';
import type { Example } from './examples';
import type { Answer } from './fetch-graphql';
import { type Values, valuesIn } from './fill-variables';

/** What a narrow window shows, while no plugin is open; a wide one has room for both. */
export type Pane = 'query' | 'result';

interface ChosenExample {
  example: Example;
  /** Its required variables that have no value. */
  missing: readonly string[];
}

interface Workbench {
  /** Undefined until the server has said who is signed in. */
  viewer: Viewer | null | undefined;
  accounts: readonly DemoAccount[];
  /** What went wrong last; '' for nothing. */
  problem: string;
  chosen: ChosenExample | null;
  pane: Pane;
  /** Values of the answers so far, by the names of their fields. */
  known: Values;
  setPane: (pane: Pane) => void;
  setProblem: (problem: string) => void;
  setChosen: (chosen: ChosenExample) => void;
  /** Signs in as an account, or out with null. */
  changeTo: (account: DemoAccount | null) => Promise<void>;
  /** Keeps what an answer says: who is signed in now, and values for later examples. */
  note: (document: string, answer: Answer) => void;
}

/** Names of variables that come from the answer to another example. */
const REMEMBERED = ['sessionId'];
const AWAY = 'The shop does not answer.';

const WorkbenchContext = createContext<Workbench | null>(null);

export function useWorkbench(): Workbench {
  const workbench = use(WorkbenchContext);
  if (!workbench) throw new Error('There is no WorkbenchProvider.');
  return workbench;
}

export function WorkbenchProvider({ children }: { children: ReactNode }) {
  const [accounts] = useState(() => demoAccounts());
  const [viewer, setViewer] = useState<Viewer | null>();
  const [problem, setProblem] = useState('');
  const [chosen, setChosen] = useState<ChosenExample | null>(null);
  const [pane, setPane] = useState<Pane>('query');
  const [known, setKnown] = useState<Values>({});

  const askWho = useCallback(() => fetchViewer().then(setViewer, () => setProblem(AWAY)), []);
  useEffect(() => void askWho(), [askWho]);

  const changeTo = useCallback(
    async (account: DemoAccount | null) => {
      setProblem(await changeAccount(account).catch(() => AWAY));
      await askWho();
    },
    [askWho],
  );
  const note = useCallback(
    (document: string, { data }: Answer) => {
      setKnown((before) => ({ ...before, ...valuesIn(data, REMEMBERED, true) }));
      if (/^\s*mutation\b/m.test(document)) void askWho();
    },
    [askWho],
  );
  const workbench = useMemo(
    () => ({ viewer, accounts, problem, chosen, pane, known, setPane, setProblem, setChosen, changeTo, note }),
    [viewer, accounts, problem, chosen, pane, known, changeTo, note],
  );
  return <WorkbenchContext value={workbench}>{children}</WorkbenchContext>;
}

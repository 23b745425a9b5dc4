import { useSwitch } from './account-switch';
import { suffices } from './accounts';
import { useWorkbench } from './workbench';

const NEEDED = { none: '', shopper: 'a signed-in account', admin: 'an admin' };

/** What the chosen example lacks, and the way to it. */
export function StatusBar() {
  const { viewer, accounts, chosen, problem } = useWorkbench();
  const switchTo = useSwitch();
  const account = chosen?.example.account ?? 'none';
  const lacksAccount = viewer !== undefined && !suffices(viewer, account);
  const demoAccount = accounts.find(({ name }) => name === account);

  return (
    <div className="status" role="status">
      {problem && <p>{problem}</p>}
      {chosen && lacksAccount && (
        <p>
          “{chosen.example.title}” needs {NEEDED[account]}.{' '}
          {demoAccount && (
            <button type="button" onClick={() => void switchTo(demoAccount)}>
              Sign in as {account}
            </button>
          )}
        </p>
      )}
      {chosen && !lacksAccount && chosen.missing.length > 0 && (
        <p>The shop has no value for {chosen.missing.join(' and ')} now: see the comment, or write one.</p>
      )}
    </div>
  );
}

import type { DemoAccount } from './accounts';
import { useChooseExample } from './use-choose-example';
import { useWorkbench } from './workbench';

/** Changes the account, and fills the variables of the example in the editor anew. */
export function useSwitch(): (account: DemoAccount | null) => Promise<void> {
  const { changeTo, chosen } = useWorkbench();
  const choose = useChooseExample();
  return async (account) => {
    await changeTo(account);
    if (chosen && chosen.missing.length > 0) await choose(chosen.example);
  };
}

/** Who is signed in; in a demo shop with its accounts, one press each. */
export function AccountSwitch() {
  const { viewer, accounts } = useWorkbench();
  const switchTo = useSwitch();
  if (viewer === undefined) return null;
  if (accounts.length === 0) return viewer ? <span>{viewer.name}</span> : <a href="/signin">Sign in</a>;
  const isOther = viewer !== null && accounts.every(({ email }) => email !== viewer.email);

  return (
    <div role="group" aria-label="Signed in as" className="accounts">
      <button type="button" aria-pressed={viewer === null} onClick={() => void switchTo(null)}>
        Visitor
      </button>
      {accounts.map((account) => (
        <button
          key={account.name}
          type="button"
          aria-pressed={viewer?.email === account.email}
          onClick={() => void switchTo(account)}
        >
          {account.name}
        </button>
      ))}
      {isOther && <span>{viewer.name}</span>}
    </div>
  );
}

import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { browserName } from '~/ui/browser-name';
import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import { ConfirmDialog } from '~/ui/dialog';
import { NoRows } from '~/ui/table';
import { Moment } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import {
  type CustomerSessionsFragment,
  useResetSecondFactorsMutation,
  useSignOutUserMutation,
} from './customer.generated';
import { texts } from './texts';

interface CustomerSessionsProps {
  customer: CustomerSessionsFragment;
  /** Whether the reader may end them; the words at `noteId` say why not. */
  allowed: boolean;
  noteId: string;
}

function useSignOut(id: string) {
  const [signOutUser, { loading }] = useSignOutUserMutation();

  async function signOut(sessionId?: string) {
    const { data, message } = await toResult(signOutUser({ variables: { id, sessionId: sessionId ?? null } }));
    if (data) toast.success(texts.signedOut);
    else toast.error(message ?? texts.signOutFailed);
  }

  return { signOut, loading };
}

type Session = CustomerSessionsFragment['sessions'][number];

function EndSession({ customer, session, allowed, noteId }: CustomerSessionsProps & { session: Session }) {
  const { signOut, loading } = useSignOut(customer.id);
  return (
    <Button
      small
      disabled={!allowed}
      aria-describedby={allowed ? undefined : noteId}
      aria-label={`Sign out ${browserName(session.userAgent)}`}
      working={loading && 'Signing out ...'}
      onClick={() => void signOut(session.id)}
    >
      Sign out
    </Button>
  );
}

/** For an admin who has lost phone and codes: a reset by mail leaves the second factor as it is. */
function SecondFactors({ customer, allowed, noteId }: CustomerSessionsProps) {
  const [resetSecondFactors, { loading }] = useResetSecondFactorsMutation();
  const [asking, setAsking] = useState(false);
  if (customer.role !== 'ADMIN' || customer.isPrimaryAdmin || !customer.hasSecondFactor) return null;

  async function end() {
    setAsking(false);
    const { data, message } = await toResult(resetSecondFactors({ variables: { id: customer.id } }));
    if (data) toast.success(texts.secondFactorsEnded);
    else toast.error(message ?? texts.secondFactorsNotEnded);
  }

  return (
    <>
      <Button
        small
        disabled={!allowed}
        aria-describedby={allowed ? undefined : noteId}
        working={loading && 'Ending ...'}
        onClick={() => setAsking(true)}
      >
        {texts.endSecondFactors}
      </Button>
      <ConfirmDialog
        open={asking}
        title={`End passkeys and codes of ${customer.name}?`}
        text={texts.endingSecondFactors}
        confirm={texts.endSecondFactors}
        onClose={() => setAsking(false)}
        onConfirm={() => void end()}
      />
    </>
  );
}

/** Browsers that are signed in to the account, and the way to end one or all of them. */
export function CustomerSessions(props: CustomerSessionsProps) {
  return (
    <>
      {props.customer.sessions.length === 0 ? <NoRows>{texts.noSessions}</NoRows> : <SignedIn {...props} />}
      <div>
        <SecondFactors {...props} />
      </div>
    </>
  );
}

function SignedIn(props: CustomerSessionsProps) {
  const { customer, allowed, noteId } = props;
  const { signOut, loading } = useSignOut(customer.id);
  const [asking, setAsking] = useState(false);

  return (
    <>
      <DataTable
        label="Sessions"
        rows={customer.sessions}
        columns={[
          { title: 'Browser', isRowHeader: true, cell: ({ userAgent }) => browserName(userAgent) },
          { title: 'Signed in', label: true, cell: ({ createdAt }) => <Moment at={createdAt} /> },
          {
            title: 'Last seen',
            label: true,
            cell: ({ isCurrent, lastSeenAt }) => (isCurrent ? 'This browser' : <Moment at={lastSeenAt} />),
          },
          { title: 'Controls', kind: 'controls', cell: (session) => <EndSession session={session} {...props} /> },
        ]}
      />
      <div>
        <Button
          small
          disabled={!allowed}
          aria-describedby={allowed ? undefined : noteId}
          working={loading && 'Signing out ...'}
          onClick={() => setAsking(true)}
        >
          {texts.signOutEverywhere}
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={`Sign ${customer.name} out everywhere?`}
        text={texts.signingOut}
        confirm="Sign out"
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void signOut();
        }}
      />
    </>
  );
}

import { useEffect, useRef, useState } from 'react';
import { toResult } from '~/graphql/settled';
import { useCheckPasswordResetMutation } from './auth.generated';

/** Why the mailed link of this token sets no password; null while it may. The server is asked once. */
export function useResetLink(token: string): string | null {
  const [checkPasswordReset] = useCheckPasswordResetMutation();
  const [refusal, setRefusal] = useState<string | null>(null);
  const checked = useRef<string>(undefined);

  useEffect(() => {
    if (checked.current === token) return;
    checked.current = token;
    // Without an answer the form stays, and says what is wrong when it is sent.
    void toResult(checkPasswordReset({ variables: { token } })).then(({ data }) => {
      const result = data?.checkPasswordReset;
      setRefusal(result?.__typename === 'LinkExpired' ? result.message : null);
    });
  }, [checkPasswordReset, token]);

  return refusal;
}

import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { toast } from '~/ui/toast';
import styles from './account-details.module.css';
import { GoogleCredentialButton } from './google-button';
import { type SignInWaysFragment, useLinkGoogleMutation, useUnlinkGoogleMutation } from './profile.generated';
import { texts } from './texts';

interface SignInWaysProps extends SignInWaysFragment {
  googleClientId: string;
}

/** What signs in to the account, and the way to link Google or to end that. */
export function SignInWays({ hasPassword, googleLinked, googleClientId }: SignInWaysProps) {
  return (
    <ul className={styles.sessions}>
      <li className={styles.session}>
        <div>
          <p>Password</p>
          <p className="small soft">{hasPassword ? 'Set' : 'Not set: Edit, above, sets one'}</p>
        </div>
      </li>
      <li className={styles.session}>
        <div>
          <p>Google</p>
          <p className="small soft">{googleLinked ? 'Linked' : 'Not linked'}</p>
        </div>
        {googleLinked ? <UnlinkGoogle /> : googleClientId && <LinkGoogle clientId={googleClientId} />}
      </li>
    </ul>
  );
}

/** Loads Google's script only when its button is requested. */
function LinkGoogle({ clientId }: { clientId: string }) {
  const [showsGoogle, setShowsGoogle] = useState(false);
  const [linkGoogle] = useLinkGoogleMutation();

  async function link(token: string) {
    const { data, message } = await toResult(linkGoogle({ variables: { token } }));
    const result = data?.linkGoogle;
    if (result?.__typename === 'ProvidersChanged') toast.success(texts.googleLinked);
    else toast.error(result?.message ?? message ?? texts.googleFailed);
  }

  if (showsGoogle) return <GoogleCredentialButton clientId={clientId} onCredential={link} />;
  return (
    <Button small aria-label="Link Google" onClick={() => setShowsGoogle(true)}>
      Link
    </Button>
  );
}

function UnlinkGoogle() {
  const [unlinkGoogle, { loading }] = useUnlinkGoogleMutation();

  async function unlink() {
    const { data, message } = await toResult(unlinkGoogle());
    const result = data?.unlinkGoogle;
    if (result?.__typename === 'ProvidersChanged') toast.success(texts.googleUnlinked);
    else toast.error(result?.message ?? message ?? texts.googleUnlinkFailed);
  }

  return (
    <Button small aria-label="Unlink Google" working={loading && 'Unlinking ...'} onClick={() => void unlink()}>
      Unlink
    </Button>
  );
}

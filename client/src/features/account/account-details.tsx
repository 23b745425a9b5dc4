import { useState } from 'react';
import { Button } from '~/ui/button';
import styles from './account-details.module.css';
import { EditProfileForm } from './edit-profile-form';
import { NewVerificationLink } from './new-verification-link';
import type { ProfileDetailsFragment } from './profile.generated';

/** Name and e-mail, as they are or being changed. */
export function AccountDetails({ profile }: { profile: ProfileDetailsFragment }) {
  const [editing, setEditing] = useState(false);

  if (editing) return <EditProfileForm profile={profile} onClose={() => setEditing(false)} />;
  return (
    <>
      <dl className={styles.details}>
        <div>
          <dt>Name</dt>
          <dd>{profile.name}</dd>
        </div>
        <div>
          <dt>E-mail</dt>
          <dd>
            {profile.email}
            {!profile.emailVerified && (
              <>
                <p className="small soft">Not verified yet: open the link that we mailed to you.</p>
                <NewVerificationLink />
              </>
            )}
          </dd>
        </div>
      </dl>
      <Button onClick={() => setEditing(true)}>Edit</Button>
    </>
  );
}

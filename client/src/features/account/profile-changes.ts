import type { ProfileValues } from './rules';

/** Only what differs from what is stored; an empty password is no change. */
export function profileChanges(
  stored: { name: string; email: string },
  entered: ProfileValues,
): Partial<ProfileValues> {
  return {
    ...(entered.name !== stored.name && { name: entered.name }),
    ...(entered.email !== stored.email && { email: entered.email }),
    ...(entered.password !== '' && { password: entered.password }),
  };
}

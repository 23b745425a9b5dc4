import { answerWithPasskey, hasPasskeys } from '~/session/webauthn';
import { texts } from './security-texts';

/** What an authenticator answered, or why it did not, in words. */
interface PasskeyAnswer {
  credential?: string;
  message?: string;
}

/** Asks for a passkey and puts what can go wrong into words: a person who cancels is no fault. */
export async function passkeyFor(options: string): Promise<PasskeyAnswer> {
  if (!hasPasskeys()) return { message: texts.noPasskeys };
  try {
    return { credential: await answerWithPasskey(options) };
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === 'NotAllowedError';
    if (!isCancelled) console.error('The authenticator did not answer.', error);
    return { message: isCancelled ? texts.passkeyCancelled : texts.passkeyFailed };
  }
}

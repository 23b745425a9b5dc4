/** The browser's authenticators, in the JSON that the server speaks. */

export const hasPasskeys = () => typeof PublicKeyCredential === 'function';

/** Makes a passkey for the server's options. Rejects when the person cancels or the browser has no authenticator. */
export async function createPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.create({ publicKey }));
}

/** Asks an authenticator to answer the server's challenge. Rejects as `createPasskey` does. */
export async function answerWithPasskey(options: string): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
  return JSON.stringify(await navigator.credentials.get({ publicKey }));
}

/** The browser's authenticators, in the JSON that the server speaks. */

/** The newest of what is used below: browsers have had passkeys for years without it. */
export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

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

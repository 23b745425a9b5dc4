import { loadScript, standInScript } from '~/ui/load-script';

interface ButtonOptions {
  text: 'continue_with';
  size: 'large';
  logo_alignment: 'left';
  width: number;
}

/** As much of Google Identity Services as is used: https://developers.google.com/identity/gsi/web/reference/js-reference. */
interface GoogleIdentity {
  initialize: (settings: { client_id: string; callback: (answer: { credential?: string }) => void }) => void;
  renderButton: (place: HTMLElement, options: ButtonOptions) => void;
}

declare global {
  interface Window {
    google?: { accounts: { id: GoogleIdentity } };
  }
}

const ADDRESS = 'https://accounts.google.com/gsi/client';

/** Google's script, or its stand-in. Rejects when it cannot be had. */
export async function loadGoogleIdentity(): Promise<GoogleIdentity> {
  await loadScript(standInScript('google-identity') ?? ADDRESS);
  if (!window.google) throw new Error('Google’s script has not brought what signs in.');
  return window.google.accounts.id;
}

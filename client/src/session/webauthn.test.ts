import { afterEach, expect, it, vi } from 'vitest';
import { hasPasskeys } from './webauthn';

afterEach(() => void vi.unstubAllGlobals());

const parses = { parseRequestOptionsFromJSON: () => ({}), parseCreationOptionsFromJSON: () => ({}) };

it.each([
  ['without passkeys', undefined, false],
  ['with passkeys whose options it cannot read', () => undefined, false],
  ['with passkeys', Object.assign(() => undefined, parses), true],
])('a browser %s: %s', (_, credential, has) => {
  vi.stubGlobal('PublicKeyCredential', credential);

  expect(hasPasskeys()).toBe(has);
});

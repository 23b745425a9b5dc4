/** What the shop says about passkeys, codes and signing in again. */
export const texts = {
  title: 'Sign-in and security',
  withPasskey: 'Sign in with a passkey',
  noPasskeys: 'This browser has no passkeys.',
  passkeyCancelled: 'No passkey was used.',
  passkeyFailed: 'The passkey could not be used. Please try again.',
  secondStep: 'Your account asks for a second proof that it is you.',
  aPasskey: 'Use a passkey',
  code: 'Code',
  anyCode: 'Six digits from your authenticator app, or one of your recovery codes.',
  codeMissing: 'Please enter a code',
  confirm: 'Confirm',
  confirming: 'Confirming ...',
  startAgain: 'Start again',
  confirmFailed: 'Your sign-in could not be confirmed. Please try again.',

  again: 'Confirm that it is you',
  againText: 'What you are about to do asks for it after 15 minutes without work, and after eight hours.',
  passwordMissing: 'Please enter your password',

  passkeys: 'Passkeys',
  passkeysText:
    'A passkey signs you in with a fingerprint, a face or a PIN. Your password alone then no longer signs in.',
  addPasskey: 'Add a passkey',
  passkeyName: 'Name',
  passkeyNameNote: 'So that you know it again.',
  passkeyAdded: 'Passkey added',
  passkeyRenamed: 'Passkey renamed',
  passkeyRemoved: 'Passkey removed',
  addFailed: 'The passkey could not be added. Please try again.',
  removePasskey: 'Remove passkey',

  codes: 'Codes from an authenticator app',
  codesOff:
    'An app on your phone makes a new code of six digits every thirty seconds. Your password alone then no longer signs in.',
  codesOn: 'Turned on: signing in with your password asks for a code.',
  setUpCodes: 'Set up codes',
  scan: 'Scan this with your authenticator app, or type the key into it.',
  key: 'Key',
  turnOn: 'Turn on',
  turnedOn: 'Codes are turned on',
  turnOff: 'Turn off codes',
  turnedOff: 'Codes are turned off',

  recovery: 'Recovery codes',
  recoveryText:
    'Each stands in for a lost passkey or phone, once. Keep them where you will find them without your phone.',
  renew: 'Make new codes',
  renewText: 'The codes that you have kept stop working.',
  shownOnce: 'These are shown only now.',
  download: 'Download',
  kept: 'I have kept them',
  changeFailed: 'This could not be changed. Please try again.',

  missing: 'Admins of this shop sign in with a second factor. Set up a passkey or codes to open the back office.',
} as const;

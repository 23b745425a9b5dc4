/** What the rooms of codes, delivery and settings say. */
export const texts = {
  codes: 'Discount codes',
  codesWaiting: 'Fetching the codes',
  codesFailed: 'Error retrieving discount codes',
  noCodes: 'No code yet. Make the first one.',
  noCodesFound: 'No code matches.',
  newCode: 'New code',
  editCode: 'Change',
  endCode: 'End',
  endTitle: (code: string) => `End ${code}?`,
  endText: (code: string) =>
    `From now on nobody can use ${code}. Checkouts that are open and orders that were placed keep their discount.`,
  saved: (code: string) => `${code} is saved`,
  ended: (code: string) => `${code} has ended`,

  delivery: 'Delivery and tax',
  deliveryWaiting: 'Fetching the rates',
  deliveryFailed: 'Error retrieving delivery rates',
  everywhereFree: 'No zone yet: the shop delivers everywhere, free. With the first zone it delivers to zones only.',
  newZone: 'New zone',
  change: 'Change',
  remove: 'Remove',
  removeZoneTitle: (name: string) => `Remove ${name}?`,
  removeZoneText: (name: string) =>
    `The rates of ${name} are lost. Its countries go by the rest of the world, or are not delivered to any more.`,
  noTax: 'No tax yet: nothing is taxed anywhere.',
  newTax: 'Set a tax',
  removeTaxTitle: (country: string) => `No tax for ${country}?`,
  removeTaxText: (country: string) => `What is sent to ${country} will be sold without tax from now on.`,
  tryIt: 'Try it',

  settings: 'Settings',
  settingsWaiting: 'Fetching the settings',
  settingsFailed: 'Error retrieving settings',
  settingsSaved: 'Settings saved',
  fromEnvironment: 'As the environment says',
  decidedHere: 'Decided here',

  save: 'Save',
  saving: 'Saving ...',
  cancel: 'Cancel',
  notSaved: 'It could not be saved. Please try again.',
} as const;

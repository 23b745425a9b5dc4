import { texts as shared } from '~/ui/account-texts';
import { shopName } from '~/ui/shop-name';
import { texts as ui } from '~/ui/texts';

/** What the shop says about accounts and addresses; the letter is the specification's. */
export const texts = {
  signIn: ui.signIn,
  signUp: 'Get Started',
  fullName: 'Full name',
  continueShopping: ui.continueShopping,
  signInFirst: 'Please Signin to Continue',
  get welcomeBack() {
    return `Welcome back to ${shopName()}`;
  },
  get welcomeNew() {
    return `Welcome to ${shopName()}!`;
  },
  get welcomeGoogle() {
    return `Welcome to ${shopName()}`;
  },
  invalidCredentials: 'Invalid credentials',
  googleFailed: 'Google authentication failed',
  signUpFailed: 'Signup Failed, please try again later',

  sendResetLink: 'Send Reset Link',
  resetLinkSent: 'Reset link sent to your email',
  resetLinkFailed: 'Failed to send reset link, please try again',
  resetTitle: 'Reset Your Password',
  resetHint: 'Enter your new password',
  newResetLink: 'Say where to, and a new one comes by mail. It works once, for one hour.',
  newPassword: 'New password',
  confirmPassword: 'Confirm new password',
  resetPassword: 'Reset Password',
  resetting: 'Resetting...',
  passwordReset: 'Password reset successfully',
  passwordResetFailed: 'Failed to reset password, please try again',

  verificationFailed: 'Your e-mail could not be verified. Please open the link again.',
  emailVerified: 'Your e-mail is verified.',
  newLink: 'Mail me a new link',
  newLinkSent: 'A new link is on its way to you.',
  newLinkFailed: 'A new link could not be mailed. Please try again.',
  signInForLink: 'Sign in, and your account mails you a new one.',
  passwordToConfirm: 'Please enter the password of the account',
  confirmAddress: 'Confirm',
  notMe: 'That was not me',
  notMeHint:
    'If it was not you, somebody used your address for an account. We delete the account if nothing was ever bought with it, and take your address off it otherwise.',
  emailDenied: 'Thank you. No account uses your address any more.',
  denialFailed: 'That could not be noted. Please try again.',

  invalidEmail: 'Please enter a valid email',
  passwordToSignIn: 'Please enter your password to signin',
  shortName: 'Name must be at least 5 characters',
  weakPassword:
    'Password must contain at least 8 characters, including uppercase, lowercase, numbers and special characters (!@#$%^&*)',
  emptyPassword: 'Password filed cannot be empty',
  shortPassword: 'Password must be at least 8 characters long',
  simplePassword:
    'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character',
  passwordsDiffer: 'Passwords do not match',

  details: shared.accountDetails,
  detailsFailed: 'Your details could not be loaded.',
  optionalPassword: 'New Password (optional)',
  saveChanges: shared.saveChanges,
  savingChanges: shared.savingChanges,
  profileUpdated: 'Profile updated successfully.',
  profileFailed: 'Error updating profile',
  signInAgain: 'Please signin again.',

  passwordToDelete: 'Please enter your password to delete the account',
  accountDeleted: 'Your account is deleted',
  accountDeleteFailed: 'Your account could not be deleted. Please try again.',

  googleLinked: 'Google signs in to your account now',
  googleUnlinked: 'Google no longer signs in to your account',
  googleUnlinkFailed: 'The link to Google could not be removed. Please try again.',

  endSessionFailed: 'That browser could not be signed out. Please try again.',
  endOtherSessions: 'Sign out everywhere else',
  endOtherSessionsFailed: 'The other browsers could not be signed out. Please try again.',
  otherSessionsEnded: 'This is the only browser that is signed in',

  ordersFailed: 'Your orders could not be loaded.',
  orderHistory: shared.orderHistory,
  moreFailed: 'More orders could not be loaded.',
  noOrders: shared.noOrders,
  noOrder: 'There is no such order',
  otherAccount: 'Perhaps it belongs to another account of yours. Your orders are listed in Order History.',
  noProductName: shared.noProductName,
  cancelFailed: 'The order could not be canceled. Please try again.',
  returnFailed: 'The return could not be asked for. Please try again.',
  returnAsked: 'Return asked for. We answer by mail.',
  nothingToReturn: 'Choose what you want to return',

  nameRequired: 'Full name is required',
  addressRequired: 'Address is required',
  cityRequired: 'City is required',
  countryRequired: 'Country is required',
  stateRequired: (label: string) => `${label} is required`,
  chooseCountry: 'Choose a country',
  loadingCountries: 'Loading countries ...',
  delivered: 'We deliver to',
  notDelivered: 'Not delivered to yet',
  chooseState: (label: string) => `Choose: ${label.toLowerCase()}`,
  optional: (label: string) => `${label} (optional)`,
  phoneRequired: 'Phone number is required',

  addressesTitle: 'Shipping Addresses',
  addAddress: 'Add a new address',
  addTitle: 'Add Shipping Address',
  editTitle: 'Edit Shipping Address',
  makeDefault: 'Set as default address',
  deleteAddress: 'Delete Address',
  noUndo: shared.noUndo,
  noAddresses: shared.noAddresses,
  addressesFailed: shared.addressesFailed,
  addressAdded: 'Address added successfully',
  addressUpdated: 'Address updated successfully',
  addressDeleted: 'Address deleted successfully',
  addFailed: 'Error adding address',
  updateFailed: 'Error updating address',
  deleteFailed: 'Error deleting address',
} as const;

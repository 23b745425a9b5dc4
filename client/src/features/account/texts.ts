/** What the shop says about accounts and addresses; the letter is the specification's. */
export const texts = {
  signInFirst: 'Please Signin to Continue',
  welcomeBack: 'Welcome back to Minimal',
  welcomeNew: 'Welcome to Minimal!',
  welcomeGoogle: 'Welcome to Minimal',
  invalidCredentials: 'Invalid credentials',
  googleFailed: 'Google authentication failed',
  signUpFailed: 'Signup Failed, please try again later',

  resetLinkSent: 'Reset link sent to your email',
  resetLinkFailed: 'Failed to send reset link, please try again',
  passwordReset: 'Password reset successfully',
  passwordResetFailed: 'Failed to reset password, please try again',

  verificationFailed: 'Your e-mail could not be verified. Please open the link again.',

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

  profileUpdated: 'Profile updated successfully.',
  profileFailed: 'Error updating profile',
  signInAgain: 'Please signin again.',

  passwordToDelete: 'Please enter your password to delete the account',
  accountDeleted: 'Your account is deleted',
  accountDeleteFailed: 'Your account could not be deleted. Please try again.',

  endSessionFailed: 'That browser could not be signed out. Please try again.',

  ordersFailed: 'Your orders could not be loaded.',
  noOrders: 'No orders found',
  noProductName: 'Product Name Unavailable',
  cancelFailed: 'The order could not be canceled. Please try again.',
  returnFailed: 'The return could not be asked for. Please try again.',
  returnAsked: 'Return asked for. We answer by mail.',
  nothingToReturn: 'Choose what you want to return',

  nameRequired: 'Full name is required',
  addressRequired: 'Address is required',
  cityRequired: 'City is required',
  countryRequired: 'Country is required',
  phoneRequired: 'Phone number is required',

  noAddresses: 'No addresses found',
  addressesFailed: 'Failed to fetch addresses',
  addressAdded: 'Address added successfully',
  addressUpdated: 'Address updated successfully',
  addressDeleted: 'Address deleted successfully',
  addFailed: 'Error adding address',
  updateFailed: 'Error updating address',
  deleteFailed: 'Error deleting address',
} as const;

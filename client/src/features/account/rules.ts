import * as v from 'valibot';
import { visible } from '~/ui/visible';
import { texts } from './texts';

const email = v.pipe(v.string(), v.trim(), v.regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, texts.invalidEmail));
const name = v.pipe(v.string(), v.trim(), v.minLength(5, texts.shortName), v.regex(visible, texts.shortName));
const strong = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!@#$%^&*])[A-Za-z\d!@#$%^&*]{8,}$/;
const password = v.pipe(v.string(), v.regex(strong, texts.weakPassword));
const required = (message: string) => v.pipe(v.string(), v.trim(), v.regex(visible, message));

export const signInRules = v.object({
  email,
  password: v.pipe(v.string(), v.nonEmpty(texts.passwordToSignIn)),
});

export const deleteAccountRules = v.object({ password: v.pipe(v.string(), v.nonEmpty(texts.passwordToDelete)) });

export const signUpRules = v.object({ name, email, password });

export const forgotPasswordRules = v.object({ email });

const kinds = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])/s;
const newPassword = v.pipe(
  v.string(),
  v.nonEmpty(texts.emptyPassword),
  v.minLength(8, texts.shortPassword),
  v.regex(kinds, texts.simplePassword),
);

export const resetPasswordRules = v.pipe(
  v.object({ password: newPassword, confirmation: v.pipe(v.string(), v.nonEmpty(texts.emptyPassword)) }),
  v.forward(
    v.partialCheck(
      [['password'], ['confirmation']],
      ({ password, confirmation }) => password === confirmation,
      texts.passwordsDiffer,
    ),
    ['confirmation'],
  ),
);

/** An empty new password means: keep the one there is. */
export const profileRules = v.object({ name, email, password: v.union([v.literal(''), password], texts.weakPassword) });

export const addressRules = v.object({
  name: required(texts.nameRequired),
  address1: required(texts.addressRequired),
  address2: v.pipe(v.string(), v.trim()),
  city: required(texts.cityRequired),
  country: required(texts.countryRequired),
  state: v.string(),
  postalCode: v.pipe(v.string(), v.trim()),
  phone: required(texts.phoneRequired),
  isDefault: v.boolean(),
});

export type ProfileValues = v.InferOutput<typeof profileRules>;
export type AddressValues = v.InferOutput<typeof addressRules>;

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { addressRules, profileRules, resetPasswordRules, signInRules, signUpRules } from './rules';

function complaints(rules: v.GenericSchema, values: unknown) {
  const { issues } = v.safeParse(rules, values);
  return issues ? v.flatten(issues).nested : undefined;
}

const weak =
  'Password must contain at least 8 characters, including uppercase, lowercase, numbers and special characters (!@#$%^&*)';

describe('sign-in', () => {
  it('takes an e-mail and any password', () => {
    expect(complaints(signInRules, { email: 'ada@minimal.test', password: 'x' })).toBeUndefined();
  });

  // spec: validation.email
  it.each(['', 'ada', 'ada@', '@minimal.test', 'ada@minimal', 'a da@minimal.test'])(
    'refuses %j as an e-mail',
    (email) => {
      expect(complaints(signInRules, { email, password: 'x' })).toEqual({ email: ['Please enter a valid email'] });
    },
  );

  it('asks for the password', () => {
    expect(complaints(signInRules, { email: 'ada@minimal.test', password: '' })).toEqual({
      password: ['Please enter your password to signin'],
    });
  });
});

describe('sign-up', () => {
  const good = { name: 'Ada L', email: 'ada@minimal.test', password: 'Secret1!' };

  it('takes a name of five characters, an e-mail and a password of every kind', () => {
    expect(complaints(signUpRules, good)).toBeUndefined();
  });

  // spec: validation.name, constants.name.length
  it('counts the name without the spaces around it', () => {
    expect(complaints(signUpRules, { ...good, name: ' Adam  ' })).toEqual({
      name: ['Name must be at least 5 characters'],
    });
    expect(complaints(signUpRules, { ...good, name: 'Adams' })).toBeUndefined();
  });

  it.each(['Secret!', 'secret1!', 'SECRET1!', 'Secrets!', 'Secret12', 'Secret1?', 'Secret 1!'])(
    'refuses the password %j',
    (password) => {
      expect(complaints(signUpRules, { ...good, password })).toEqual({ password: [weak] });
    },
  );
});

describe('reset password', () => {
  // spec: validation.reset.empty, validation.reset.short, validation.reset.kinds
  it.each([
    ['Secret1!', 'Secret1!', undefined],
    ['Secret1?', 'Secret1?', undefined],
    ['', '', { password: ['Password filed cannot be empty'], confirmation: ['Password filed cannot be empty'] }],
    ['Secret1!', '', { confirmation: ['Password filed cannot be empty'] }],
    ['Se1!', 'Se1!', { password: ['Password must be at least 8 characters long'] }],
    [
      'Secret1#',
      'Secret1#',
      {
        password: [
          'Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character',
        ],
      },
    ],
    ['Secret1!', 'Secret2!', { confirmation: ['Passwords do not match'] }],
  ])('says of %j and %j: %j', (password, confirmation, expected) => {
    const problems = complaints(resetPasswordRules, { password, confirmation });

    const first =
      problems && Object.fromEntries(Object.entries(problems).map(([field, said]) => [field, said?.slice(0, 1)]));
    expect(first).toEqual(expected);
  });
});

describe('profile', () => {
  const same = { name: 'Ada Lindqvist', email: 'ada@minimal.test', password: '' };

  // spec: validation.profile
  it('keeps the password when none is entered', () => {
    expect(complaints(profileRules, same)).toBeUndefined();
  });

  // spec: validation.password
  it('holds a new password to the rule of sign-up', () => {
    expect(complaints(profileRules, { ...same, password: 'short' })).toEqual({ password: [weak] });
    expect(complaints(profileRules, { ...same, password: 'Secret1!' })).toBeUndefined();
  });

  // spec: validation.profile
  it('asks for five characters of name and an e-mail', () => {
    expect(complaints(profileRules, { ...same, name: 'Ada', email: 'ada' })).toEqual({
      name: ['Name must be at least 5 characters'],
      email: ['Please enter a valid email'],
    });
  });
});

const blanks = ['', ' ', '\t', '\u00a0', '\u3000', '\u200b', '\ufeff', '\u2800', '\u3164', ' \u200b '];

describe('address', () => {
  // spec: validation.address
  it.each(blanks)('names each required field of %j and leaves the optional ones alone', (blank) => {
    const lines = ['name', 'address1', 'address2', 'city', 'country', 'state', 'postalCode', 'phone'];
    const empty = Object.fromEntries(lines.map((line) => [line, blank]));

    expect(complaints(addressRules, { ...empty, isDefault: false })).toEqual({
      name: ['Full name is required'],
      address1: ['Address is required'],
      city: ['City is required'],
      country: ['Country is required'],
      phone: ['Phone number is required'],
    });
  });
});

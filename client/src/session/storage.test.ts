import { afterEach, expect, it } from 'vitest';
import { KEPT, type Key, stored } from '~/ui/stored';
import { session } from './storage';

const ada = { id: 'u1', name: 'Ada', email: 'ada@minimal.test', role: 'user' as const };
const eve = { id: 'u2', name: 'Eve', email: 'eve@minimal.test', role: 'user' as const };
const ofPerson = (Object.keys(KEPT) as Key[]).filter((key) => KEPT[key].of === 'person');

function signOutElsewhere() {
  localStorage.removeItem('user');
  window.dispatchEvent(new StorageEvent('storage', { key: 'user', newValue: null }));
}

afterEach(() => session.signOut());

it.each([
  ['Sign Out', () => session.signOut(), []],
  ['the end of the session', () => session.expire(), []],
  ['the sign-in of another person', () => session.signIn(eve), ['user']],
  [
    'Sign Out in another tab, which removes what the tabs share,',
    signOutElsewhere,
    ofPerson.filter((key) => key !== 'user' && KEPT[key].in === 'browser'),
  ],
])('%s leaves nothing of the person who was signed in', (_when, end, left) => {
  session.signIn(ada);
  for (const key of ofPerson) if (key !== 'user') stored(key).write('of Ada');

  end();

  expect(ofPerson.filter((key) => stored(key).read() !== null)).toEqual(left);
});

it('keeps what a visitor has seen when it is the visitor who signs in', () => {
  stored('minimal:wishlist').write('["p1"]');

  session.signIn(ada);

  expect(stored('minimal:wishlist').read()).toBe('["p1"]');
});

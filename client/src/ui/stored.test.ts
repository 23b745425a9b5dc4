import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it, vi } from 'vitest';
import { forgetPerson, json, KEPT, type Key, oneOf, stored } from './stored';

const SOURCES = join(import.meta.dirname, '..');
const keys = Object.keys(KEPT) as Key[];
const left = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].toSorted();

const isNumbers = (value: unknown): value is number[] => Array.isArray(value) && value.every(Number.isInteger);

it('is the one way to the storage, so that every key says whose it is', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => /\b(?:local|session)Storage\b|indexedDB/.test(readFileSync(join(SOURCES, file), 'utf8')));

  expect(files.map((file) => relative('.', file)).toSorted()).toEqual([
    // The workbench reads whether GraphiQL has begun.
    'graphiql/main.tsx',
    'test/setup.ts',
    'ui/stored.ts',
  ]);
});

it('forgets the person and keeps what is the browser’s', () => {
  for (const key of keys) stored(key).write('x');

  forgetPerson();

  expect(left()).toEqual([
    'expiredNotificationShown',
    'minimal:list-view',
    'minimal:reloaded-for',
    'minimal:theme',
    'minimal:units',
    'processedPaymentSessionId',
  ]);
});

it('forgets of a tab only what the other tabs do not share', () => {
  for (const key of keys) stored(key).write('x');

  forgetPerson('tab');

  expect(keys.filter((key) => stored(key).read() === null)).toEqual([
    'minimal:address-draft',
    'minimal:visit',
    'minimal:toasts',
  ]);
});

it('calls back after a change in this tab, in another one, and when another one has cleared all', () => {
  const heard = vi.fn();
  const unsubscribe = stored('minimal:theme').subscribe(heard);

  stored('minimal:theme').write('dark');
  stored('minimal:units').write('cm');
  for (const key of ['minimal:theme', 'minimal:units', null])
    window.dispatchEvent(new StorageEvent('storage', { key }));
  unsubscribe();
  stored('minimal:theme').write('light');

  expect(heard).toHaveBeenCalledTimes(3);
});

it('reads nothing where the browser forbids storage, and throws nothing', () => {
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError');
  });
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });

  stored('minimal:units').write('cm');

  expect(stored('minimal:units').read()).toBeNull();
  vi.restoreAllMocks();
});

it('reads one of a few words, or nothing', () => {
  const units = stored('minimal:units', oneOf('in', 'cm'));

  units.write('cm');
  expect(units.read()).toBe('cm');
  localStorage.setItem('minimal:units', 'furlong');

  expect(units.read()).toBeNull();
});

it('reads JSON that passes its check, and the same object until it changes', () => {
  const numbers = stored('minimal:wishlist', json(isNumbers));

  numbers.write([1, 2]);
  const first = numbers.read();
  expect(first).toEqual([1, 2]);
  expect(numbers.read()).toBe(first);

  for (const text of ['["1"]', '{', 'null']) {
    localStorage.setItem('minimal:wishlist', text);
    expect(numbers.read()).toBeNull();
  }
});

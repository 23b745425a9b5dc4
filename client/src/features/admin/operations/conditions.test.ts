import { describe, expect, it } from 'vitest';
import { conditionsOf } from './conditions';
import type { OperationsStateFragment, ProcessRowFragment } from './operations.generated';

const process: ProcessRowFragment = {
  id: 'p',
  role: 'web',
  version: '0.1.0',
  host: 'host',
  pid: 1,
  startedAt: '2026-11-24T08:00:00Z',
  seenAt: '2026-11-24T10:00:00Z',
  isAlive: true,
  isLeader: false,
  indexAgeSeconds: 0,
  replica: null,
};
const worker: ProcessRowFragment = { ...process, id: 'w', role: 'worker', isLeader: true, indexAgeSeconds: null };
const queue = { name: 'mail', running: 0, waiting: 0, oldestSeconds: null, retrying: 0, failed: 0 };
const state: OperationsStateFragment = {
  at: '2026-11-24T10:00:00Z',
  reportsLagSeconds: 0,
  backups: null,
  processes: [process, worker],
  queues: [queue],
  failures: [],
};

const unverified = { verifiedAt: null, restorableFrom: null, restorableUntil: null, problem: null };

function condition(name: string, changes: Partial<OperationsStateFragment>) {
  const match = conditionsOf({ ...state, ...changes }, 'UTC').find((each) => each.name === name);
  return match && [match.mark, match.text];
}

describe('how the shop is', () => {
  it('is told of each part of a shop in order', () => {
    expect(conditionsOf(state, 'UTC').map(({ name, mark, text }) => [name, mark, text])).toEqual([
      ['Processes', 'full', '1 web, 1 worker, 0 reports'],
      ['Catalogue index', 'full', 'Current in every process'],
      ['Background work', 'full', 'Nothing waits'],
      ['Failed jobs', 'full', 'None'],
      ['Reports', 'full', 'Contain everything'],
      ['Replica', 'empty', 'There is none'],
      ['Backups', 'empty', 'None are made continuously'],
    ]);
  });

  it.each([
    [[process], 'cross', 'No worker process is alive'],
    [[], 'cross', 'No web and no worker process is alive'],
    [[process, { ...worker, isAlive: false }], 'cross', 'No worker process is alive'],
    [[process, { ...worker, isLeader: false }], 'cross', 'No worker keeps the schedule'],
    [[process, worker, { ...process, isAlive: false }], 'half', '1 web, 1 worker, 0 reports; 1 fell silent'],
    [[process, { ...worker, version: '0.2.0' }], 'half', '1 web, 1 worker, 0 reports; of the versions 0.1.0 and 0.2.0'],
  ])('names what is wrong with its processes (%#)', (processes, mark, text) => {
    expect(condition('Processes', { processes })).toEqual([mark, text]);
  });

  it.each([
    [9, 'half', 'May be outdated for 9 sec'],
    [75, 'cross', 'May be outdated for 1 min'],
    [null, 'empty', 'No process that is alive has one'],
  ])('tells the age of the oldest index, %s', (indexAgeSeconds, mark, text) => {
    expect(condition('Catalogue index', { processes: [{ ...process, indexAgeSeconds }, worker] })).toEqual([
      mark,
      text,
    ]);
  });

  it.each([
    [0.4, 'full', 'Less than a second behind'],
    [4, 'cross', '4 sec behind; the primary serves its reads'],
    [null, 'cross', 'Does not answer; the primary serves its reads'],
  ])('tells how far the replica is behind, %s', (lagSeconds, mark, text) => {
    const processes = [{ ...process, replica: { lagSeconds } }, worker];
    expect(condition('Replica', { processes })).toEqual([mark, text]);
  });

  it('tells how long jobs have waited, and how many were given up', () => {
    const waits = { ...queue, waiting: 1, oldestSeconds: 40 };
    const stuck = { ...queue, name: 'payments', waiting: 1_200, oldestSeconds: 301, failed: 3 };

    expect(condition('Background work', { queues: [waits] })).toEqual(['full', '1 job waits, the oldest for 40 sec']);
    expect(condition('Background work', { queues: [waits, stuck] })).toEqual([
      'cross',
      '1,201 jobs wait, the oldest for 5 min',
    ]);
    expect(condition('Failed jobs', { queues: [waits, stuck] })).toEqual(['cross', '3 given up']);
  });

  it.each([
    [30, 'full', '30 sec behind'],
    [3 * 3600, 'cross', '3 hr behind'],
  ])('tells how far reports are behind, %s', (reportsLagSeconds, mark, text) => {
    expect(condition('Reports', { reportsLagSeconds })).toEqual([mark, text]);
  });

  it.each([
    [
      '2026-11-24T09:59:57Z',
      '2026-11-23T22:00:00Z',
      'full',
      'All of it up to 3 sec ago; last whole copy 12 hr ago; not verified yet',
    ],
    [
      '2026-11-24T09:59:57Z',
      '2026-11-20T22:00:00Z',
      'cross',
      'All of it up to 3 sec ago; last whole copy 3 days ago; not verified yet',
    ],
    ['2026-11-24T09:59:57Z', null, 'cross', 'All of it up to 3 sec ago; no whole copy yet'],
  ])('tells how far the backups are (%#)', (missingSince, wholeAt, mark, text) => {
    expect(condition('Backups', { backups: { ...unverified, missingSince, wholeAt } })).toEqual([mark, text]);
  });

  it('says what the backups prove, and what cannot be restored', () => {
    const backups = {
      missingSince: '2026-11-24T09:59:57Z',
      wholeAt: '2026-11-23T22:00:00Z',
      verifiedAt: '2026-11-24T03:00:00Z',
      restorableFrom: '2026-11-10T22:00:00Z',
      restorableUntil: '2026-11-24T03:00:00Z',
      problem: null,
    };

    expect(condition('Backups', { backups })).toEqual(['full', expect.stringContaining('any moment since Nov 10')]);
    const problem = '000000010000000000000005 (timeline 1) is missing';
    expect(condition('Backups', { backups: { ...backups, problem } })).toEqual([
      'cross',
      expect.stringContaining(`not all can be restored: ${problem}`),
    ]);
  });

  it('says since when nothing is backed up, and that nobody knows without a worker', () => {
    const backups = { ...unverified, missingSince: '2026-11-24T09:00:00Z', wholeAt: null };

    expect(condition('Backups', { backups })?.[0]).toBe('cross');
    expect(condition('Backups', { processes: [process] })).toEqual(['empty', 'Unknown without a worker']);
  });
});

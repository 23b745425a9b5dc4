import { formatDuration, formatMomentIn, formatNumber } from '~/ui/format';
import type { StatusMark } from '~/ui/status';
import type { OperationsStateFragment, ProcessRowFragment } from './operations.generated';

/** One part of the shop and how it is; the limits are those of deploy/alerts.yml. */
export interface Condition {
  name: string;
  mark: StatusMark;
  text: string;
}

const NEEDED = ['web', 'worker'];
const OPTIONAL = ['reports'];
const INDEX_LIMIT = 10;
const REPLICA_LIMIT = 1;
const QUEUE_LIMIT = 300;
const REPORTS_LIMIT = 60;
const ARCHIVE_LIMIT = 120;
const WHOLE_BACKUP_LIMIT = 36 * 3600;

type Judged = Omit<Condition, 'name'>;
const good = (text: string): Judged => ({ mark: 'full', text });
const fair = (text: string): Judged => ({ mark: 'half', text });
const bad = (text: string): Judged => ({ mark: 'cross', text });
const none = (text: string): Judged => ({ mark: 'empty', text });

const secondsBetween = (earlier: string, later: string) => (Date.parse(later) - Date.parse(earlier)) / 1000;

function processesOf(alive: readonly ProcessRowFragment[], silent: number): Judged {
  const missing = NEEDED.filter((role) => !alive.some((each) => each.role === role));
  if (missing.length > 0) return bad(`No ${missing.join(' and no ')} process is alive`);
  if (!alive.some(({ isLeader }) => isLeader)) return bad('No worker keeps the schedule');
  const versions = [...new Set(alive.map(({ version }) => version))].toSorted();
  const counts = [...NEEDED, ...OPTIONAL].map((role) => `${alive.filter((each) => each.role === role).length} ${role}`);
  if (silent > 0) return fair(`${counts.join(', ')}; ${formatNumber(silent)} fell silent`);
  if (versions.length > 1) return fair(`${counts.join(', ')}; of the versions ${versions.join(' and ')}`);
  return good(counts.join(', '));
}

function indexOf(alive: readonly ProcessRowFragment[]): Judged {
  const ages = alive.flatMap(({ indexAgeSeconds }) => indexAgeSeconds ?? []);
  if (ages.length === 0) return none('No process that is alive has one');
  const age = Math.max(...ages);
  if (age === 0) return good('Current in every process');
  return (age > INDEX_LIMIT ? bad : fair)(`May be outdated for ${formatDuration(age)}`);
}

function replicaOf(alive: readonly ProcessRowFragment[]): Judged {
  const lags = alive.flatMap(({ replica }) => (replica ? [replica.lagSeconds ?? Infinity] : []));
  if (lags.length === 0) return none('There is none');
  const lag = Math.max(...lags);
  if (lag === Infinity) return bad('Does not answer; the primary serves its reads');
  if (lag > REPLICA_LIMIT) return bad(`${formatDuration(lag)} behind; the primary serves its reads`);
  return good('Less than a second behind');
}

function queuesOf(queues: OperationsStateFragment['queues']): Judged {
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  if (waiting === 0) return good('Nothing waits');
  const oldest = Math.max(...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0));
  const text = `${formatNumber(waiting)} ${waiting === 1 ? 'job waits' : 'jobs wait'}, the oldest for ${formatDuration(oldest)}`;
  return (oldest > QUEUE_LIMIT ? bad : good)(text);
}

function failedOf(queues: OperationsStateFragment['queues']): Judged {
  const failed = queues.reduce((sum, queue) => sum + queue.failed, 0);
  return failed === 0 ? good('None') : bad(`${formatNumber(failed)} given up`);
}

function reportsOf(lag: number): Judged {
  if (lag < 1) return good('Contain everything');
  return (lag > REPORTS_LIMIT ? bad : good)(`${formatDuration(lag)} behind`);
}

/** What the last verification proved. */
function restorable(backups: NonNullable<OperationsStateFragment['backups']>, timeZone: string): string {
  if (backups.problem !== null) return `not all can be restored: ${backups.problem}`;
  if (!backups.restorableFrom || !backups.verifiedAt) return 'not verified yet';
  const from = formatMomentIn(timeZone, backups.restorableFrom);
  const verified = formatMomentIn(timeZone, backups.verifiedAt);
  return `any moment since ${from} can be restored, verified ${verified}`;
}

function backupsOf(
  { at, backups }: OperationsStateFragment,
  alive: readonly ProcessRowFragment[],
  timeZone: string,
): Judged {
  if (!backups) {
    return none(
      alive.some(({ role }) => role === 'worker') ? 'None are made continuously' : 'Unknown without a worker',
    );
  }
  const missing = Math.max(0, secondsBetween(backups.missingSince, at));
  if (missing > ARCHIVE_LIMIT) return bad(`Nothing since ${formatMomentIn(timeZone, backups.missingSince)}`);
  const until = `All of it up to ${formatDuration(missing)} ago`;
  if (!backups.wholeAt) return bad(`${until}; no whole copy yet`);
  const whole = secondsBetween(backups.wholeAt, at);
  const text = `${until}; last whole copy ${formatDuration(whole)} ago; ${restorable(backups, timeZone)}`;
  return (whole > WHOLE_BACKUP_LIMIT || backups.problem !== null ? bad : good)(text);
}

/** The health of each part, for operators; moments by the clock of a time zone. */
export function conditionsOf(state: OperationsStateFragment, timeZone: string): Condition[] {
  const alive = state.processes.filter(({ isAlive }) => isAlive);
  return [
    { name: 'Processes', ...processesOf(alive, state.processes.length - alive.length) },
    { name: 'Catalogue index', ...indexOf(alive) },
    { name: 'Background work', ...queuesOf(state.queues) },
    { name: 'Failed jobs', ...failedOf(state.queues) },
    { name: 'Reports', ...reportsOf(state.reportsLagSeconds) },
    { name: 'Replica', ...replicaOf(alive) },
    { name: 'Backups', ...backupsOf(state, alive, timeZone) },
  ];
}

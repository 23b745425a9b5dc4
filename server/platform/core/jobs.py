"""A job queue in PostgreSQL: jobs are enqueued in the transaction that needs them and run at least once after it.

All times are the database's, so a host with a wrong clock runs nothing too early or too late.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from secrets import SystemRandom
from traceback import walk_tb
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core import failed_jobs, metrics, tracing
from server.platform.core.db import Sessions, begin, is_unavailable
from server.platform.core.errors import SafeMessage
from server.platform.core.models import FailedJob, Job
from server.platform.core.resources import Resources

log = structlog.get_logger()

LEASE = timedelta(seconds=20)
"""A job whose worker has not renewed its lease for so long is claimed by another."""
RENEWALS = 4
"""How often a lease is renewed within its duration."""
SLOW = timedelta(minutes=5)
"""A job that runs longer is logged once; it is not cancelled."""
HIDDEN_WITHIN = timedelta(seconds=3)
_dice = SystemRandom()
CONCURRENCY = 10
IDLE_SECONDS = 1.0
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=5)
"""Delay between two attempts: doubled each time, up to the second value."""
ATTEMPTS = 20
"""Takes about an hour."""
ATTEMPTS_OF_A_DAY = 300
ATTEMPTS_OF_DAYS = 1_000
"""Takes three and a half days, for work that must not be dropped, such as payments."""
LONGEST_START = 10.0
"""Seconds within which periodic work starts for the first time."""
WORKER_DIED = "The worker died each time."


@dataclass(frozen=True)
class JobEnvironment:
    """What a job may use. It opens its own transactions and makes no network call inside one."""

    sessions: Sessions
    resources: Resources


Handler = Callable[[JobEnvironment, dict[str, Any]], Awaitable[None]]
"""Runs one job. Must be idempotent: a job runs again when its worker died before recording success."""


@dataclass(frozen=True)
class JobKind:
    """How a job of one kind is run, and how many attempts it has."""

    run: Handler
    attempts: int = ATTEMPTS


Handlers = Mapping[str, Handler | JobKind]
"""Handlers by the kind of job; a bare handler has the default number of attempts."""


@dataclass(frozen=True)
class JobQueue:
    """Job kinds that share workers: at most `concurrency` run at once in a process, apart from other queues."""

    handlers: Handlers
    concurrency: int = CONCURRENCY


class GivenUp(Exception):
    """A handler raises it (`raise GivenUp from error`) when a retry is pointless: the job fails with that cause."""


class Deferred(Exception):
    """A handler raises it when it could not begin: the job runs again later, and no attempt is counted."""


async def enqueue(
    session: AsyncSession, kind: str, payload: dict[str, Any], *, key: str | None = None, delay: timedelta | None = None
) -> None:
    """Adds a job to this transaction, due after `delay`. With a `key`, only if no job with that key is open."""
    due = func.now() + (delay or timedelta())
    values = {"kind": kind, "payload": payload | tracing.context(), "key": key, "run_at": due}
    await session.execute(insert(Job).values(**values).on_conflict_do_nothing(index_elements=[Job.key]))
    await _wake_workers(session, kind)


async def enqueue_hidden(session: AsyncSession, kind: str, payload: dict[str, Any]) -> None:
    """Adds a job that finds out what a response must not reveal by its time, such as whether an account exists.

    It is due at a random moment within `HIDDEN_WITHIN`: run at once, it would slow the next response.
    """
    await enqueue(session, kind, payload, delay=HIDDEN_WITHIN * _dice.random())


async def hold(session: AsyncSession, key: str) -> dict[str, Any] | None:
    """Locks the open job with this key until the transaction ends. Returns its payload, None without such a job."""
    return await session.scalar(select(Job.payload).where(Job.key == key).with_for_update())


async def continue_with(session: AsyncSession, key: str, payload: dict[str, Any]) -> None:
    """Replaces the open job with this key by one with the remaining work, due at once.

    Long work proceeds in parts like this; each part is committed together with its progress.
    """
    fresh = {"id": func.uuidv7(), "run_at": func.now(), "lease": None, "leased_until": None, "attempts": 0}
    rest = update(Job).where(Job.key == key).values(**fresh, payload=payload, last_error=None).returning(Job.kind)
    for kind in (await session.scalars(rest)).all():
        await _wake_workers(session, kind)


async def close(session: AsyncSession, key: str) -> None:
    """Removes the open job with this key from the queue, if there is one."""
    await session.execute(delete(Job).where(Job.key == key))


async def restart(session: AsyncSession, job_id: UUID) -> FailedJob:
    """Puts a failed job back into the queue, due at once, with all its attempts. Raises NotFound.

    When a job with its key is open again, the failed one is only dropped: the open one does its work.
    """
    failed = await failed_jobs.take(session, job_id)
    await enqueue(session, failed.kind, failed.payload, key=failed.key)
    return failed


async def _wake_workers(session: AsyncSession, kind: str) -> None:
    await session.execute(text("SELECT pg_notify('jobs', :kind)"), {"kind": kind})


class Worker:
    """Runs due jobs of one queue until cancelled, at most `concurrency` at once.

    Several workers share the table, and each job is leased to one of them. The lease is renewed while the job runs,
    however long; when a worker dies or hangs, others claim its jobs once the lease expires, and a late result of the
    first worker is ignored.
    """

    def __init__(self, env: JobEnvironment, handlers: Handlers, concurrency: int = CONCURRENCY) -> None:
        self._env = env
        self._kinds = {kind: run if isinstance(run, JobKind) else JobKind(run) for kind, run in handlers.items()}
        self._concurrency = concurrency
        self._woken = asyncio.Event()
        self._running: dict[asyncio.Task[None], _Running] = {}

    def wake(self, kind: str = "") -> None:
        """Looks for due jobs now: there may be one of this kind (empty: of any)."""
        if not kind or kind in self._kinds:
            self._woken.set()

    async def run(self) -> None:
        """Works until cancelled, then returns its unfinished jobs to the queue."""
        try:
            async with self._leases_renewed():
                while True:
                    self._woken.clear()
                    with _logged("jobs.claim_failed"):
                        await self._start_due()
                    # Not wait_for: before Python 3.12 it may swallow being cancelled.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(IDLE_SECONDS):
                            await self._woken.wait()
        finally:
            await self._hand_back()

    async def _start_due(self) -> list[asyncio.Task[None]]:
        """Claims and starts due jobs. Each that ends frees its place at once, without waiting for the others."""
        free = self._concurrency - len(self._running)
        jobs = await self._claim(free) if free > 0 else ()
        return [self._start(job) for job in jobs]

    def _start(self, job: Job) -> asyncio.Task[None]:
        task = asyncio.create_task(self._do(job))
        self._running[task] = _Running(job, asyncio.get_running_loop().time())
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._woken.set()

    async def _claim(self, most: int) -> Sequence[Job]:
        due = (
            select(Job.id)
            .where(Job.kind.in_(self._kinds), Job.run_at <= func.now())
            .where(or_(Job.leased_until.is_(None), Job.leased_until < func.now()))
            .order_by(Job.run_at)
            .limit(most)
            .with_for_update(skip_locked=True)
            .cte("due")
        )
        leased = {"lease": func.uuidv7(), "leased_until": func.now() + LEASE, "attempts": Job.attempts + 1}
        claim = update(Job).where(Job.id.in_(select(due.c.id))).values(**leased).returning(Job)
        async with begin(self._env.sessions) as session:
            return (await session.scalars(claim)).all()

    async def _do(self, job: Job) -> None:
        """Runs a job and records its result. A result that cannot be recorded means that the job runs again."""
        with _logged("job.unrecorded", kind=job.kind):
            kind = self._kinds[job.kind]
            if job.attempts > kind.attempts:
                await self._fail(job, job.last_error or WORKER_DIED)
                return
            began, outcome = asyncio.get_running_loop().time(), "done"
            try:
                await self._run(job, kind)
            except Deferred:
                outcome = "deferred"
                await self._postpone(job, FIRST_WAIT, attempts=job.attempts - 1)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is logged and kept with the job
                outcome = "failed"
                await self._failed(job, kind, error)
            else:
                async with begin(self._env.sessions) as session:
                    await session.execute(delete(Job).where(*_is(job)))
            metrics.JOBS.labels(job.kind, outcome).observe(asyncio.get_running_loop().time() - began)

    async def _run(self, job: Job, kind: JobKind) -> None:
        payload = {key: value for key, value in job.payload.items() if key != tracing.CONTEXT}
        with tracing.span(f"job {job.kind}", "consumer", job.payload.get(tracing.CONTEXT)):
            await kind.run(self._env, payload)

    async def _failed(self, job: Job, kind: JobKind, error: Exception) -> None:
        is_final = isinstance(error, GivenUp)
        cause = error.__cause__ if is_final and error.__cause__ else error
        log.warning("job.failed", kind=job.kind, attempts=job.attempts, error=reason(cause), exc_info=cause)
        if is_final or job.attempts >= kind.attempts:
            await self._fail(job, reason(cause))
        else:
            wait = min(FIRST_WAIT * 2 ** min(job.attempts - 1, 20), LONGEST_WAIT)
            await self._postpone(job, wait, last_error=reason(cause))

    async def _postpone(self, job: Job, wait: timedelta, **values: Any) -> None:
        later = {"run_at": func.now() + wait, "lease": None, "leased_until": None, **values}
        async with begin(self._env.sessions) as session:
            await session.execute(update(Job).where(*_is(job)).values(**later))

    async def _fail(self, job: Job, error: str) -> None:
        async with begin(self._env.sessions) as session:
            gone = await session.execute(delete(Job).where(*_is(job)).returning(Job.id))
            if gone.first() is None:
                return
            await failed_jobs.keep(session, job, error)
        log.error("job.given_up", job=str(job.id), kind=job.kind, attempts=job.attempts, error=error)

    @asynccontextmanager
    async def _leases_renewed(self) -> AsyncIterator[None]:
        renewing = asyncio.create_task(self._renew_leases())
        try:
            yield
        finally:
            renewing.cancel()
            await asyncio.wait([renewing])

    async def _renew_leases(self) -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / RENEWALS)
            if self._running:
                with _logged("jobs.renewal_failed"):
                    lost = await self._renew()
                    self._give_up_lost(lost)

    async def _renew(self) -> set[UUID]:
        """Renews the leases of all running jobs. Returns the ids of jobs that another worker has claimed.

        Locked rows are skipped: the job's own handler holds such a row, and waiting would cost the other jobs their
        leases.
        """
        jobs = [running.job for running in self._running.values()]
        ids, leases = [job.id for job in jobs], [job.lease for job in jobs]
        own = select(Job.id).where(Job.id.in_(ids), Job.lease.in_(leases)).with_for_update(skip_locked=True).cte("own")
        async with begin(self._env.sessions) as session:
            renewed = update(Job).where(Job.id.in_(select(own.c.id))).values(leased_until=func.now() + LEASE)
            await session.execute(renewed)
            others = or_(Job.lease.is_(None), Job.lease.not_in(leases))
            return set(await session.scalars(select(Job.id).where(Job.id.in_(ids), others)))

    def _give_up_lost(self, lost: set[UUID]) -> None:
        now = asyncio.get_running_loop().time()
        for task, running in list(self._running.items()):
            if running.job.id in lost:
                log.warning("job.lease_lost", kind=running.job.kind, attempts=running.job.attempts)
                task.cancel()
            elif not running.is_told and now - running.since > SLOW.total_seconds():
                log.warning("job.slow", kind=running.job.kind, attempts=running.job.attempts)
                running.is_told = True

    async def _hand_back(self) -> None:
        """Cancels the running jobs and returns them to the queue at once, without counting the attempt."""
        jobs = [running.job for running in self._running.values()]
        for task in self._running:
            task.cancel()
        if not jobs:
            return
        await asyncio.wait(list(self._running))
        back = {"lease": None, "leased_until": None, "attempts": Job.attempts - 1}
        mine = (Job.id.in_([job.id for job in jobs]), Job.lease.in_([job.lease for job in jobs]))
        with _logged("jobs.not_handed_back"):
            async with begin(self._env.sessions) as session:
                await session.execute(update(Job).where(*mine).values(**back))
                await _wake_workers(session, "")


@dataclass
class _Running:
    job: Job
    since: float
    is_told: bool = False


def _is(job: Job) -> tuple[Any, ...]:
    """Conditions under which a row is still this worker's job."""
    return Job.id == job.id, Job.lease == job.lease


@contextmanager
def _logged(event: str, kind: str | None = None) -> Iterator[None]:
    """Logs every error instead of raising it; an unavailable database is one line without a traceback."""
    try:
        yield
    except Exception as error:
        if is_unavailable(error):
            log.warning("jobs.database_away", error=type(error).__name__)
        else:
            log.error(event, kind=kind, error=type(error).__name__, exc_info=True)


def reason(error: BaseException) -> str:
    """What may be stored and shown of an error: its text only where that is safe, else its class and location."""
    name = type(error).__name__
    if isinstance(error, SafeMessage):
        return f"{name}: {error}"[:500]
    places = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(file.rpartition("/server/")[2], line) for file, line in places if "/server/" in file]
    return f"{name} in {own[-1][0]}, line {own[-1][1]}" if own else name


def job_id(payload: dict[str, Any], name: str) -> UUID:
    """The UUID that a payload holds as text under this name."""
    return UUID(payload[name])


async def every(seconds: float, env: JobEnvironment, work: Callable[[JobEnvironment], Awaitable[None]]) -> None:
    """Calls `work` every so many seconds until cancelled.

    The first call comes at a random moment, so that a starting process does not open a connection for each at once.
    """
    await asyncio.sleep(random.uniform(0, min(seconds, LONGEST_START)))  # noqa: S311
    while True:
        try:
            await work(env)
        except Exception as error:
            # While the database is away everything fails, and a traceback adds nothing.
            where = not is_unavailable(error)
            metrics.SCHEDULE_FAILURES.labels(work.__name__).inc()
            log.warning("periodic.failed", work=work.__name__, error=type(error).__name__, exc_info=where)
        await asyncio.sleep(seconds)

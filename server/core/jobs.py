"""Work after a commit: enqueued in the same transaction, done at least once, by whichever process is free."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.db import Sessions, begin, is_unavailable
from server.core.models import Job
from server.core.resources import Resources

log = structlog.get_logger()

LEASE = timedelta(seconds=45)
"""What a dead worker had in hand is taken up after this: soon enough for its books to be right within a minute."""
BATCH = 10
IDLE_SECONDS = 1.0
LONGEST_WAIT = timedelta(minutes=5)
LONGEST_START = 10.0
"""Seconds."""


@dataclass(frozen=True)
class Env:
    """What a job may use; it opens its own transactions, none around a network call."""

    sessions: Sessions
    resources: Resources


Handler = Callable[[Env, dict[str, Any]], Awaitable[None]]


async def enqueue(
    session: AsyncSession, kind: str, payload: dict[str, Any], *, key: str | None = None, run_at: datetime | None = None
) -> None:
    """Adds a job to this transaction. With a `key`, once for as long as that job is open."""
    values = {"kind": kind, "payload": payload, "key": key, "run_at": run_at or datetime.now(UTC)}
    await session.execute(insert(Job).values(**values).on_conflict_do_nothing(index_elements=[Job.key]))
    await _wake_workers(session)


async def hold(session: AsyncSession, key: str) -> dict[str, Any] | None:
    """The payload of the open job with this key, which nobody else gets before this transaction ends; None for none."""
    return await session.scalar(select(Job.payload).where(Job.key == key).with_for_update())


async def carry_on(session: AsyncSession, key: str, payload: dict[str, Any]) -> None:
    """Leaves what is left of the open job with this key in the queue, as a new job that is due.

    Work too long for one lease goes on in parts like this, each committed together with where it has come.
    """
    left = {"id": func.uuidv7(), "payload": payload, "run_at": datetime.now(UTC), "leased_until": None, "attempts": 0}
    await session.execute(update(Job).where(Job.key == key).values(**left, last_error=None))
    await _wake_workers(session)


async def close(session: AsyncSession, key: str) -> None:
    """Takes the job with this key, if one is open, out of the queue."""
    await session.execute(delete(Job).where(Job.key == key))


async def _wake_workers(session: AsyncSession) -> None:
    await session.execute(text("SELECT pg_notify('jobs', '')"))


class Worker:
    """Runs due jobs of the kinds it has handlers for, until cancelled.

    Several workers share the table without doing a job twice at once. A batch is awaited as a whole, so kinds that
    must not wait for a slow outside system have a worker of their own.
    """

    def __init__(self, env: Env, handlers: dict[str, Handler]) -> None:
        self._env = env
        self._handlers = handlers
        self._woken = asyncio.Event()

    def wake(self, _payload: str = "") -> None:
        """There may be something to do now."""
        self._woken.set()

    async def run(self) -> None:
        while True:
            try:
                busy = await self.run_due()
            except Exception as error:
                if is_unavailable(error):
                    log.warning("jobs.database_away", error=type(error).__name__)
                else:
                    log.error("jobs.failed", error=type(error).__name__, exc_info=True)
                busy = False
            if not busy:
                self._woken.clear()
                try:
                    await asyncio.wait_for(self._woken.wait(), IDLE_SECONDS)
                except TimeoutError:
                    continue

    async def run_due(self) -> bool:
        """Claims and runs one batch; whether there was any."""
        claimed = await self._claim()
        await asyncio.gather(*(self._do(job) for job in claimed))
        return bool(claimed)

    async def _claim(self) -> Sequence[Job]:
        now = datetime.now(UTC)
        due = (
            select(Job.id)
            .where(Job.kind.in_(self._handlers), Job.run_at <= now)
            .where(or_(Job.leased_until.is_(None), Job.leased_until < now))
            .order_by(Job.run_at)
            .limit(BATCH)
            .with_for_update(skip_locked=True)
        )
        claim = (
            update(Job)
            .where(Job.id.in_(due.scalar_subquery()))
            .values(leased_until=now + LEASE, attempts=Job.attempts + 1)
            .returning(Job)
        )
        async with begin(self._env.sessions) as session:
            return (await session.scalars(claim)).all()

    async def _do(self, job: Job) -> None:
        try:
            await asyncio.wait_for(self._handlers[job.kind](self._env, job.payload), LEASE.total_seconds() - 5)
        except Exception as error:
            log.warning("job.failed", kind=job.kind, attempts=job.attempts, error=type(error).__name__, exc_info=True)
            await self._postpone(job, f"{type(error).__name__}: {error}"[:500])
        else:
            async with begin(self._env.sessions) as session:
                await session.execute(delete(Job).where(Job.id == job.id))

    async def _postpone(self, job: Job, reason: str) -> None:
        wait = min(timedelta(seconds=0.5 * 2 ** min(job.attempts, 12)), LONGEST_WAIT)
        later = {"run_at": datetime.now(UTC) + wait, "leased_until": None, "last_error": reason}
        async with begin(self._env.sessions) as session:
            await session.execute(update(Job).where(Job.id == job.id).values(**later))


def job_id(payload: dict[str, Any], name: str) -> UUID:
    """An id that a payload carries as text."""
    return UUID(payload[name])


async def every(seconds: float, env: Env, work: Callable[[Env], Awaitable[None]]) -> None:
    """Calls `work` again and again until cancelled; each process does, so it must bear company.

    The first time comes at random, so that a process that starts does not ask for a connection for each at once.
    """
    await asyncio.sleep(random.uniform(0, min(seconds, LONGEST_START)))  # noqa: S311
    while True:
        try:
            await work(env)
        except Exception as error:
            # A database that is away fails everything each time; where it fails says nothing then.
            where = not is_unavailable(error)
            log.warning("periodic.failed", work=work.__name__, error=type(error).__name__, exc_info=where)
        await asyncio.sleep(seconds)

"""The facts behind reports: their state, and rebuilding them. `follower` updates them continuously."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

import structlog
from sqlalchemy import Select, cast, func, select, text, update
from sqlalchemy.dialects.postgresql import REGCLASS
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import popularity, visit_sums
from server.analytics.models import (
    AnalyticsOutbox,
    AnalyticsState,
    Sale,
    SaleMember,
    SalesDay,
    SalesDayCategory,
    SalesDayPair,
    SalesDayProduct,
    ShopEvent,
)
from server.config import Settings
from server.orders.models import Order
from server.platform.core import clock, jobs, locks
from server.platform.core.db import NOW, Sessions, begin
from server.platform.core.jobs import JobEnvironment, JobKind
from server.platform.core.locks import Lock
from server.platform.core.models import Job
from server.shop import service as shop

log = structlog.get_logger()

BATCH = 500
EVENTS_AT_ONCE = 2_000
JOB = "rebuild-analytics"
NOBODY = UUID(int=0)
LOCK_TIMEOUT = "1s"
GIVES_WAY = ("55P03", "40P01")
"""Lock timeout and deadlock."""
PAUSE = 5.0
LONGEST_LAG = timedelta(minutes=1)
"""A longer lag of the facts is logged as an error."""
_SUMS = (SalesDay, SalesDayCategory, SalesDayProduct, SalesDayPair)
TABLES = ", ".join(table.__tablename__ for table in (Sale, SaleMember, *_SUMS))
"""In the order in which every transaction locks them."""
_FILE = func.pg_relation_filenode(cast(Sale.__tablename__, REGCLASS))
_PAID = Order.paid_at.is_not(None)


async def begin_bulk(session: AsyncSession) -> None:
    """Stops updating facts until the transaction ends; `build` has to follow before the commit."""
    await session.execute(text("SET LOCAL minimal.bulk = 'on'"))


async def build(session: AsyncSession) -> None:
    """All steps of a rebuild in the caller's transaction, after a bulk insert of orders.

    Sums of visits begin anew as well, in `check`.
    """
    zone = (await session.scalars(select(AnalyticsState.time_zone))).one()
    progress: RebuildProgress | None = await _begin(session, zone)
    while progress is not None:
        progress = await _go_on(session, progress)
    await _end(session)


@dataclass(frozen=True)
class RebuildProgress:
    """Progress of a rebuild: `done` of about `of` rows of one kind, those with ids up to `after`.

    `file` is the file of the facts table, which changes whenever the table is truncated.
    """

    stage: Literal["orders", "events"]
    file: int
    of: int
    done: int = 0
    after: str = str(NOBODY)

    def __str__(self) -> str:
        nouns = {"orders": "orders", "events": "events of visits"}
        return f"{self.done:,} of {max(self.of, self.done):,} {nouns[self.stage]}"

    def up_to(self, ids: Sequence[UUID]) -> "RebuildProgress":
        """The progress after these further rows."""
        return replace(self, done=self.done + len(ids), after=str(ids[-1]))


@dataclass(frozen=True)
class FactsState:
    """In which time zone the facts count days, and whether they are complete.

    `progress` is a running rebuild's; None without one, or before it begins. `waiting_since` is the time of the oldest
    change in the outbox, None when it is empty; the `set_aside` orders, of which `first` has the lowest number, have
    failed and do not count for it. `as_of` is when this state was read.
    """

    time_zone: str
    is_whole: bool
    progress: RebuildProgress | None
    as_of: datetime
    waiting_since: datetime | None = None
    set_aside: int = 0
    first_set_aside: int | None = None

    @property
    def missing(self) -> str | None:
        """What reports do not contain yet, as a sentence; None when only the last seconds are missing."""
        return " ".join(filter(None, (self._rebuilt, self._failed))) or None

    @property
    def _rebuilt(self) -> str | None:
        if self.is_whole:
            return None
        if self.progress is None:
            return "The facts behind reports are about to be made anew. Until then orders may be missing."
        begun = f"The facts behind reports are being made anew: {self.progress} are done"
        return f"{begun}, the others are missing." if self.progress.stage == "orders" else f"{begun}, and all orders."

    @property
    def _failed(self) -> str | None:
        if not self.set_aside:
            return None
        others = self.set_aside - 1
        orders = f"Order M-{self.first_set_aside}" + (f" and {others:,} more" if others else "")
        return f"{orders} could not be counted. The shop tries again by itself; its log says why it failed."

    @property
    def fresh_until(self) -> datetime:
        """The facts contain everything up to this moment."""
        return min(self.waiting_since, self.as_of) if self.waiting_since else self.as_of

    @property
    def lag(self) -> timedelta:
        """How far the facts are behind the orders."""
        return self.as_of - self.fresh_until


_WAITING_SINCE = select(func.min(AnalyticsOutbox.at)).where(AnalyticsOutbox.attempts == 0).scalar_subquery()
_SET_ASIDE = select(AnalyticsOutbox.order_id).where(AnalyticsOutbox.attempts > 0)
_HOW_MANY = select(func.count(_SET_ASIDE.distinct().subquery().c.order_id)).scalar_subquery()
_FIRST = select(func.min(Order.number)).where(Order.id.in_(_SET_ASIDE)).scalar_subquery()


async def facts_state(session: AsyncSession) -> FactsState:
    """The current state; one statement."""
    payload = select(Job.payload).where(Job.key == JOB).scalar_subquery()
    state = (AnalyticsState.time_zone, AnalyticsState.rebuilt_at, payload, func.now())
    row = (await session.execute(select(*state, _WAITING_SINCE, _HOW_MANY, _FIRST))).one()
    zone, rebuilt_at, progress_payload, as_of, waiting_since, set_aside, first = row
    is_whole = rebuilt_at is not None
    progress = None if is_whole or not progress_payload else RebuildProgress(**progress_payload)
    return FactsState(zone, is_whole, progress, as_of, waiting_since, set_aside, first)


async def rebuild(sessions: Sessions, settings: Settings, *, on_progress: Callable[[str], None]) -> int:
    """Rebuilds all facts and sums in the shop's time zone while it is open. Returns the number of orders in them.

    Its steps are those of the job, which stays in the queue meanwhile: a running server takes some of them, and
    continues when this is interrupted. `on_progress` is called with each step.
    """
    async with begin(sessions) as session:
        await jobs.enqueue(session, JOB, {}, key=JOB)
        await jobs.continue_with(session, JOB, {})
        await session.execute(update(AnalyticsState).values(rebuilt_at=None))
    while True:
        progress = await _step_or_give_way(sessions, settings, on_progress)
        if progress is not None:
            on_progress(str(progress))
            continue
        async with begin(sessions) as session:
            if (await facts_state(session)).is_whole:
                break
    await number_visits(sessions)
    await visit_sums.settle(sessions, clock.now())
    async with begin(sessions) as session:
        return int(await session.scalar(select(func.coalesce(func.sum(SalesDay.orders), 0))) or 0)


async def _step_or_give_way(
    sessions: Sessions, settings: Settings, on_progress: Callable[[str], None]
) -> RebuildProgress | None:
    try:
        async with begin(sessions) as session:
            return await step(session, settings)
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) not in GIVES_WAY:
            raise
    on_progress("Giving way to a report, a payment or a backup")
    await asyncio.sleep(PAUSE)
    return None


async def step(session: AsyncSession, settings: Settings) -> RebuildProgress | None:
    """Begins the queued rebuild, or does its next batch. None when it is complete, or none is queued.

    The job holds the progress. It is locked until the transaction ends, so that parallel workers take different steps,
    and a failed step is repeated. Each batch is correct by itself: orders that change meanwhile are counted once.
    """
    payload = await jobs.hold(session, JOB)
    if payload is None:
        return None
    progress = await _next(session, payload, (await shop.settings(session, settings)).time_zone)
    if progress is not None:
        await jobs.continue_with(session, JOB, asdict(progress))
    else:
        await jobs.close(session, JOB)
        await _end(session)
    return progress


async def _end(session: AsyncSession) -> None:
    """Recomputes popularity; orders that are counted from here on add to it."""
    await locks.acquire(session, Lock.FACTS)
    ended = update(AnalyticsState).where(AnalyticsState.rebuilt_at.is_(None)).values(rebuilt_at=NOW)
    if (await session.scalars(ended.returning(AnalyticsState.rebuilt_at))).first():
        await popularity.compare(session)


async def _next(session: AsyncSession, payload: dict[str, Any], zone: str) -> RebuildProgress | None:
    """Continues at the job's progress, unless the facts or the time zone have changed since."""
    state, file = (await session.execute(select(AnalyticsState, _FILE))).one()
    if state.time_zone == zone and state.rebuilt_at is not None:
        return None
    if state.time_zone == zone and payload.get("file") == file:
        return await _go_on(session, RebuildProgress(**payload))
    return await _begin(session, zone)


async def _begin(session: AsyncSession, zone: str) -> RebuildProgress:
    """Truncates the facts. Other reports queue behind this lock request, so its timeout is short.

    Events stored meanwhile are stored before or after this, with the clock that applies then.
    """
    of = await _count(session, select(Order.id).where(_PAID))
    await session.execute(text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"))
    await locks.acquire(session, Lock.FACTS)
    await session.execute(text(f"TRUNCATE {TABLES} RESTART IDENTITY"))
    await visit_sums.forget(session)
    await session.execute(text(f"LOCK TABLE {ShopEvent.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))
    await session.execute(update(AnalyticsState).values(time_zone=zone, rebuilt_at=None))
    file = (await session.scalars(select(_FILE))).one()
    return RebuildProgress("orders", file, of)


async def _go_on(session: AsyncSession, progress: RebuildProgress) -> RebuildProgress | None:
    """Does the next batch of orders, or moves on to the events; None after the last of those."""
    after = UUID(progress.after)
    if progress.stage == "orders":
        orders = select(Order.id).where(_PAID, Order.id > after).order_by(Order.id).limit(BATCH)
        ids = list(await session.scalars(orders))
        if not ids:
            return RebuildProgress("events", progress.file, await _count(session, select(ShopEvent.id)))
        await session.execute(select(func.follow_sales(ids)))
        return progress.up_to(ids)
    events = select(ShopEvent.id).where(ShopEvent.id > after).order_by(ShopEvent.id).limit(EVENTS_AT_ONCE)
    ids = list(await session.scalars(events))
    await session.execute(visit_sums.follow_events(ShopEvent.id.in_(ids)))
    return progress.up_to(ids) if ids else None


async def _count(session: AsyncSession, rows: Select[Any]) -> int:
    return int(await session.scalar(select(func.count()).select_from(rows.subquery())) or 0)


async def number_visits(sessions: Sessions) -> None:
    """Numbers events that were stored before visits had numbers, in small batches; one process at a time."""
    some = select(ShopEvent.id).where(ShopEvent.visit_number.is_(None)).order_by(ShopEvent.id).limit(EVENTS_AT_ONCE)
    unnumbered = update(ShopEvent).where(ShopEvent.id.in_(some.scalar_subquery())).values(visit_number=None)
    while True:
        async with begin(sessions) as session:
            if not await locks.try_acquire(session, Lock.VISIT_NUMBERS):
                return
            if not (await session.execute(unnumbered.returning(ShopEvent.id))).first():
                return


async def check(env: JobEnvironment) -> None:
    """Enqueues a rebuild when the shop's time zone changes or a release needs other facts.

    Numbers events that have no numbers, and sums visits by day. Logs an error when the facts lag far behind.
    """
    zone = (await shop.current(env)).time_zone
    async with begin(env.sessions) as session:
        state = (await session.scalars(select(AnalyticsState))).one()
        if state.time_zone != zone or state.rebuilt_at is None:
            await jobs.enqueue(session, JOB, {}, key=JOB)
        lag = (await facts_state(session)).lag
    if lag > LONGEST_LAG:
        log.error("facts.behind", seconds=round(lag.total_seconds()))
    await number_visits(env.sessions)
    await visit_sums.settle(env.sessions, clock.now())


async def _take_step(env: JobEnvironment, _payload: dict[str, Any]) -> None:
    """Job: one step; its progress is read from the queue in the same transaction."""
    async with begin(env.sessions) as session:
        await step(session, env.resources.get(Settings))


HANDLERS = {JOB: JobKind(_take_step, attempts=jobs.ATTEMPTS_OF_DAYS)}

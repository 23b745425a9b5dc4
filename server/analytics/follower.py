"""Keeps the facts up to date by the outbox: each batch of orders is counted and deleted from it in one transaction.

A product whose category changes takes its orders and its visits along.

One process at a time does this. An order that cannot be counted is set aside and retried at growing intervals while the
others continue; reports name it until then. When nothing can be counted, reports say since when.
"""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import visit_sums
from server.analytics.models import AnalyticsOutbox, ShopEvent
from server.crash_points import CrashPoint
from server.orders.models import OrderLine
from server.platform.core import locks
from server.platform.core.db import Sessions, begin, is_unavailable, sqlstate
from server.platform.core.jobs import JobEnvironment, reason
from server.platform.core.locks import Lock

log = structlog.get_logger()

CHANNEL = "analytics_outbox"
BATCH = 200
EVENTS_AT_ONCE = 2_000
LOCK_TIMEOUT = "1s"
RETRIES = 10
"""Orders set aside that are retried in one round."""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=5)
"""Delay between two attempts: doubled each time, up to the second value."""
GATHER_SECONDS = 0.1
"""How long a round waits for further changes at the same moment."""
POLL_SECONDS = 1.0
PASSING = ("55P03", "40P01", "40001")
"""Lock timeout, deadlock, serialization failure."""
TOO_SLOW = "57014"
"""Statement timeout: a part of the batch may succeed."""

_FRESH = and_(AnalyticsOutbox.order_id.is_not(None), AnalyticsOutbox.attempts == 0)
_DUE_AGAIN = and_(AnalyticsOutbox.attempts > 0, AnalyticsOutbox.retry_at <= func.now())
_OF_PRODUCT = AnalyticsOutbox.product_id.is_not(None)


class FactsFollower:
    """Counts what is in the outbox until cancelled, woken by NOTIFY and a timer."""

    def __init__(self, env: JobEnvironment) -> None:
        self._sessions = env.sessions
        self._woken = asyncio.Event()

    def wake(self, _payload: str = "") -> None:
        """Checks the outbox now."""
        self._woken.set()

    async def run(self) -> None:
        """Runs until cancelled; survives every error."""
        while True:
            self._woken.clear()
            if await self._follow():
                await asyncio.sleep(GATHER_SECONDS)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._woken.wait()
                    await asyncio.sleep(GATHER_SECONDS)

    async def _follow(self) -> bool:
        try:
            return await follow(self._sessions)
        except Exception as error:
            if is_unavailable(error):
                log.warning("facts.database_away", error=type(error).__name__)
            else:
                log.error("facts.stand_still", error=type(error).__name__, exc_info=True)
            await asyncio.sleep(POLL_SECONDS)
            return False


async def follow(sessions: Sessions) -> bool:
    """One round: a batch of orders, some orders set aside, some orders or events of a changed product.

    Returns whether there were any. Does nothing while another process runs a round.
    """
    async with begin(sessions) as session:
        fresh, again, product = (await session.execute(select(_any(_FRESH), _any(_DUE_AGAIN), _any(_OF_PRODUCT)))).one()
    has_worked = fresh and await _count_batch(sessions)
    has_worked = (again and await _count_again(sessions)) or has_worked
    return (product and await _follow_product(sessions)) or has_worked


def _any(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(condition).select_from(AnalyticsOutbox)


async def _count_batch(sessions: Sessions) -> bool:
    """Counts a batch of orders at once or, where that fails, one by one."""
    orders: list[UUID] = []
    try:
        async with begin(sessions) as session:
            if not await locks.try_acquire(session, Lock.FACTS_FOLLOWER):
                return False
            oldest = select(AnalyticsOutbox.order_id).where(_FRESH).order_by(AnalyticsOutbox.id).limit(BATCH)
            orders = _different(await session.scalars(oldest))
            await _count(session, orders)
    except DBAPIError as error:
        if not orders or _is_passing(error):
            raise
        log.warning("facts.batch_failed", count=len(orders), error=type(error).__name__, exc_info=True)
        for order_id in orders:
            await _count_one(sessions, order_id)
    return bool(orders)


async def _count_again(sessions: Sessions) -> bool:
    """Retries orders set aside. Stops at the first failure: a bug that affects all must not keep a CPU busy."""
    async with begin(sessions) as session:
        due = select(AnalyticsOutbox.order_id).where(_DUE_AGAIN).order_by(AnalyticsOutbox.retry_at).limit(RETRIES)
        orders = _different(await session.scalars(due))
    for order_id in orders:
        if not await _count_one(sessions, order_id):
            return False
    return bool(orders)


async def _count_one(sessions: Sessions, order_id: UUID) -> bool:
    """False when the order cannot be counted and is set aside, or another process is counting."""
    try:
        async with begin(sessions) as session:
            if not await locks.try_acquire(session, Lock.FACTS_FOLLOWER):
                return False
            await _count(session, [order_id])
    except DBAPIError as error:
        if _is_passing(error):
            raise
        await _set_aside(sessions, order_id, error)
        return False
    return True


async def _count(session: AsyncSession, orders: Sequence[UUID]) -> None:
    """Updates the facts of these orders to their present state. Later changes leave another outbox row."""
    await session.execute(delete(AnalyticsOutbox).where(AnalyticsOutbox.order_id.in_(orders)))
    await session.execute(select(func.follow_sales(orders)))
    CrashPoint.FACTS_BEFORE_COMMIT.reach()


def _different(orders: Iterable[UUID | None]) -> list[UUID]:
    return list(dict.fromkeys(order_id for order_id in orders if order_id))


async def _set_aside(sessions: Sessions, order_id: UUID, error: DBAPIError) -> None:
    wait = func.least(LONGEST_WAIT, FIRST_WAIT * func.power(2, func.least(AnalyticsOutbox.attempts, 20)))
    failed = update(AnalyticsOutbox).where(AnalyticsOutbox.order_id == order_id)
    failed = failed.values(attempts=AnalyticsOutbox.attempts + 1, retry_at=func.now() + wait, last_error=reason(error))
    async with begin(sessions) as session:
        attempts = list(await session.scalars(failed.returning(AnalyticsOutbox.attempts)))
    tried = max(attempts, default=0)
    log.error("facts.failed", order=str(order_id), attempts=tried, error=type(error).__name__, exc_info=error)


async def _follow_product(sessions: Sessions) -> bool:
    """Adds a batch of orders of a product whose category changed to the outbox; after the last, moves its events."""
    async with begin(sessions) as session:
        if not await locks.try_acquire(session, Lock.FACTS_FOLLOWER):
            return False
        oldest = select(AnalyticsOutbox).where(_OF_PRODUCT).order_by(AnalyticsOutbox.id).limit(1)
        changed = await session.scalar(oldest)
        if changed is None:
            return False
        if orders := await _orders_of(session, changed):
            rows = [{"order_id": order_id, "at": changed.at} for order_id in orders]
            await session.execute(insert(AnalyticsOutbox), rows)
            changed.after_order_id = orders[-1]
            return True
    try:
        await _move_events(sessions, changed.id)
    except DBAPIError as error:
        if not _is_passing(error):
            raise
    return True


async def _move_events(sessions: Sessions, change: int) -> None:
    """Moves a batch of events to their products' categories; deletes the change from the outbox after the last."""
    async with begin(sessions) as session:
        # Who is still writing events with the category of before ends first.
        await session.execute(text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"))
        await session.execute(text(f"LOCK TABLE {ShopEvent.__tablename__} IN SHARE ROW EXCLUSIVE MODE"))
    async with begin(sessions) as session:
        if not await locks.try_acquire(session, Lock.FACTS_FOLLOWER):
            return
        if not await visit_sums.move_events(session, EVENTS_AT_ONCE):
            await session.execute(delete(AnalyticsOutbox).where(AnalyticsOutbox.id == change))


async def _orders_of(session: AsyncSession, changed: AnalyticsOutbox) -> Sequence[UUID]:
    query = select(OrderLine.order_id).distinct().where(OrderLine.product_id == changed.product_id)
    if changed.after_order_id is not None:
        query = query.where(OrderLine.order_id > changed.after_order_id)
    return (await session.scalars(query.order_by(OrderLine.order_id).limit(BATCH))).all()


def _is_passing(error: DBAPIError) -> bool:
    """Whether the same statement may succeed a moment later."""
    state = sqlstate(error.orig)
    return state in PASSING or (state != TOO_SLOW and is_unavailable(error))

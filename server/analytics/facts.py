"""The facts behind reports, made anew. Day by day they follow orders and refunds by themselves, by trigger."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Executable, func, select, text, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import (
    AnalyticsState,
    Sale,
    SaleMember,
    SalesDay,
    SalesDayCategory,
    SalesDayProduct,
    ShopEvent,
)
from server.core import jobs
from server.core.db import NOW, Sessions, begin
from server.core.jobs import Env, Handler
from server.orders.models import Order
from server.shop import service as shop

BATCH = 500
EVENTS_AT_ONCE = 2_000
JOB = "rebuild-analytics"
NUMBERING = 7_263_012
"""Lock of whoever numbers visits."""
NOBODY = UUID(int=0)
_TABLES = ", ".join(table.__tablename__ for table in (Sale, SaleMember, SalesDay, SalesDayCategory, SalesDayProduct))


async def begin_bulk(session: AsyncSession) -> None:
    """From here to the end of the transaction nothing follows orders; `build` has to come before the commit."""
    await session.execute(text("SET LOCAL minimal.bulk = 'on'"))


async def build(session: AsyncSession) -> None:
    """Every fact and sum from the orders there are, in the caller's transaction: for many orders made at once."""
    await session.execute(text(f"TRUNCATE {_TABLES} RESTART IDENTITY"))
    await session.execute(select(func.build_sales()))
    await session.execute(update(AnalyticsState).values(rebuilt_at=NOW))


async def rebuild(sessions: Sessions, zone: str, *, told: Callable[[str], None]) -> int:
    """Every fact and sum anew, in the days of `zone`, while the shop sells on. Returns how many orders they show.

    Batches are short and each is right by itself: what is sold meanwhile is counted once, and a rebuild that was
    interrupted is made whole by the next. `told` hears how far it is.
    """
    async with begin(sessions) as session:
        await session.execute(text(f"TRUNCATE {_TABLES} RESTART IDENTITY"))
        await session.execute(update(AnalyticsState).values(time_zone=zone, rebuilt_at=None))
    done = await _by_batches(sessions, Order, Order.paid_at.is_not(None), BATCH, _follow_orders, "orders", told)
    await _by_batches(sessions, ShopEvent, true(), EVENTS_AT_ONCE, _follow_events, "events of visits", told)
    await number_visits(sessions)
    async with begin(sessions) as session:
        await session.execute(update(AnalyticsState).values(rebuilt_at=NOW))
    return done


async def _by_batches(
    sessions: Sessions,
    table: type[Order | ShopEvent],
    wanted: ColumnElement[bool],
    size: int,
    follow: Callable[[Sequence[UUID]], Executable],
    noun: str,
    told: Callable[[str], None],
) -> int:
    """Each batch in its own transaction; returns how many rows they held."""
    async with begin(sessions) as session:
        whole = int(await session.scalar(select(func.count()).select_from(table).where(wanted)) or 0)
    done, last = 0, NOBODY
    while True:
        async with begin(sessions) as session:
            asked = select(table.id).where(wanted, table.id > last).order_by(table.id).limit(size)
            ids = list(await session.scalars(asked))
            if not ids:
                return done
            await session.execute(follow(ids))
        done, last = done + len(ids), ids[-1]
        told(f"{done:,} of {max(whole, done):,} {noun}")


def _follow_orders(ids: Sequence[UUID]) -> Executable:
    return select(func.follow_sales(ids))


def _follow_events(ids: Sequence[UUID]) -> Executable:
    zone = select(AnalyticsState.time_zone).scalar_subquery()
    return update(ShopEvent).where(ShopEvent.id.in_(ids)).values(local_at=func.timezone(zone, ShopEvent.at))


async def number_visits(sessions: Sessions) -> None:
    """Gives numbers to the events that came before there were any, a few at a time; one process does it at once."""
    some = select(ShopEvent.id).where(ShopEvent.visit_number.is_(None)).order_by(ShopEvent.id).limit(EVENTS_AT_ONCE)
    unnumbered = update(ShopEvent).where(ShopEvent.id.in_(some.scalar_subquery())).values(visit_number=None)
    while True:
        async with begin(sessions) as session:
            if not await session.scalar(select(func.pg_try_advisory_xact_lock(NUMBERING))):
                return
            if not (await session.execute(unnumbered.returning(ShopEvent.id))).first():
                return


async def check(env: Env) -> None:
    """Has the facts made anew when the shop's days begin at another midnight, or a rebuild did not come to its end.

    Events that have no numbers yet get them.
    """
    zone = (await shop.current(env)).time_zone
    async with begin(env.sessions) as session:
        state = (await session.scalars(select(AnalyticsState))).one()
        if state.time_zone != zone or state.rebuilt_at is None:
            await jobs.enqueue(session, JOB, {}, key=JOB)
    await number_visits(env.sessions)


async def _rebuild(env: Env, _payload: dict[str, Any]) -> None:
    zone = (await shop.current(env)).time_zone
    await rebuild(env.sessions, zone, told=lambda _line: None)


HANDLERS: dict[str, Handler] = {JOB: _rebuild}

"""The facts behind reports, made anew. Day by day they follow orders and refunds by themselves, by trigger."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text, update
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
JOB = "rebuild-analytics"
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


async def rebuild(sessions: Sessions, zone: str, *, told: Callable[[int, int], None]) -> int:
    """Every fact and sum anew, in the days of `zone`, while the shop sells on. Returns how many orders they show.

    Batches are short and each is right by itself: what is sold meanwhile is counted once, and a rebuild that was
    interrupted is made whole by the next. `told` hears how many orders of how many are done.
    """
    async with begin(sessions) as session:
        await session.execute(text(f"TRUNCATE {_TABLES} RESTART IDENTITY"))
        local = func.timezone(zone, ShopEvent.at)
        await session.execute(update(ShopEvent).values(local_at=local))
        await session.execute(update(AnalyticsState).values(time_zone=zone, rebuilt_at=None))
        paid = select(func.count()).select_from(Order).where(Order.paid_at.is_not(None))
        whole = int(await session.scalar(paid) or 0)
    done, last = 0, NOBODY
    while True:
        async with begin(sessions) as session:
            wanted = select(Order.id).where(Order.paid_at.is_not(None), Order.id > last).order_by(Order.id).limit(BATCH)
            ids = list(await session.scalars(wanted))
            if not ids:
                await session.execute(update(AnalyticsState).values(rebuilt_at=NOW))
                return done
            await session.execute(select(func.follow_sales(ids)))
        done, last = done + len(ids), ids[-1]
        told(done, max(whole, done))


async def check(env: Env) -> None:
    """Has the facts made anew when the shop's days begin at another midnight, or a rebuild did not come to its end."""
    zone = (await shop.current(env)).time_zone
    async with begin(env.sessions) as session:
        state = (await session.scalars(select(AnalyticsState))).one()
        if state.time_zone != zone or state.rebuilt_at is None:
            await jobs.enqueue(session, JOB, {}, key=JOB)


async def _rebuild(env: Env, _payload: dict[str, Any]) -> None:
    zone = (await shop.current(env)).time_zone
    await rebuild(env.sessions, zone, told=lambda done, whole: None)


HANDLERS: dict[str, Handler] = {JOB: _rebuild}

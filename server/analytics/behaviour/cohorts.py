"""Shoppers by when they first bought, and what became of them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, func, not_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import Sale
from server.analytics.reports.errors import DoesNotFit
from server.analytics.reports.ranges import Grain, Span

GRAINS = (Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR)
MOST_PERIODS = 60


@dataclass(frozen=True)
class Stay:
    """What a cohort did in one period: how many of it paid for an order, and what they came to, net."""

    start: datetime
    customers: int
    net_cents: int


@dataclass(frozen=True)
class Cohort:
    """Shoppers whose first paid order was in the period that begins with `start`, and their periods in order."""

    start: datetime
    size: int
    stays: tuple[Stay, ...]


async def cohorts(session: AsyncSession, span: Span, shop_zone: str, grain: Grain, now: datetime) -> list[Cohort]:
    """Those who began in the span, each up to the running period. Raises DoesNotFit."""
    starts = list(span.buckets(grain)) if grain in GRAINS else []
    if grain not in GRAINS or len(starts) > MOST_PERIODS:
        raise DoesNotFit(f"Cohorts are by week, month, quarter or year, at most {MOST_PERIODS} of them.")
    rows = await session.execute(_stays(span, shop_zone, grain))
    found: dict[tuple[datetime, datetime], Stay] = {
        (row.began, row.period): Stay(row.period, int(row.customers), int(row.net)) for row in rows
    }
    made = []
    for began in starts:
        stays, period = [], began
        while period <= now:
            stays.append(found.get((began, period), Stay(period, 0, 0)))
            period = grain.after(period)
        size = stays[0].customers if stays else 0
        if size:
            made.append(Cohort(began, size, tuple(stays)))
    return made


def _stays(span: Span, shop_zone: str, grain: Grain) -> Select[Any]:
    clock = Sale.local_at if span.zone.key == shop_zone else func.timezone(span.zone.key, Sale.at)
    firsts = (
        select(Sale.customer, func.date_trunc(grain.value, func.min(clock)).label("began"))
        .where(Sale.is_new, Sale.is_sale, Sale.order_mark == 1, clock >= span.start, clock < span.end)
        .group_by(Sale.customer)
        .subquery()
    )
    period = func.date_trunc(grain.value, clock)
    by_customer = (
        select(
            firsts.c.began,
            period.label("period"),
            Sale.customer,
            func.sum(Sale.gross_cents - Sale.discount_cents - Sale.refund_cents).label("net"),
            func.sum(Sale.order_mark).label("orders"),
        )
        .join_from(Sale, firsts, firsts.c.customer == Sale.customer)
        .group_by(firsts.c.began, period, Sale.customer)
        .subquery()
    )
    return select(
        by_customer.c.began,
        by_customer.c.period,
        func.count().filter(not_(by_customer.c.orders == 0)).label("customers"),
        func.sum(by_customer.c.net).label("net"),
    ).group_by(by_customer.c.began, by_customer.c.period)

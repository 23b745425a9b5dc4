"""Cohorts: customers by the period of their first order, and how many buy again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import Date, Select, cast, func, join, literal_column, select
from sqlalchemy.dialects.postgresql import array
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import Sale
from server.analytics.reports.aggregates import OF_WHOLE_ORDERS, STANDS_FOR_ORDER, different
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.ranges import Grain, Span

MOST_COHORTS = 60


class CohortPeriod(Enum):
    """Lengths of a cohort's periods."""

    WEEK = Grain.WEEK
    MONTH = Grain.MONTH
    QUARTER = Grain.QUARTER
    YEAR = Grain.YEAR


@dataclass(frozen=True)
class Retention:
    """A cohort in one period: how many of its customers paid an order, and their net sales in cents."""

    start: datetime
    customers: int
    net_cents: int


@dataclass(frozen=True)
class Cohort:
    """Customers whose first paid order was in the period that begins with `start`, and their periods in order."""

    start: datetime
    size: int
    stays: tuple[Retention, ...]


async def cohorts(
    session: AsyncSession, span: Span, shop_zone: str, period: CohortPeriod, now: datetime
) -> list[Cohort]:
    """The cohorts that began in the span, each up to the current period. Raises IncompatibleDimensions."""
    grain = period.value
    starts = list(span.buckets(grain))
    if len(starts) > MOST_COHORTS:
        raise IncompatibleDimensions(
            f"By {grain.value} these would be {len(starts):,} cohorts; the limit is {MOST_COHORTS}."
        )
    periods = list(_until(now, starts[0], grain))
    if not periods:
        return []
    rows = await session.execute(_stays(span, shop_zone, periods, grain.after(starts[0], len(periods))))
    retentions: dict[tuple[datetime, datetime], Retention] = {
        (periods[row.began - 1], periods[row.period - 1]): Retention(
            periods[row.period - 1], int(row.customers or 0), int(row.net)
        )
        for row in rows
    }
    result = []
    for began in starts:
        stays = [retentions.get((began, period), Retention(period, 0, 0)) for period in periods if period >= began]
        size = stays[0].customers if stays else 0
        if size:
            result.append(Cohort(began, size, tuple(stays)))
    return result


def _until(now: datetime, start: datetime, grain: Grain) -> Iterator[datetime]:
    while start <= now:
        yield start
        start = grain.after(start)


def _stays(span: Span, shop_zone: str, periods: Sequence[datetime], end: datetime) -> Select[Any]:
    """Customers and sales by cohort and period, in one pass over rows that stand for an order or refund.

    Those rows contain the day, in the shop's time zone, of their customer's first order.
    """
    day: Any = Sale.day
    began: Any = Sale.first_day
    joined: Any = Sale
    if span.zone.key != shop_zone:
        firsts = _firsts(span.zone.key)
        day, began = cast(func.timezone(span.zone.key, Sale.at), Date), firsts.c.began
        joined = join(Sale, firsts, firsts.c.customer == Sale.customer)
    starts = array([period.date() for period in periods], type_=Date)
    return (
        select(
            func.width_bucket(began, starts).label("began"),
            func.width_bucket(day, starts).label("period"),
            func.icount(different(Sale.customer, STANDS_FOR_ORDER)).label("customers"),
            func.sum(Sale.order_gross_cents - Sale.order_discount_cents - Sale.refund_cents).label("net"),
        )
        .select_from(joined)
        .where(OF_WHOLE_ORDERS)
        .where(began >= span.start.date(), began < span.end.date(), day >= periods[0].date(), day < end.date())
        .group_by(literal_column("1"), literal_column("2"))
    )


def _firsts(zone: str) -> Any:
    began = cast(func.timezone(zone, Sale.at), Date).label("began")
    return select(Sale.customer, began).where(Sale.is_new, Sale.order_mark == 1).subquery()

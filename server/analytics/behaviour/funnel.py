"""The funnel: how many visits reach viewed, added, checkout, paid."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, and_, case, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import VisitEvent
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import KINDS, TIME, Dimension
from server.analytics.reports.question import GRAINS
from server.analytics.reports.ranges import Span

STEPS = ("viewed", "added", "checkout", "paid")
SPLITS = (*TIME, *KINDS, Dimension.PRODUCT)
UNKNOWN = ("device", "traffic source", "customer")
UNKNOWN_WORDS = "Visits are counted without device, traffic source or customer, so it cannot be split by these."
MOST_WINDOW = timedelta(days=30)
CLOCK_CHANGE = timedelta(hours=2)
"""The most by which a wall clock is set back."""


@dataclass(frozen=True)
class FunnelProgress:
    """Visits that reached at least each step, in the order of STEPS, for one member or for all."""

    member: Any
    visits: tuple[int, ...]


def check(by: Dimension | None, window: timedelta) -> None:
    """Raises IncompatibleDimensions for a split or window that a funnel does not have."""
    if by is not None and by not in SPLITS:
        fitting = ", ".join(dimension.name for dimension in SPLITS)
        raise IncompatibleDimensions(f"A funnel cannot be split by {by.name}. It can be by {fitting}. {UNKNOWN_WORDS}")
    if not timedelta() < window <= MOST_WINDOW:
        raise IncompatibleDimensions("A funnel's window is 1 minute to 30 days.", "withinMinutes")


async def progress(
    session: AsyncSession, span: Span, shop_zone: str, window: timedelta, by: Dimension | None = None
) -> list[FunnelProgress]:
    """Visits whose first view is in the span. A step counts when it follows the one before, within the window.

    Split by products, each step has to be about the same member; split by time, by the time of the first view.
    """
    asked = _counts(span, shop_zone, window, by)
    return [FunnelProgress(row[0], tuple(int(count) for count in row[1:])) for row in await session.execute(asked)]


def _counts(span: Span, shop_zone: str, window: timedelta, by: Dimension | None) -> Select[Any]:
    step = _visits(span, shop_zone, window, by)
    for number in range(1, len(STEPS)):
        step = _next(step, number, window)
    moments = [step.c[f"at{number}"] for number in range(len(STEPS))]
    member = func.date_trunc(GRAINS[by].value, step.c.local_at) if by is not None and by in GRAINS else step.c.member
    counted = select(member, *(func.count(moment) for moment in moments)).group_by(member)
    return counted.order_by(member)


def _member(events: Any, by: Dimension | None) -> Any:
    match by:
        case Dimension.PRODUCT:
            return events.product_id
        case Dimension.CATEGORY:
            return events.category
        case Dimension.GENDER:
            return func.split_part(events.category, "_", 1)
        case Dimension.SUBCATEGORY:
            return func.split_part(events.category, "_", 2)
        case _:
            return literal("")


def _visits(span: Span, shop_zone: str, window: timedelta, by: Dimension | None) -> Any:
    """The visits, each once, with its first view and the times of every later step.

    Uses grouping instead of joins: one pass over the events, independent of the planner's statistics.
    """
    events = VisitEvent.c
    clock = events.local_at if span.zone.key == shop_zone else func.timezone(span.zone.key, events.at)
    member = _member(events, by).label("member")
    viewed = and_(events.kind == STEPS[0], clock < span.end)
    begun = func.min(events.at).filter(viewed)
    later = [
        func.array_agg(events.at).filter(events.kind == kind).label(f"all{number}")
        for number, kind in enumerate(STEPS[1:], start=1)
    ]
    return (
        select(member, begun.label("at0"), func.min(clock).filter(viewed).label("local_at"), *later)
        .where(clock >= span.start, clock < span.end + window + CLOCK_CHANGE)
        .group_by(events.visit, member)
        .having(begun.is_not(None))
        .cte("at_least_viewed")
        .prefix_with("MATERIALIZED", dialect="postgresql")
    )


def _next(step: Any, number: int, window: timedelta) -> Any:
    """The same visits with the time of their next step; null for those without it."""
    moment = func.unnest(step.c[f"all{number}"]).column_valued(f"moment{number}")
    taken = (
        select(func.min(moment))
        .where(moment >= step.c[f"at{number - 1}"], moment <= step.c.at0 + window)
        .scalar_subquery()
    )
    # The subquery runs only for the few visits that can have reached this step.
    can = and_(step.c[f"at{number - 1}"].is_not(None), step.c[f"all{number}"].is_not(None))
    return (
        select(step, case((can, taken)).label(f"at{number}"))
        .cte(f"at_least_{STEPS[number]}")
        .prefix_with("MATERIALIZED", dialect="postgresql")
    )

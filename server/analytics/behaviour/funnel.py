"""The funnel: how many visits reach viewed, added, checkout, paid."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from sqlalchemy import TIMESTAMP, Date, Select, SelectBase, Uuid, and_, case, cast, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from server.analytics import visit_sums
from server.analytics.models import EventMember, SettledVisits, ShopEvent, VisitEvent, VisitsDay
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import TIME, Dimension
from server.analytics.reports.question import GRAINS
from server.analytics.reports.ranges import Span

STEPS = ("viewed", "added", "checkout", "paid")
_MEMBERS = tuple(dimension for dimension in Dimension if dimension.facts.of_events and dimension.facts.column)
SPLITS = (*TIME, *_MEMBERS)
UNKNOWN = ("device", "traffic source", "customer")
UNKNOWN_WORDS = "Visits are counted without device, traffic source or customer, so it cannot be split by these."
MOST_WINDOW = visit_sums.WINDOWS[-1] * visit_sums.MINUTE


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
    settled = None
    if span.zone.key == shop_zone and span.is_whole_days and by is not Dimension.HOUR:
        settled = await visit_sums.settled_for(session, window)
    parts = _parts(span, shop_zone, window, by, settled).subquery()
    member, *steps = parts.c
    query = select(member, *(func.sum(step) for step in steps)).group_by(member).order_by(member)
    return [FunnelProgress(row[0], tuple(int(count) for count in row[1:])) for row in await session.execute(query)]


def _parts(
    span: Span, shop_zone: str, window: timedelta, by: Dimension | None, settled: SettledVisits | None
) -> SelectBase:
    """Counts of settled days, and of the others event by event; a member may be in both."""
    if settled is None or settled.until <= span.start.date():
        return _counts(_visits(span, shop_zone, window, by), window, by)
    sums = _sums(span, settled.until, window, by)
    if span.end <= _midnight(settled.until):
        return sums
    begun = _visits(replace(span, start=_midnight(settled.until)), shop_zone, window, by)
    return sums.union_all(_counts(_not_settled(begun, span, settled, by), window, by))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time())


def _sums(span: Span, until: date, window: timedelta, by: Dimension | None) -> Select[Any]:
    """The same of settled days. No event is older than the first of these days."""
    of_members = by in _MEMBERS
    of_split = VisitsDay.split == (by.name.lower() if by and of_members else "")
    first = select(func.min(VisitsDay.day)).where(of_split).scalar_subquery()
    start = func.greatest(literal(span.start.date(), Date), first)
    within = (VisitsDay.day >= span.start.date(), VisitsDay.day < min(until, span.end.date()))
    in_time = (VisitsDay.previous_day < start, VisitsDay.minutes <= window // visit_sums.MINUTE)
    key: Any = VisitsDay.member if of_members else VisitsDay.day
    steps = [func.sum(getattr(VisitsDay, step)).label(step) for step in STEPS]
    summed = select(key.label("key"), *steps).where(of_split, *within, *in_time).group_by(key).subquery()
    event_member = select(EventMember.member).where(EventMember.number == summed.c.key).scalar_subquery()
    member = event_member if of_members else _begun(by, cast(summed.c.key, TIMESTAMP(timezone=False)), literal(""))
    named = cast(member, Uuid) if by is Dimension.PRODUCT else member
    return select(named.label("member"), *list(summed.c)[1:])


def _not_settled(step: Any, span: Span, settled: SettledVisits, by: Dimension | None) -> Any:
    """Those of the visits that are not counted on a settled day of the span. Only few visits have to be looked up."""
    earlier = aliased(ShopEvent)
    same = [_member(earlier, by).is_not_distinct_from(step.c.member)] if by in _MEMBERS else []
    viewed = and_(
        earlier.visit == step.c.visit,
        earlier.kind == STEPS[0],
        earlier.local_at >= span.start,
        earlier.local_at < _midnight(settled.until),
        *same,
    )
    is_old = func.coalesce(step.c.visit_number, 0) <= settled.last_visit
    # An EXISTS would be answered by reading all events of the settled days.
    views = select(func.count()).where(viewed).scalar_subquery()
    return (
        select(step)
        .where(case((is_old, views), else_=0) == 0)
        .cte("not_settled")
        .prefix_with("MATERIALIZED", dialect="postgresql")
    )


def _counts(step: Any, window: timedelta, by: Dimension | None) -> Select[Any]:
    for number in range(1, len(STEPS)):
        step = _next(step, number, window)
    moments = [step.c[f"at{number}"] for number in range(len(STEPS))]
    member = _begun(by, step.c.local_at, step.c.member)
    return select(member.label("member"), *(func.count(moment) for moment in moments)).group_by(member)


def _begun(by: Dimension | None, local_at: Any, member: Any) -> Any:
    """What a visit is counted under: when it began, or what it was about."""
    return func.date_trunc(GRAINS[by].value, local_at) if by is not None and by in GRAINS else member


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
    clock: Any = events.local_at
    end = span.end + window + visit_sums.CLOCK_CHANGE
    near = []
    if span.zone.key != shop_zone:
        clock = func.timezone(span.zone.key, events.at)
        earliest, latest = replace(span, end=end).in_any_zone
        near = [events.local_at >= earliest, events.local_at < latest]
    member = _member(events, by).label("member")
    viewed = and_(events.kind == STEPS[0], clock < span.end)
    begun = func.min(events.at).filter(viewed)
    later = [
        func.array_agg(events.at).filter(events.kind == kind).label(f"all{number}")
        for number, kind in enumerate(STEPS[1:], start=1)
    ]
    return (
        select(events.visit, func.max(events.visit_number).label("visit_number"), member)
        .add_columns(begun.label("at0"), func.min(clock).filter(viewed).label("local_at"), *later)
        .where(*near, clock >= span.start, clock < end)
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

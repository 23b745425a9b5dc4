"""How far visits come: viewed, added, checkout, paid."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import Select, and_, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import VisitEvent
from server.analytics.reports.errors import DoesNotFit
from server.analytics.reports.language import KINDS, TIME, Dimension
from server.analytics.reports.plan import GRAINS
from server.analytics.reports.ranges import Span

STEPS = ("viewed", "added", "checkout", "paid")
SPLITS = (*TIME, *KINDS, Dimension.PRODUCT)
MOST_WINDOW = timedelta(days=30)


@dataclass(frozen=True)
class Progress:
    """Visits that came at least as far as each step, in the order of STEPS, for one member or for all."""

    member: Any
    visits: tuple[int, ...]


def check(by: Dimension | None, window: timedelta) -> None:
    """Raises DoesNotFit."""
    if by is not None and by not in SPLITS:
        fitting = ", ".join(dimension.name for dimension in SPLITS)
        raise DoesNotFit(f"A funnel cannot be split by {by.name}. It can be by {fitting}.")
    if not timedelta() < window <= MOST_WINDOW:
        raise DoesNotFit("A funnel's window is 1 minute to 30 days.")


async def progress(
    session: AsyncSession, span: Span, shop_zone: str, window: timedelta, by: Dimension | None = None
) -> list[Progress]:
    """Visits whose first view lies in the span. A step counts when it came after the one before, within the window.

    Split by what is bought, each step has to be about the same member; split by time, by when the first view was.
    """
    asked = _counts(span, shop_zone, window, by)
    return [Progress(row[0], tuple(int(count) for count in row[1:])) for row in await session.execute(asked)]


def _counts(span: Span, shop_zone: str, window: timedelta, by: Dimension | None) -> Select[Any]:
    step = _first_views(span, shop_zone, by)
    for number, kind in enumerate(STEPS[1:]):
        step = _next(step, kind, f"step{number}", window, by)
    moments = [step.c.at, *(step.c[f"step{number}"] for number in range(len(STEPS) - 1))]
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


def _first_views(span: Span, shop_zone: str, by: Dimension | None) -> Any:
    events = VisitEvent.c
    clock = events.local_at if span.zone.key == shop_zone else func.timezone(span.zone.key, events.at)
    member = _member(events, by).label("member")
    return (
        select(events.visit, member, func.min(events.at).label("at"), func.min(clock).label("local_at"))
        .where(events.kind == STEPS[0], clock >= span.start, clock < span.end)
        .group_by(events.visit, member)
        .subquery()
    )


def _next(step: Any, kind: str, name: str, window: timedelta, by: Dimension | None) -> Any:
    """The visits with the moment at which they took one step more; null for those who did not."""
    events = VisitEvent.alias().c
    before: Sequence[Any] = [column for column in step.c if column.name.startswith("step")]
    latest = before[-1] if before else step.c.at
    taken = and_(
        events.visit == step.c.visit,
        _member(events, by) == step.c.member,
        events.kind == kind,
        events.at >= latest,
        events.at <= step.c.at + window,
    )
    source = events.visit.table
    kept = [step.c.visit, step.c.member, step.c.at, step.c.local_at, *before]
    return (
        select(*kept, func.min(events.at).label(name))
        .select_from(step.outerjoin(source, taken))
        .group_by(*kept)
        .subquery()
    )

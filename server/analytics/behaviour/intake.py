"""Limits on the events that browsers report.

The endpoint is open to everyone, so limits count rows, which take disk space, and not requests. Rows over a limit are
dropped and counted, never refused: a browser could not act on a refusal.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import structlog

from server.analytics.behaviour import events
from server.analytics.behaviour.events import VisitEvent
from server.config import MAX_CART_LINES, Settings
from server.platform.core import limits
from server.platform.core.context import Context, transaction
from server.platform.core.disk import DiskSpace
from server.platform.core.limits import Limit

log = structlog.get_logger()

MAX_ROWS = 100
"""In one request: a full cart taken to checkout, and some views."""
MAX_PRODUCTS = {"viewed": 1, "added": 1, "checkout": MAX_CART_LINES}
"""In one event, by what a page can contain of its kind."""
ROWS_PER_MINUTE = 1_000
"""Of one network address, which may be a whole office's."""
DAY = 86_400
LOG_SECONDS = 60.0


class Intake:
    """Counts this process's dropped rows by the reason: `bounds` or `disk`."""

    def __init__(self) -> None:
        self.dropped: Counter[str] = Counter()
        self._untold: Counter[str] = Counter()

    def drop(self, rows: int, reason: str) -> None:
        """Counts dropped rows; logs at most one line a minute."""
        if rows <= 0:
            return
        if not self._untold:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self._tell)
        self.dropped[reason] += rows
        self._untold[reason] += rows

    def _tell(self) -> None:
        for reason, count in self._untold.items():
            log.warning("events.dropped", kind=reason, count=count)
        self._untold.clear()


async def take(context: Context, visit: UUID, happenings: Sequence[VisitEvent]) -> None:
    """Stores as much of a batch as fits into every limit."""
    intake = context.resources.get(Intake)
    total = sum(len(each.products) for each in happenings)
    if await context.resources.get(DiskSpace).is_low("database", context.sessions):
        intake.drop(total, "disk")
        return
    plausible = first_rows([_plausible(each) for each in happenings], MAX_ROWS)
    granted = await _granted(context, _rows(plausible))
    async with transaction(context) as session:
        room = context.resources.get(Settings).limits.events_per_visit - await events.rows_of_visit(session, visit)
        accepted = first_rows(plausible, min(granted, max(room, 0)))
        if accepted:
            await events.record(session, visit, accepted)
    intake.drop(total - _rows(accepted), "bounds")


def first_rows(happenings: Sequence[VisitEvent], most: int) -> list[VisitEvent]:
    """The first events that make at most so many rows; each kind of event about a product counts once."""
    events_to_store, seen = [], set[tuple[str, UUID]]()
    for happening in happenings:
        new = [product for product in happening.products if (happening.kind, product) not in seen]
        products = tuple(dict.fromkeys(new))[: most - len(seen)]
        seen.update((happening.kind, product) for product in products)
        if products:
            events_to_store.append(replace(happening, products=products))
    return events_to_store


def _plausible(happening: VisitEvent) -> VisitEvent:
    return replace(happening, products=happening.products[: MAX_PRODUCTS[happening.kind]])


def _rows(happenings: Sequence[VisitEvent]) -> int:
    return sum(len(each.products) for each in happenings)


async def _granted(context: Context, rows: int) -> int:
    """How many of these rows the limits of the address and then of the day allow.

    The address comes first; otherwise one over its own limit would use up the limit of all.
    """
    settings = context.resources.get(Settings)
    of_address = (
        Limit(f"event rows:{context.network}", ROWS_PER_MINUTE, 60),
        Limit(f"event rows a day:{context.network}", settings.limits.events_per_address_per_day, DAY),
    )
    granted = await limits.take_up_to(context.sessions, rows, *of_address)
    return await limits.take_up_to(context.sessions, granted, Limit("event rows", settings.limits.events_per_day, DAY))

"""Rows for times in which nothing happened."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any

from server.analytics.reports.cost import ROW_LIMIT
from server.analytics.reports.language import (
    TIME,
    Dimension,
    Sums,
)
from server.analytics.reports.question import GRAINS, OTHER, Members, member_text
from server.analytics.reports.request import ReportRequest
from server.analytics.reports.result import AT_ONCE, Key
from server.platform.core.batches import slices

_IMPLIED_BY: Mapping[Dimension, Collection[Dimension]] = {
    Dimension.HOUR: (Dimension.WEEKDAY, Dimension.HOUR_OF_DAY),
    Dimension.DAY: (Dimension.WEEKDAY,),
}
"""Dimensions whose member follows from a time: no Monday is a Tuesday."""


def part_of_time(dimension: Dimension, members: Members | None) -> Callable[[datetime], Any]:
    """A function from a time to the dimension's member."""
    if dimension in GRAINS:
        return GRAINS[dimension].floor
    part: Callable[[datetime], int] = datetime.isoweekday if dimension is Dimension.WEEKDAY else attrgetter("hour")
    if members is None or members.of is not dimension:
        return part
    texts = {member_text(member) for member in members.values}
    return lambda moment: text if (text := member_text(part(moment))) in texts else OTHER


async def with_gaps_filled(
    ask: ReportRequest, sums: dict[Key, Sums], members: Members | None
) -> tuple[list[tuple[Key, Sums]], int]:
    """Adds rows for every time of the range and every group that has a row. Returns also `Report.unfilled`."""
    rows = list(sums.items())
    finest = min(set(ask.by) & set(TIME), key=TIME.index, default=None)
    if not ask.fill_gaps or finest is None:
        return rows, 0
    time_dimensions = {*TIME, *_IMPLIED_BY.get(finest, ())}
    times = [index for index, dimension in enumerate(ask.by) if dimension in time_dimensions]
    fixed = [index for index, dimension in enumerate(ask.by) if dimension not in time_dimensions]
    starts = list(ask.span.buckets(GRAINS[finest]))
    if finest is Dimension.WEEK:
        # A week may span two months, each of which has its part.
        buckets = [ask.span.buckets(GRAINS[ask.by[index]]) for index in times]
        starts = sorted({max(start, ask.span.start) for start in chain(*buckets)})
    await asyncio.sleep(0)
    groups = _parts(sums, fixed) if sums or fixed else [()]
    cells = len(starts) * len(groups)
    is_full = len(times) == 1 and cells == len(sums)
    if is_full or cells > ROW_LIMIT:
        return rows, 0 if is_full else cells
    # Each start once for all groups, since truncating times is expensive.
    is_known = finest is not Dimension.WEEK
    cuts = [None if is_known and ask.by[index] is finest else part_of_time(ask.by[index], members) for index in times]
    moments: list[Key] = []
    async for part in slices(starts, AT_ONCE // 4):
        moments += [tuple([cut(start) if cut else start for cut in cuts]) for start in part]
    places = sorted(range(len(ask.by)), key=lambda place: (*times, *fixed)[place])
    nothing = (0,) * len(ask.bases)
    async for some in slices(groups, max(1, AT_ONCE // 4 // len(moments))):
        for key in _keys(some, moments, places):
            if key not in sums:
                rows.append((key, nothing))
    return rows, 0


def _parts(keys: Iterable[Key], places: Sequence[int]) -> list[Key]:
    """The distinct parts of the keys at these places, in the order of first appearance."""
    if len(places) > 1:
        return list(dict.fromkeys(map(itemgetter(*places), keys)))
    return [(part,) for part in dict.fromkeys(map(itemgetter(*places), keys))] if places else [()]


def _keys(groups: Sequence[Key], moments: Sequence[Key], places: Sequence[int]) -> Iterator[Key]:
    """The keys of each group at each moment, with the parts in their places."""
    for group in groups:
        for moment in moments:
            parts = (*moment, *group)
            yield tuple([parts[place] for place in places])

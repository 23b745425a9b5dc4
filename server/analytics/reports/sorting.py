"""Which rows of a report are kept and shown, and in which order."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from server.analytics.reports.filters import ALLOWED
from server.analytics.reports.language import (
    CLOCK,
    IN_ORDER,
    TIME,
    Dimension,
    Measure,
    Sums,
)
from server.analytics.reports.question import OTHER, member_text
from server.analytics.reports.request import ReportOrdering
from server.analytics.reports.result import AT_ONCE, Key, Report, ResultRow
from server.platform.core.batches import slices

NO_VALUE = float("-inf")


async def within_bounds(report: Report, rows: list[tuple[Key, Sums]]) -> list[tuple[Key, Sums]]:
    """The rows that `having` keeps."""
    bounds = report.ask.having
    if not bounds:
        return rows
    matching: list[tuple[Key, Sums]] = []
    async for some in slices(rows, AT_ONCE // 20):
        matching += [
            row for row in some if all(bound.holds(report.value(bound.measure, ResultRow(*row))) for bound in bounds)
        ]
    return matching


_Column = Callable[[Sequence[tuple[Key, Sums]]], Awaitable[list[Any]]]


async def page_of(report: Report) -> list[ResultRow]:
    """The rows of the page, or all: in the requested order, else by time, clock and price band, then by first measure.

    The largest come first, Other last. The first sort key is computed for every row, further ones only for rows near
    the page.
    """
    rows, page, order = report.rows, report.ask.page, list(_order(report))
    if page is None or len(page) >= len(rows) or not order:
        return (await _sorted(rows, order))[page.start : page.stop] if page else await _sorted(rows, order)
    decides, descending = order[0]
    values = await decides(rows)
    await asyncio.sleep(0)
    in_order = sorted(values, reverse=descending)[: page.stop]
    ends = in_order[page.start :][:1] + in_order[-1:]
    if len(ends) < 2:
        return []
    await asyncio.sleep(0)
    low, high = sorted(ends)
    near = [row for row, value in zip(rows, values, strict=True) if low <= value <= high]
    skipped = page.start - in_order.index(ends[0])
    return (await _sorted(near, order))[skipped:][: len(page)]


async def _sorted(rows: Sequence[tuple[Key, Sums]], order: Sequence[tuple[_Column, bool]]) -> list[ResultRow]:
    places = list(range(len(rows)))
    for column, descending in reversed(order):
        values = await column(rows)
        await asyncio.sleep(0)
        places.sort(key=values.__getitem__, reverse=descending)
        await asyncio.sleep(0)
    shown: list[ResultRow] = []
    async for some in slices(places, AT_ONCE):
        shown += [ResultRow(*rows[place]) for place in some]
    return shown


def _order(report: Report) -> Iterator[tuple[_Column, bool]]:
    """Sort keys from the first to the last, each with whether it is descending."""
    ask = report.ask
    ordering = ask.order or (
        *(ReportOrdering(dimension) for dimension in ask.by if dimension in TIME),
        *(ReportOrdering(dimension) for dimension in ask.by if dimension in IN_ORDER),
        *(ReportOrdering(measure, descending=True) for measure in ask.measures[:1]),
    )
    if ask.top and not ask.order:
        yield from ((partial(_places, index, _place), False) for index, each in enumerate(ask.by) if each in TIME)
        yield partial(_are_other, ask.by.index(ask.top.of)), False
    for order in ordering:
        if isinstance(order.by, Measure):
            yield partial(_sizes, report, order.by), order.descending
        else:
            yield partial(_places, ask.by.index(order.by), _place_in(order.by, ask.sizes)), order.descending
    settled = {order.by for order in ordering}
    for index, dimension in enumerate(ask.by):
        if dimension not in settled:
            yield partial(_places, index, _place_in(dimension, ask.sizes)), False


async def _places(index: int, place: Callable[[Any], Any], rows: Sequence[tuple[Key, Sums]]) -> list[int]:
    """Each row's sort position by one part of its key; every distinct part is compared only once."""
    parts = [key[index] for key, _ in rows]
    places = {part: number for number, part in enumerate(sorted(set(parts), key=place))}
    await asyncio.sleep(0)
    return [places[part] for part in parts]


async def _are_other(index: int, rows: Sequence[tuple[Key, Sums]]) -> list[bool]:
    return [key[index] == OTHER for key, _ in rows]


def _place_in(dimension: Dimension, sizes: Sequence[str]) -> Callable[[Any], Any]:
    """A function that places the members of a dimension in order: of time, price or size, else of the alphabet."""
    if dimension in CLOCK:
        return _clock_place
    members = {Dimension.PRICE_BAND: ALLOWED[Dimension.PRICE_BAND], Dimension.SIZE: sizes}.get(dimension)
    if members is not None:
        scale = {member: place for place, member in enumerate(members)}
        return lambda part: (scale.get(part, len(scale)), part == OTHER, member_text(part))
    return _place


def _place(part: Any) -> tuple[bool, Any]:
    return (part is not None, part if isinstance(part, int | datetime) else member_text(part))


def _clock_place(part: Any) -> tuple[bool, int]:
    """`top` turns hours and weekdays into text, which would sort 10 before 9; Other comes last."""
    return (True, 0) if part == OTHER else (False, int(part))


async def _sizes(report: Report, measure: Measure, rows: Sequence[tuple[Key, Sums]]) -> list[float]:
    """Values for sorting; rows without a value come below all others."""
    sizes: list[float] = []
    async for some in slices(rows, AT_ONCE):
        sizes += [NO_VALUE if amount is None else amount for amount in report.amounts(measure, some)]
    return sizes

"""The rows of a report, with the values, ranks and comparisons of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.reports import plan
from server.analytics.reports.comparisons import Shift
from server.analytics.reports.labels import Labels
from server.analytics.reports.language import (
    MEASURES,
    OF_VISITS,
    TIME,
    Dimension,
    Measure,
    Sums,
    amount_of,
    in_unit,
)
from server.analytics.reports.question import GRAINS, OTHER, Condition, Members, ReportStatement, member_text
from server.analytics.reports.ranges import Span
from server.analytics.reports.request import Comparison, ReportRequest

AT_ONCE = 1_000
"""Rows processed between two turns of the event loop, which takes half a millisecond."""
Key = tuple[Any, ...]


class ResultRow(NamedTuple):
    """One row; `sums` are the base measures from which its values are computed on demand."""

    key: Key
    sums: Sums


@dataclass(frozen=True)
class ComparedReport:
    """The same report over another span."""

    span: Span
    days: int
    sums: Mapping[Key, Sums]
    total: Sums
    shift: Shift
    key_of: Callable[[Key], Key | None]
    """Maps a row's key to the key it is compared with; None where nothing corresponds to it."""


@dataclass
class Report:
    """All rows unsorted, those of the page sorted, and what their values need: totals, comparisons, labels."""

    ask: ReportRequest
    counted: list[tuple[Key, Sums]]
    """All rows, before `having`."""
    rows: list[tuple[Key, Sums]]
    """The rows that `having` keeps, as plain tuples: the garbage collector soon untracks these."""
    shown: list[ResultRow]
    total: ResultRow
    compared: Mapping[Comparison, ComparedReport]
    labels: Labels
    now: datetime
    as_of: datetime
    elapsed: Span
    cost: int
    source: str
    members: Members | None = None
    visits_since: datetime = datetime.min  # noqa: DTZ901 - a wall clock
    """When the first visit was recorded, by the range's clock: before that, measures of visits have no value."""
    unfilled: int = 0
    """How many rows filled gaps would make, where those are too many and gaps are left."""
    milliseconds: int = 0
    _amounts: dict[Measure, Callable[[Sums, int], int | None]] = field(default_factory=dict)
    _ranks: dict[Measure, dict[Key, int]] = field(default_factory=dict)
    _running: dict[Measure, dict[Key, int]] = field(default_factory=dict)

    def value(self, measure: Measure, row: ResultRow) -> Decimal | None:
        """The measure's value in a row; None without one."""
        return self._value(measure, row, self.elapsed.days, self.ask.span)

    def _value(self, measure: Measure, row: ResultRow, days: int, span: Span) -> Decimal | None:
        if measure in OF_VISITS and not self._has_visits(row.key, span):
            return None
        amount = self._amount_of(measure)(row.sums, days)
        return None if amount is None else in_unit(measure, amount)

    def _has_visits(self, key: Key, span: Span) -> bool:
        """Whether visits were recorded in any part of the row's time; the totals have an empty key."""
        return span.end > self.visits_since and (not key or all(key[at] >= first for at, first in self._first_visited))

    @cached_property
    def _first_visited(self) -> list[tuple[int, datetime]]:
        """The first time of each time dimension in which visits were recorded, with its place in the key."""
        grains = ((place, GRAINS[each]) for place, each in enumerate(self.ask.by) if each in GRAINS)
        return [(place, grain.floor(self.visits_since)) for place, grain in grains]

    def _amount_of(self, measure: Measure) -> Callable[[Sums, int], int | None]:
        if measure not in self._amounts:
            self._amounts[measure] = amount_of(measure, self.ask.bases)
        return self._amounts[measure]

    def amounts(self, measure: Measure, rows: Sequence[tuple[Key, Sums]]) -> list[int | None]:
        """Values for sorting, which are faster to compute for all rows than `value`."""
        amount, days, span = self._amount_of(measure), self.elapsed.days, self.ask.span
        if measure in OF_VISITS and self.visits_since > span.start:
            return [amount(sums, days) if self._has_visits(key, span) else None for key, sums in rows]
        return [amount(sums, days) for _, sums in rows]

    def rank(self, measure: Measure, row: ResultRow) -> int | None:
        """1 is the highest; equal values share a rank. None for totals, Other and rows without a value."""
        if row is self.total:
            return None
        if measure not in self._ranks:
            self._ranks[measure] = self._ranked(measure)
        return self._ranks[measure].get(row.key)

    def _ranked(self, measure: Measure) -> dict[Key, int]:
        rows = [row for row in self.rows if not self._is_other(row[0])]
        amounts = zip(rows, self.amounts(measure, rows), strict=True)
        values = {key: amount for (key, _), amount in amounts if amount is not None}
        places: dict[int, int] = {}
        for place, value in enumerate(sorted(values.values(), reverse=True), start=1):
            places.setdefault(value, place)
        return {key: places[value] for key, value in values.items()}

    def _is_other(self, key: Key) -> bool:
        """Whether the row stands for the members that `top` leaves out."""
        top = self.ask.top
        return top is not None and key[self.ask.by.index(top.of)] == OTHER

    def cumulative(self, measure: Measure, row: ResultRow) -> Decimal | None:
        """The sum of this and all earlier rows with the same other dimensions, before `having`.

        None without a time dimension, or where rows do not add up.
        """
        if not MEASURES[measure].adds_up or not any(dimension in TIME for dimension in self.ask.by):
            return None
        if measure not in self._running:
            self._running[measure] = self._run_up(measure)
        total = self._running[measure].get(row.key)
        return None if total is None else in_unit(measure, total)

    def _run_up(self, measure: Measure) -> dict[Key, int]:
        times = [index for index, dimension in enumerate(self.ask.by) if dimension in TIME]
        others = [index for index in range(len(self.ask.by)) if index not in times]
        sums: dict[Key, int] = {}
        totals: dict[Key, int] = {}
        rows = sorted(self.counted, key=lambda each: [each[0][index] for index in times])
        for (key, _), amount in zip(rows, self.amounts(measure, rows), strict=True):
            if amount is None:
                continue
            group = tuple([key[index] for index in others])
            sums[group] = sums.get(group, 0) + amount
            totals[key] = sums[group]
        return totals

    def compared_value(self, comparison: Comparison, measure: Measure, row: ResultRow) -> Decimal | None:
        """The measure in the row that this row is compared with; None without such a row or value."""
        other = self.compared[comparison]
        if row is self.total:
            return self._value(measure, ResultRow((), other.total), other.days, other.span)
        key = other.key_of(row.key)
        if key is None:
            return None
        nothing = (0,) * len(self.ask.bases)
        return self._value(measure, ResultRow(key, other.sums.get(key, nothing)), other.days, other.span)

    def conditions_of(self, row: ResultRow) -> tuple[Condition, ...]:
        """The conditions that select what a row stands for; only `where` for the totals."""
        if row is self.total:
            return self.ask.where
        return (*self.ask.where, *(self._member(*each) for each in zip(self.ask.by, row.key, strict=True)))

    def _member(self, dimension: Dimension, key: Any) -> Condition:
        if self.members is None or self.members.of is not dimension:
            return Condition(dimension, (key,))
        if key == OTHER:
            return Condition(dimension, self.members.values, negated=True)
        return Condition(dimension, tuple(each for each in self.members.values if member_text(each) == key))


async def orders_behind(
    session: AsyncSession, report: Report, row: ResultRow, *, shop_zone: str, limit: int, after: int
) -> tuple[list[UUID], int]:
    """A page of the orders that a row counts, latest first, and their total number."""
    question = ReportStatement((), report.conditions_of(row), report.ask.span, shop_zone)
    query = plan.orders_behind(question)
    count = int(await session.scalar(select(func.count()).select_from(query.order_by(None).subquery())) or 0)
    rows = await session.execute(query.limit(limit).offset(after))
    return [row.order_id for row in rows], count

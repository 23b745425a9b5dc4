"""The expected answer of a report, computed from the oracle's entries and the question alone."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any

from server.analytics.reports.language import TIME, Dimension, Measure
from server.analytics.reports.question import GRAINS
from server.analytics.reports.ranges import Grain, Span
from server.analytics.reports.request import Comparison, MeasureRange, ReportRequest
from tests.analytics.reports import earlier, oracle
from tests.analytics.reports.oracle import Entry, Key

ROW_LIMIT = 20_000
OTHER = "other"
LAST = 99
"""After every weekday and every hour."""
NOTHING = Decimal("-Infinity")
DATED = {Dimension.DAY, Dimension.HOUR}
CLOCK = (Dimension.WEEKDAY, Dimension.HOUR_OF_DAY)
SCALES = {
    Dimension.PRICE_BAND: ("under-50", "50-to-100", "100-to-150", "150-up", OTHER),
    Dimension.SIZE: ("XS", "S", "M", "L", "XL", "XXL", OTHER),
}
ADDITIVE = {
    Measure.UNITS,
    Measure.GROSS_SALES,
    Measure.DISCOUNTS,
    Measure.REFUNDS,
    Measure.NET_SALES,
    Measure.TAX,
    Measure.SHIPPING,
}
"""What one row has, no other has: parts come to the whole, and later ones are added to earlier ones."""


Column = Callable[[Key], Any]


@dataclass
class ExpectedReport:
    """What the books say to one question at one moment. Keys have the parts of `by`, as values of Python."""

    ask: ReportRequest
    entries: list[Entry]
    as_of: datetime
    _values: dict[tuple[Measure, Key], Decimal | None] = field(default_factory=dict)
    _compared: dict[Comparison, "ExpectedComparison"] = field(default_factory=dict)
    _sorted: dict[Measure, list[Decimal]] = field(default_factory=dict)

    @cached_property
    def counted(self) -> list[Entry]:
        """Everything in the range that `where` keeps."""
        return oracle.kept(self.entries, self.ask.span, self.ask.where)

    @cached_property
    def best(self) -> list[str]:
        """The members that `top` keeps."""
        top = self.ask.top
        if top is None:
            return []
        members = oracle.grouped(self.counted, (top.of,), self.ask.span.zone)
        values = [(oracle.measured(top.measure, rows), text_of(key[0])) for key, rows in members.items()]
        ranked = sorted(((value, member) for value, member in values if value is not None), key=lambda e: (-e[0], e[1]))
        return [member for _, member in ranked[: top.count]]

    @cached_property
    def groups(self) -> dict[Key, list[Entry]]:
        """Every row before `having`, gaps filled if they are to be."""
        if not self.ask.by:
            return {(): self.counted}
        groups = self.renamed(oracle.grouped(self.counted, self.ask.by, self.ask.span.zone))
        return self._filled(groups) if self.ask.fill_gaps and {*self.ask.by} & {*TIME} else groups

    def _filled(self, groups: dict[Key, list[Entry]]) -> dict[Key, list[Entry]]:
        by = self.ask.by
        dimensions = {*TIME}
        dimensions |= {Dimension.WEEKDAY} if DATED & {*by} else set()
        dimensions |= {Dimension.HOUR_OF_DAY} if Dimension.HOUR in by else set()
        smallest = Grain.HOUR if Dimension.HOUR in by else Grain.DAY
        times = [place for place, dimension in enumerate(by) if dimension in dimensions]
        moments = {
            tuple(self._part_of(start, by[place]) for place in times) for start in self.ask.span.buckets(smallest)
        }
        fixed = [place for place in range(len(by)) if place not in times]
        some = {tuple(key[place] for place in fixed) for key in groups} or ({()} if not fixed else set())
        if len(moments) * len(some) > ROW_LIMIT:
            return groups
        for moment in moments:
            for group in some:
                parts = dict(zip((*times, *fixed), (*moment, *group), strict=True))
                groups.setdefault(tuple(parts[place] for place in range(len(by))), [])
        return groups

    def _part_of(self, moment: datetime, dimension: Dimension) -> Any:
        """The dimension's member that a moment of the range's own clock is in."""
        if dimension in GRAINS:
            return GRAINS[dimension].floor(moment)
        member = moment.isoweekday() if dimension is Dimension.WEEKDAY else moment.hour
        if self.ask.top is None or self.ask.top.of is not dimension:
            return member
        return str(member) if str(member) in self.best else OTHER

    def renamed(self, groups: dict[Key, list[Entry]]) -> dict[Key, list[Entry]]:
        """With `top`, members that are not among the best are put together under Other."""
        if self.ask.top is None:
            return groups
        place = self.ask.by.index(self.ask.top.of)
        together: dict[Key, list[Entry]] = {}
        for key, rows in groups.items():
            member = text_of(key[place])
            named = member if member in self.best else OTHER
            together.setdefault((*key[:place], named, *key[place + 1 :]), []).extend(rows)
        return together

    @cached_property
    def keys(self) -> set[Key]:
        """The rows that `having` keeps, of all pages."""
        return {key for key in self.groups if all(self._is_within(key, bound) for bound in self.ask.having)}

    def _is_within(self, key: Key, bound: MeasureRange) -> bool:
        value = self.value(bound.measure, key)
        if value is None:
            return False
        return (bound.at_least is None or bound.at_least <= value) and (bound.at_most is None or value <= bound.at_most)

    def value(self, measure: Measure, key: Key) -> Decimal | None:
        if (measure, key) not in self._values:
            self._values[measure, key] = oracle.measured(measure, self.groups[key])
        return self._values[measure, key]

    def total(self, measure: Measure) -> Decimal | None:
        return oracle.measured(measure, self.counted)

    def compared(self, comparison: Comparison) -> "ExpectedComparison":
        if comparison not in self._compared:
            self._compared[comparison] = ExpectedComparison(self, comparison)
        return self._compared[comparison]

    def rank(self, measure: Measure, key: Key) -> int | None:
        """One more than the rows, of all pages, that have more. Other is no member, and has none."""
        if self._is_other(key):
            return None
        if measure not in self._sorted:
            values = (self.value(measure, each) for each in self.keys if not self._is_other(each))
            self._sorted[measure] = sorted(value for value in values if value is not None)
        value, ranked = self.value(measure, key), self._sorted[measure]
        return None if value is None else 1 + len(ranked) - bisect_right(ranked, value)

    def share(self, measure: Measure, value: Decimal | None) -> Decimal | None:
        """Percent of everything that is counted, whatever rows are kept or shown."""
        whole = self.total(measure)
        if measure not in ADDITIVE or value is None or not whole:
            return None
        return percent(value, whole)

    def cumulative(self, measure: Measure, key: Key) -> Decimal | None:
        """What happened in the row's time or before it, of what is the row's in all other dimensions."""
        times = [place for place, dimension in enumerate(self.ask.by) if dimension in TIME]
        if measure not in ADDITIVE or not times:
            return None
        others = [place for place in range(len(self.ask.by)) if place not in times]
        earlier_rows = (
            rows
            for other, rows in self._happened
            if all(other[place] == key[place] for place in others)
            and all(other[place] <= key[place] for place in times)
        )
        return oracle.measured(measure, [entry for rows in earlier_rows for entry in rows])

    @cached_property
    def _happened(self) -> list[tuple[Key, list[Entry]]]:
        return [(key, rows) for key, rows in self.groups.items() if rows]

    def in_order(self) -> list[list[Any]]:
        """What the order is decided by, of every row in turn. Rows that agree in it may change places."""
        keys = list(self.keys)
        for column, descending in reversed(self._columns):
            keys.sort(key=column, reverse=descending)
        return [self.decided_by(key) for key in keys]

    def decided_by(self, key: Key) -> list[Any]:
        return [column(key) for column, _ in self._columns]

    @cached_property
    def _columns(self) -> list[tuple[Column, bool]]:
        """By default times and prices in order, then the most of the first measure first; Other comes last."""
        ask = self.ask
        if ask.order:
            return [(self._column(order.by), order.descending) for order in ask.order]
        times = [self._column(dimension) for dimension in ask.by if dimension in TIME]
        read = [self._column(each) for each in ask.by if each in CLOCK or each is Dimension.PRICE_BAND]
        rising = [*times, self._is_other, *read]
        return [*((column, False) for column in rising), (self._column(ask.measures[0]), True)]

    def _is_other(self, key: Key) -> bool:
        return self.ask.top is not None and key[self.ask.by.index(self.ask.top.of)] == OTHER

    def _column(self, by: Measure | Dimension) -> Column:
        """Rows without a value come below all others, and Other after every weekday and hour."""
        if isinstance(by, Measure):
            return lambda key: NOTHING if self.value(by, key) is None else self.value(by, key)
        place = self.ask.by.index(by)
        if by in TIME:
            return lambda key: key[place]
        if by in CLOCK:
            return lambda key: LAST if key[place] == OTHER else int(key[place])
        if by in SCALES:
            return lambda key: SCALES[by].index(key[place])
        return lambda key: (key[place] is not None, text_of(key[place]))


@dataclass
class ExpectedComparison:
    """What one comparison says: neither windows nor pairs are taken from the answer."""

    report: ExpectedReport
    comparison: Comparison

    @cached_property
    def earlier(self) -> earlier.Earlier | None:
        """None when nothing of the range has come."""
        ask, (period, to_date) = self.report.ask, self.comparison
        first, last = ask.span.start.date(), (ask.span.end - timedelta(days=1)).date()
        now = self.report.as_of.astimezone(ask.span.zone).replace(tzinfo=None)
        return earlier.earlier_of(ask.by, first, last, now, period, to_date=to_date)

    @cached_property
    def counted(self) -> list[Entry]:
        other, ask = self.earlier, self.report.ask
        if other is None:
            return []
        return oracle.kept(self.report.entries, Span(other.start, other.end, ask.span.zone), ask.where)

    @cached_property
    def groups(self) -> dict[Key, list[Entry]]:
        ask = self.report.ask
        return self.report.renamed(oracle.grouped(self.counted, ask.by, ask.span.zone))

    def total(self, measure: Measure) -> Decimal | None:
        return oracle.measured(measure, self.counted)

    def value(self, measure: Measure, key: Key) -> Decimal | None:
        before = self.counterpart(key)
        return None if before is None else oracle.measured(measure, self.groups.get(before, []))

    def counterpart(self, key: Key) -> Key | None:
        """The row's key in the earlier time. A weekday that `top` renames is told by the day, and is named again."""
        ask, other, best = self.report.ask, self.earlier, self.report.best
        if not {*ask.by} & {*TIME}:
            return key
        place = ask.by.index(ask.top.of) if ask.top else -1
        is_told = ask.top is not None and ask.top.of is Dimension.WEEKDAY and bool({*ask.by} & DATED)
        if is_told and other:
            moment = key[ask.by.index(Dimension.HOUR if Dimension.HOUR in ask.by else Dimension.DAY)]
            key = (*key[:place], moment.isoweekday(), *key[place + 1 :])
        before = other.parts_of(key) if other else None
        if before is None or not is_told:
            return before
        member = str(before[place])
        return (*before[:place], member if member in best else OTHER, *before[place + 1 :])


def percent(part: Decimal, whole: Decimal) -> Decimal | None:
    """To two decimals; none of nothing."""
    return oracle.rounded(int(part * 10_000), int(whole * 100)) if whole else None


def text_of(member: Any) -> str:
    if member is None:
        return ""
    return str(member).lower() if isinstance(member, bool) else str(member)

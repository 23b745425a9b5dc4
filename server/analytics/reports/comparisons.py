"""Comparisons: how far back a report is shifted, and with which earlier row each row is compared.

Weeks shift by whole weeks and months by whole months, so that a part is compared with the same part of an equal period:
a current week with as many days and hours of an earlier one, Monday with Monday.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from functools import lru_cache
from typing import Any

from server.analytics.reports.language import Dimension
from server.analytics.reports.question import GRAINS
from server.analytics.reports.ranges import DAY, Grain, Period, Span, add_months

MOST_MEMBERS = 32_768
"""Times of one report whose earlier times are cached while it is built; more than a report has rows."""

WEEK = DAY * 7
MONTHS: Mapping[Period, int] = {Period.PREVIOUS_MONTH: 1, Period.PREVIOUS_QUARTER: 3, Period.PREVIOUS_YEAR: 12}
WHOLE_WEEKS: Mapping[Period, int] = {
    Period.PREVIOUS_WEEK: 1,
    Period.PREVIOUS_MONTH: 4,
    Period.PREVIOUS_QUARTER: 13,
    Period.PREVIOUS_YEAR: 52,
}
"""The nearest whole number of weeks to each period: 7, 28, 91 and 364 days."""
MONTHS_OF: Mapping[Dimension, int] = {Dimension.YEAR: 12, Dimension.QUARTER: 3, Dimension.MONTH: 1}

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Shift:
    """A step back in time: calendar months, or a duration."""

    months: int = 0
    length: timedelta = timedelta()

    def back(self, moment: datetime) -> datetime:
        """The same time earlier; the last day of the month where the day does not exist."""
        return add_months(moment, -self.months) - self.length

    def has(self, moment: datetime) -> bool:
        """Whether the date exists that much earlier: March 30 does not, a month earlier."""
        return not self.months or self.back(moment).day == moment.day

    def span(self, part: Span) -> Span:
        """The same days earlier. Ends of months correspond, whatever their lengths."""
        start = self.back(part.start)
        return Span(start, self._end(part.end) if part.end > part.start else start, part.zone)

    def _end(self, end: datetime) -> datetime:
        is_midnight = end.time() == time()
        if not self.months or (is_midnight and end.day == 1):
            return self.back(end)
        last = end - DAY if is_midnight else end
        if not self.has(last):
            return Grain.DAY.floor(self.back(last)) + DAY
        return self.back(last) + (end - last)

    @property
    def words(self) -> str:
        """Such as "52 weeks earlier"."""
        days = self.length // DAY
        count, unit = (self.months, "month") if self.months else (days, "day") if days % 7 else (days // 7, "week")
        return f"{count} {unit}{'' if count == 1 else 's'} earlier"


def shift_of(period: Period, whole: Span, by: Collection[Dimension]) -> Shift:
    """How far back the comparison of a report over the range `whole` is.

    By week or weekday, and for a range of whole weeks: whole weeks. By month, quarter or year, the previous period is
    as many whole ones as contain the range; otherwise as many months as the range has, or else as many days.
    """
    months = max((MONTHS_OF.get(dimension, 0) for dimension in by), default=0)
    if Dimension.WEEK in by or (not months and (Dimension.WEEKDAY in by or whole.is_whole_weeks)):
        weeks = WHOLE_WEEKS.get(period) or -((whole.start - whole.end) // WEEK)
        return Shift(length=WEEK * weeks)
    if period is Period.PREVIOUS_WEEK:
        return Shift(length=WEEK)
    if period is not Period.PREVIOUS_PERIOD:
        return Shift(MONTHS[period])
    if months:
        return _right_before(whole, months)
    count = whole.whole_months
    return Shift(count) if count else Shift(length=whole.end - whole.start)


def _right_before(whole: Span, months: int) -> Shift:
    """The smallest step of so many months, or a multiple, after which the two spans do not overlap."""
    count = months
    while (shift := Shift(count)).span(whole).end > whole.start:
        count += months
    return shift


def counterparts(
    by: tuple[Dimension, ...], here: Span, shift: Shift, part_of: Callable[[Dimension, datetime], Any]
) -> Callable[[Key], Key | None]:
    """Maps a row's key to the key it is compared with; None where no row covers exactly the same earlier part.

    `here` is the compared part of the range; `part_of` gives the member of a dimension that contains a time.
    """
    times = [index for index, dimension in enumerate(by) if dimension in GRAINS]
    if not times:
        return lambda key: key
    dated = {Dimension.DAY, Dimension.HOUR} & set(by)
    if dated:
        times += [index for index, dimension in enumerate(by) if dimension is Dimension.WEEKDAY]
    grains = {index: GRAINS[by[index]] for index in times if by[index] in GRAINS}
    there = shift.span(here)

    @lru_cache(maxsize=MOST_MEMBERS)
    def earlier(parts: Key) -> Key | None:
        starts = dict(zip(times, parts, strict=True))
        window = _window(here, {index: starts[index] for index in grains}, grains)
        if window is None or not (shift.has(window.start) or window.start == here.start):
            return None
        start = shift.back(window.start)
        floors = {index: grain.floor(start) for index, grain in grains.items()}
        if not dated and _window(there, floors, grains) != shift.span(window):
            return None
        return tuple([floors[index] if index in floors else part_of(by[index], start) for index in times])

    def counterpart(key: Key) -> Key | None:
        moved = earlier(tuple([key[index] for index in times]))
        if moved is None:
            return None
        parts = list(key)
        for index, part in zip(times, moved, strict=True):
            parts[index] = part
        return tuple(parts)

    return counterpart


def _window(span: Span, starts: Mapping[int, datetime], grains: Mapping[int, Grain]) -> Span | None:
    """The part of the span in all of these days, weeks and months; None when that is empty."""
    start = max(span.start, *starts.values())
    end = min(span.end, *(grains[index].after(each) for index, each in starts.items()))
    return Span(start, end, span.zone) if start < end else None

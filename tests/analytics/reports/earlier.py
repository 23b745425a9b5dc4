"""What a report is compared with, worked out day by day from the calendar and the question alone.

Nothing here is taken from the code under test or from its answer, but for the words of the question.
"""

from calendar import monthrange
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from server.analytics.reports.language import Dimension
from server.analytics.reports.ranges import Period

ONE_DAY = timedelta(days=1)
LONG = {Dimension.MONTH: 1, Dimension.QUARTER: 3, Dimension.YEAR: 12}
TIMES = (Dimension.HOUR, Dimension.DAY, Dimension.WEEK, *LONG)
WEEKS = {Period.PREVIOUS_WEEK: 1, Period.PREVIOUS_MONTH: 4, Period.PREVIOUS_QUARTER: 13, Period.PREVIOUS_YEAR: 52}
MONTHS = {Period.PREVIOUS_MONTH: 1, Period.PREVIOUS_QUARTER: 3, Period.PREVIOUS_YEAR: 12}

Parts = tuple[Any, ...]


@dataclass(frozen=True)
class Back:
    """So many days, or calendar months, back."""

    days: int = 0
    months: int = 0

    def of(self, day: date) -> date | None:
        """The same date; none where the earlier month has no such day."""
        year, month = self._month(day)
        return day.replace(year=year, month=month) - ONE_DAY * self.days if day.day <= length(year, month) else None

    def first(self, day: date) -> date:
        """Where a time that begins on `day` begins."""
        year, month = self._month(day)
        return self.of(day) or date(year, month, length(year, month))

    def last(self, day: date) -> date:
        """Where a time that ends with `day` ends: the end of a month stays one."""
        year, month = self._month(day)
        if self.months and (self.of(day) is None or day.day == length(day.year, day.month)):
            return date(year, month, length(year, month))
        return self.first(day)

    def _month(self, day: date) -> tuple[int, int]:
        year, month = day.year, day.month
        for _ in range(self.months):
            year, month = (year, month - 1) if month > 1 else (year - 1, 12)
        return year, month


def length(year: int, month: int) -> int:
    return monthrange(year, month)[1]


def back_of(period: Period, first: date, last: date, by: Collection[Dimension]) -> Back:
    """How far a report from `first` to `last` is compared back."""
    step = max([LONG[each] for each in by if each in LONG], default=0)
    is_whole = first.day == 1 and (last + ONE_DAY).day == 1
    are_weeks = first.isoweekday() == 1 and last.isoweekday() == 7 and not is_whole
    if Dimension.WEEK in by or (not step and (Dimension.WEEKDAY in by or are_weeks)):
        weeks = WEEKS.get(period, 1)
        while period is Period.PREVIOUS_PERIOD and last - ONE_DAY * 7 * weeks >= first:
            weeks += 1
        return Back(days=7 * weeks)
    if period is Period.PREVIOUS_WEEK:
        return Back(days=7)
    if period in MONTHS:
        return Back(months=MONTHS[period])
    if not step and not is_whole:
        return Back(days=(last - first).days + 1)
    months = step or 1
    while Back(months=months).last(last) >= first:
        months += step or 1
    return Back(months=months)


@dataclass(frozen=True)
class Earlier:
    """The days that are compared, the step back, and from when up to when the earlier time is."""

    by: tuple[Dimension, ...]
    days: tuple[date, ...]
    until: datetime
    """What is compared ends here, in the middle of its last day maybe."""
    back: Back
    start: datetime
    end: datetime

    def parts_of(self, parts: Parts) -> Parts | None:
        """From a row's times and weekday, in the order of `by`, to those of the row that it is compared with."""
        times = [place for place, dimension in enumerate(self.by) if dimension in TIMES]
        if not times:
            return parts
        if {Dimension.DAY, Dimension.HOUR} & {*self.by}:
            return self._dated(parts)
        mine = [day for day in self.days if all(part(self.by[place], day) == parts[place] for place in times)]
        if not mine:
            return None
        days = days_between(self.back.first(mine[0]), self.back.last(mine[-1]))
        there = days_between(self.start.date(), (self.end - timedelta(minutes=1)).date())
        parts_of_day = {place: part(self.by[place], days[0]) for place in times}
        theirs = [day for day in there if all(part(self.by[place], day) == parts_of_day[place] for place in times)]
        return tuple(parts_of_day.get(place, each) for place, each in enumerate(parts)) if theirs == days else None

    def _dated(self, parts: Parts) -> Parts | None:
        """Days and hours are compared with the same date."""
        finest = Dimension.HOUR if Dimension.HOUR in self.by else Dimension.DAY
        moment: datetime = parts[self.by.index(finest)]
        day = self.back.of(moment.date())
        if day is None and moment.date() == self.days[0]:
            day = self.back.first(moment.date())
        if day is None or moment.date() not in self.days or moment >= self.until:
            return None
        if any(part(self.by[place], moment.date()) != each for place, each in enumerate(parts) if self._is_told(place)):
            return None
        earlier = datetime.combine(day, moment.time())
        return tuple(
            earlier if self.by[place] is finest else part(self.by[place], day) if self._is_told(place) else each
            for place, each in enumerate(parts)
        )

    def _is_told(self, place: int) -> bool:
        return self.by[place] in (Dimension.DAY, Dimension.WEEK, *LONG, Dimension.WEEKDAY)


def earlier_of(
    by: Sequence[Dimension], first: date, last: date, now: datetime, period: Period, *, to_date: bool
) -> Earlier | None:
    """What a report over these days, both included, is compared with at `now`; none when nothing of it has come."""
    back = back_of(period, first, last, by)
    begin = datetime.combine(first, time())
    until = datetime.combine(last + ONE_DAY, time())
    if to_date:
        until = min(until, datetime.combine(now.date(), time(now.hour)) + timedelta(hours=1))
    if until <= begin:
        return None
    final = (until - timedelta(minutes=1)).date()
    end = datetime.combine(back.last(final) + ONE_DAY, time())
    if until.time() != time() and back.of(final) is not None:
        end = datetime.combine(back.first(final), until.time())
    start = datetime.combine(back.first(first), time())
    return Earlier(tuple(by), tuple(days_between(first, final)), until, back, start, end)


def days_between(first: date, last: date) -> list[date]:
    return [first + ONE_DAY * number for number in range((last - first).days + 1)]


def part(dimension: Dimension, day: date) -> Any:
    """The member of a day, week, … or weekday that a day belongs to."""
    match dimension:
        case Dimension.DAY:
            start = day
        case Dimension.WEEK:
            start = day - ONE_DAY * day.weekday()
        case Dimension.WEEKDAY:
            return day.isoweekday()
        case _:
            months = LONG[dimension]
            start = date(day.year, day.month - (day.month - 1) % months, 1)
    return datetime.combine(start, time())

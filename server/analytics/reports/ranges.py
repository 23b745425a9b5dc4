"""Ranges of dates, in the wall clock of one time zone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cached_property
from zoneinfo import ZoneInfo

from server.analytics.reports.errors import IncompatibleDimensions
from server.platform.core import days

DAY = days.DAY
HOUR = timedelta(hours=1)
BEGINNING = date(2000, 1, 1)


class Preset(Enum):
    """Ranges with a name."""

    TODAY = "today"
    YESTERDAY = "yesterday"
    THIS_WEEK = "this week"
    LAST_WEEK = "last week"
    THIS_MONTH = "this month"
    LAST_MONTH = "last month"
    THIS_QUARTER = "this quarter"
    LAST_QUARTER = "last quarter"
    THIS_YEAR = "this year"
    LAST_YEAR = "last year"
    LAST_7_DAYS = "last 7 days"
    LAST_30_DAYS = "last 30 days"
    LAST_90_DAYS = "last 90 days"
    LAST_12_MONTHS = "last 12 months"
    ALL_TIME = "all time"


class Grain(Enum):
    """Units of time that rows can stand for; weeks begin on Monday."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"

    def floor(self, moment: datetime) -> datetime:
        """The beginning of the unit that contains `moment`."""
        midnight = datetime.combine(moment.date(), time())
        match self:
            case Grain.HOUR:
                return moment.replace(minute=0, second=0, microsecond=0)
            case Grain.DAY:
                return midnight
            case Grain.WEEK:
                return midnight - DAY * midnight.weekday()
            case Grain.MONTH:
                return midnight.replace(day=1)
            case Grain.QUARTER:
                return midnight.replace(month=(midnight.month - 1) // 3 * 3 + 1, day=1)
            case Grain.YEAR:
                return midnight.replace(month=1, day=1)

    def after(self, start: datetime, count: int = 1) -> datetime:
        """The beginning of the unit `count` later."""
        match self:
            case Grain.HOUR:
                return start + HOUR * count
            case Grain.DAY:
                return start + DAY * count
            case Grain.WEEK:
                return start + DAY * 7 * count
            case Grain.MONTH:
                return add_months(start, count)
            case Grain.QUARTER:
                return add_months(start, 3 * count)
            case Grain.YEAR:
                return add_months(start, 12 * count)


class Period(Enum):
    """What a value is compared with."""

    PREVIOUS_PERIOD = "previous period"
    PREVIOUS_WEEK = "previous week"
    PREVIOUS_MONTH = "previous month"
    PREVIOUS_QUARTER = "previous quarter"
    PREVIOUS_YEAR = "previous year"


@dataclass(frozen=True)
class Span:
    """From `start` (inclusive) to `end` (exclusive), both in the wall clock of `zone`."""

    start: datetime
    end: datetime
    zone: ZoneInfo

    @cached_property
    def days(self) -> int:
        """The number of days, a partial one counted whole."""
        return -((self.start - self.end) // DAY)

    @property
    def last_day(self) -> date:
        """The last day in it; the first day when it is empty."""
        return max(self.start.date(), (self.end - timedelta(microseconds=1)).date())

    @property
    def words(self) -> str:
        """Both days inclusive: "2025-10-06 to 2025-11-23", with the hour where the last day is partial."""
        if self.is_whole_days or self.end == self.start:
            return f"{self.start.date()} to {self.last_day}"
        return f"{self.start.date()} to {self.end:%Y-%m-%d %H:%M}"

    @property
    def is_whole_days(self) -> bool:
        """Whether it begins and ends at midnight."""
        return self.start.time() == self.end.time() == time()

    @property
    def in_any_zone(self) -> tuple[datetime, datetime]:
        """Between these, whatever is in the span is on any zone's wall clock: two differ by 26 hours at most."""
        return self.start - 2 * DAY, self.end + 2 * DAY

    def buckets(self, grain: Grain) -> Iterator[datetime]:
        """Beginnings of every unit that the span overlaps, in order."""
        start = grain.floor(self.start)
        while start < self.end:
            yield start
            start = grain.after(start)

    def utc(self) -> tuple[datetime, datetime]:
        """Start and end in UTC."""
        return days.moment_of(self.start, self.zone), days.moment_of(self.end, self.zone)

    def is_part(self, grain: Grain, start: datetime, now: datetime) -> bool:
        """Whether only a part of the unit is in the span, or it is not over yet; `now` is local."""
        end = grain.after(start)
        return start < self.start or end > self.end or end > now

    @property
    def is_whole_weeks(self) -> bool:
        """Whether it is weeks from Monday, and not whole months as well."""
        days = self.end - self.start
        return self.start == Grain.WEEK.floor(self.start) and not days % (7 * DAY) and not self.whole_months

    @property
    def whole_months(self) -> int:
        """How many whole calendar months it is; 0 when it is not."""
        first, last = Grain.MONTH.floor(self.start), Grain.MONTH.floor(self.end)
        if self.start != first or self.end != last:
            return 0
        return (last.year - first.year) * 12 + last.month - first.month

    def elapsed(self, now: datetime) -> "Span":
        """The span up to the end of the current hour; `now` is local."""
        cut = Grain.HOUR.after(Grain.HOUR.floor(now))
        return Span(self.start, min(self.end, max(cut, self.start)), self.zone)


def add_months(moment: datetime, months: int) -> datetime:
    """The same day and time `months` later; the last day of the month when that day does not exist."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    for day in range(moment.day, moment.day - 4, -1):
        try:
            return moment.replace(year=year, month=month + 1, day=day)
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def of_preset(preset: Preset, now: datetime, zone: ZoneInfo) -> Span:
    """The span of a preset; `now` is local. A current unit is included to its end."""
    today = Grain.DAY.floor(now)
    if preset is Preset.ALL_TIME:
        return Span(datetime.combine(BEGINNING, time()), today + DAY, zone)
    if preset in (Preset.TODAY, Preset.YESTERDAY):
        start = today if preset is Preset.TODAY else today - DAY
        return Span(start, start + DAY, zone)
    rolling = {
        Preset.LAST_7_DAYS: (7, Grain.DAY),
        Preset.LAST_30_DAYS: (30, Grain.DAY),
        Preset.LAST_90_DAYS: (90, Grain.DAY),
        Preset.LAST_12_MONTHS: (12, Grain.MONTH),
    }
    if preset in rolling:
        return of_last(*rolling[preset], now, zone)
    word, name = preset.value.split()
    grain = Grain(name)
    start = grain.floor(now) if word == "this" else grain.after(grain.floor(now), -1)
    return Span(start, grain.after(start), zone)


def of_last(count: int, grain: Grain, now: datetime, zone: ZoneInfo) -> Span:
    """The current unit and those before it, `count` in all. Raises IncompatibleDimensions for an invalid count."""
    if not 1 <= count <= 3_700:
        raise IncompatibleDimensions(f"`last` takes 1 to 3,700 {grain.value}s, not {count}.", "range.last")
    start = grain.floor(now)
    return Span(grain.after(start, 1 - count), grain.after(start), zone)


def of_dates(first: date, last: date, zone: ZoneInfo) -> Span:
    """Both days inclusive. Raises IncompatibleDimensions when they are in the wrong order."""
    if last < first:
        raise IncompatibleDimensions(f"The range ends on {last}, before it begins on {first}.", "range.dates")
    if not first >= BEGINNING or last.year > 2100:
        raise IncompatibleDimensions(f"A range lies between {BEGINNING} and 2100-12-31.", "range.dates")
    return Span(datetime.combine(first, time()), datetime.combine(last, time()) + DAY, zone)


def zone_of(name: str) -> ZoneInfo:
    """An IANA time zone. Raises IncompatibleDimensions for an unknown one."""
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError) as error:
        raise IncompatibleDimensions(
            f'"{name[:60]}" is no IANA time zone. Examples: Europe/Stockholm, America/New_York.', "timeZone"
        ) from error

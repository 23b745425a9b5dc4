"""A day of a zone begins at its first moment, whatever clocks do on it."""

from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.platform.core import days

ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Kiritimati", "Asia/Kathmandu"),
    *("America/Havana", "Asia/Beirut", "Africa/Cairo", "America/Santiago", "Pacific/Apia", "America/Nuuk"),
)
"""Half hours and quarters, both ends of the calendar, and zones whose clocks change at midnight."""
MINUTE = timedelta(minutes=1)


@cache
def changes(zone: str) -> tuple[date, ...]:
    """Days of 2011 to 2030 on which the zone's clocks are changed, with the days before and after."""
    place, days_of_change = ZoneInfo(zone), set[date]()
    for number in range(20 * 366):
        day = date(2011, 1, 1) + timedelta(days=number)
        offsets = {datetime(day.year, day.month, day.day, hour, tzinfo=place).utcoffset() for hour in range(24)}
        if len(offsets) > 1:
            days_of_change |= {day + timedelta(days=near) for near in (-1, 0, 1)}
    return tuple(sorted(days_of_change))


def first_moment(day: date, zone: str) -> datetime:
    """Found by walking: the first minute of the world's clock that this zone's calendar puts on the day or later."""
    place = ZoneInfo(zone)
    low = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=2)
    high = low + timedelta(days=4)
    while high - low > MINUTE:
        middle = low + (high - low) // (2 * MINUTE) * MINUTE
        low, high = (low, middle) if middle.astimezone(place).date() >= day else (middle, high)
    return high


def dates(zone: str) -> st.SearchStrategy[date]:
    anywhere = st.dates(date(2011, 1, 1), date(2030, 12, 31))
    return st.one_of(anywhere, st.sampled_from(changes(zone))) if changes(zone) else anywhere


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(st.data())
def test_day_begins_at_the_first_moment_of_its_date(data: st.DataObject) -> None:
    zone = data.draw(st.sampled_from(ZONES))
    day = data.draw(dates(zone))

    assert days.start_of(day, ZoneInfo(zone)) == first_moment(day, zone), (day, zone)


@pytest.mark.parametrize(
    ("zone", "day", "start", "hours"),
    [
        ("UTC", "2026-11-27", "2026-11-27T00:00Z", 24),
        ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00Z", 23),
        ("Europe/Berlin", "2026-10-25", "2026-10-24T22:00Z", 25),
        ("America/New_York", "2026-03-08", "2026-03-08T05:00Z", 23),
        ("America/New_York", "2026-11-01", "2026-11-01T04:00Z", 25),
        ("Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00Z", 24.5),
        ("Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30Z", 23.5),
        ("Pacific/Kiritimati", "2027-01-01", "2026-12-31T10:00Z", 24),
        ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00Z", 23),
        ("America/Havana", "2026-11-01", "2026-11-01T04:00Z", 25),
        ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00Z", 0),
    ],
)
def test_days_are_as_long_as_clocks_make_them(zone: str, day: str, start: str, hours: float) -> None:
    since, before = days.bounds_of(date.fromisoformat(day), date.fromisoformat(day), zone)

    assert since == datetime.fromisoformat(start)
    assert before == datetime.fromisoformat(start) + timedelta(hours=hours)


@pytest.mark.parametrize(
    ("zone", "start"),
    [("Etc/GMT-14", None), ("UTC", datetime.min), ("Etc/GMT+12", datetime(1, 1, 1, 12))],  # noqa: DTZ001, DTZ901
)
def test_days_at_the_ends_of_the_calendar_leave_that_side_open(zone: str, start: datetime | None) -> None:
    first, last = days.bounds_of(date.min, date.max, zone)

    assert first == (start and start.replace(tzinfo=UTC))
    assert last is None
    assert days.bounds_of(None, None, zone) == (None, None)

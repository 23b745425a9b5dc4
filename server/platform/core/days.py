"""Days of a time zone, on the moments of the world's clock.

A shop has one day: that of its time zone, in reports, filters, invoices and files alike.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """A time on the zone's wall clock in UTC: the first of two that it shows twice.

    Where clocks skip it, as much later as they skip: of a skipped midnight, when the day begins. Raises OverflowError
    beyond the years 1 to 9999.
    """
    return local.replace(tzinfo=zone).astimezone(UTC)


def start_of(day: date, zone: ZoneInfo) -> datetime:
    """When a day begins in a zone, in UTC. Raises OverflowError beyond the years 1 to 9999."""
    return moment_of(datetime.combine(day, time()), zone)


def day_of(moment: datetime, zone: ZoneInfo) -> date:
    """The day on which a moment is in a zone."""
    return moment.astimezone(zone).date()


def bounds_of(first: date | None, last: date | None, time_zone: str) -> tuple[datetime | None, datetime | None]:
    """From when (inclusive) to when (exclusive) these days are, both days included, in UTC.

    None where a side is open: without a day, and where the calendar ends.
    """
    zone = ZoneInfo(time_zone)
    return _start_or_none(first, 0, zone), _start_or_none(last, 1, zone)


def _start_or_none(day: date | None, later: int, zone: ZoneInfo) -> datetime | None:
    try:
        return start_of(day + DAY * later, zone) if day is not None else None
    except OverflowError:
        return None

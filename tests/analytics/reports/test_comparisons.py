"""Rows are compared with the same part of an earlier period, or with nothing."""

import json
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from server.analytics.reports.comparisons import counterparts, shift_of
from server.analytics.reports.language import Dimension
from server.analytics.reports.ranges import Grain, Period, Preset, Span, of_last, of_preset
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

ZONE = ZoneInfo("UTC")
NOW = datetime.fromisoformat("2026-11-18T10:25")
"""A Wednesday."""


def at(text: str) -> datetime:
    return datetime.combine(date.fromisoformat(text), time())


def span(first: str, last: str) -> Span:
    return Span(at(first), at(last) + timedelta(days=1), ZONE)


def until(first: str, end: str) -> Span:
    return Span(at(first), datetime.fromisoformat(end), ZONE)


def compared(period: Period, whole: Span, *by: Dimension, now: datetime | None = None) -> tuple[Span, list[str | None]]:
    """The earlier time, and for each row its day or the first day of its week, month, …"""
    here = whole.elapsed(now) if now else whole
    shift = shift_of(period, whole, by)
    counterpart = counterparts(by, here, shift, lambda _, moment: moment.isoweekday())
    keys = [counterpart((start,)) for start in whole.buckets(Grain[by[0].name])]
    return shift.span(here), [key[0].date().isoformat() if key else None for key in keys]


def test_a_week_is_compared_with_the_week_of_the_same_number_a_year_earlier() -> None:
    whole = span("2026-10-05", "2026-11-22")

    other, weeks = compared(Period.PREVIOUS_YEAR, whole, Dimension.WEEK)

    assert other == span("2025-10-06", "2025-11-23")
    assert weeks == [(at("2025-10-06") + timedelta(days=7 * number)).date().isoformat() for number in range(7)]
    numbers = [date.fromisoformat(week).isocalendar().week for week in weeks if week]
    assert numbers == [start.isocalendar().week for start in whole.buckets(Grain.WEEK)]


@pytest.mark.parametrize(
    ("period", "first", "end", "weeks"),
    [
        (Period.PREVIOUS_WEEK, "2026-11-02", "2026-11-11T11:00", ["2026-11-02", "2026-11-09"]),
        (Period.PREVIOUS_PERIOD, "2026-10-26", "2026-11-04T11:00", ["2026-10-26", "2026-11-02"]),
        (Period.PREVIOUS_MONTH, "2026-10-12", "2026-10-21T11:00", ["2026-10-12", "2026-10-19"]),
        (Period.PREVIOUS_QUARTER, "2026-08-10", "2026-08-19T11:00", ["2026-08-10", "2026-08-17"]),
        (Period.PREVIOUS_YEAR, "2025-11-10", "2025-11-19T11:00", ["2025-11-10", "2025-11-17"]),
    ],
)
def test_a_running_week_is_compared_with_as_much_of_an_earlier_one(
    period: Period, first: str, end: str, weeks: list[str]
) -> None:
    whole = of_last(2, Grain.WEEK, NOW, ZONE)

    assert compared(period, whole, Dimension.WEEK, now=NOW) == (until(first, end), weeks)


@pytest.mark.parametrize(
    ("preset", "now", "period", "first", "end"),
    [
        (Preset.TODAY, "2026-11-18T10:25", Period.PREVIOUS_PERIOD, "2026-11-17", "2026-11-17T11:00"),
        (Preset.THIS_WEEK, "2026-11-18T10:25", Period.PREVIOUS_PERIOD, "2026-11-09", "2026-11-11T11:00"),
        (Preset.THIS_WEEK, "2026-11-18T10:25", Period.PREVIOUS_MONTH, "2026-10-19", "2026-10-21T11:00"),
        (Preset.THIS_WEEK, "2026-11-18T10:25", Period.PREVIOUS_YEAR, "2025-11-17", "2025-11-19T11:00"),
        (Preset.THIS_MONTH, "2026-11-18T10:25", Period.PREVIOUS_PERIOD, "2026-10-01", "2026-10-18T11:00"),
        (Preset.THIS_MONTH, "2026-11-18T10:25", Period.PREVIOUS_YEAR, "2025-11-01", "2025-11-18T11:00"),
        (Preset.THIS_MONTH, "2026-11-18T23:59", Period.PREVIOUS_PERIOD, "2026-10-01", "2026-10-19T00:00"),
        (Preset.THIS_MONTH, "2026-03-30T10:25", Period.PREVIOUS_PERIOD, "2026-02-01", "2026-03-01T00:00"),
        (Preset.THIS_MONTH, "2026-02-28T10:25", Period.PREVIOUS_PERIOD, "2026-01-01", "2026-01-28T11:00"),
        (Preset.THIS_QUARTER, "2026-11-18T10:25", Period.PREVIOUS_PERIOD, "2026-07-01", "2026-08-18T11:00"),
        (Preset.THIS_YEAR, "2026-11-18T10:25", Period.PREVIOUS_YEAR, "2025-01-01", "2025-11-18T11:00"),
        (Preset.LAST_30_DAYS, "2026-11-18T10:25", Period.PREVIOUS_PERIOD, "2026-09-20", "2026-10-19T11:00"),
        (Preset.LAST_WEEK, "2026-11-18T10:25", Period.PREVIOUS_YEAR, "2025-11-10", "2025-11-17T00:00"),
        (Preset.LAST_MONTH, "2027-03-18T10:25", Period.PREVIOUS_YEAR, "2026-02-01", "2026-03-01T00:00"),
    ],
)
def test_running_periods_are_compared_to_the_hour_and_weeks_by_weekday(
    preset: Preset, now: str, period: Period, first: str, end: str
) -> None:
    moment = datetime.fromisoformat(now)
    whole = of_preset(preset, moment, ZONE)

    assert shift_of(period, whole, ()).span(whole.elapsed(moment)) == until(first, end)


def test_days_of_whole_weeks_are_compared_with_the_same_weekday() -> None:
    other, days = compared(Period.PREVIOUS_YEAR, span("2026-11-16", "2026-11-22"), Dimension.DAY)

    assert other == span("2025-11-17", "2025-11-23")
    assert days == [f"2025-11-{day}" for day in range(17, 24)]


def test_the_parts_of_weeks_at_the_ends_of_a_range_are_compared_with_the_same_parts() -> None:
    other, weeks = compared(Period.PREVIOUS_MONTH, span("2026-11-01", "2026-11-30"), Dimension.WEEK)

    assert other == span("2026-10-04", "2026-11-02")
    assert weeks == ["2026-09-28", "2026-10-05", "2026-10-12", "2026-10-19", "2026-10-26", "2026-11-02"]


def test_a_running_month_is_compared_with_as_many_days() -> None:
    other, months = compared(Period.PREVIOUS_YEAR, of_last(3, Grain.MONTH, NOW, ZONE), Dimension.MONTH, now=NOW)

    assert other == until("2025-09-01", "2025-11-18T11:00")
    assert months == ["2025-09-01", "2025-10-01", "2025-11-01"]


def test_parts_of_months_are_compared_with_the_same_parts() -> None:
    other, months = compared(Period.PREVIOUS_PERIOD, span("2026-10-15", "2026-11-22"), Dimension.MONTH)

    assert other == span("2026-08-15", "2026-09-22")
    assert months == ["2026-08-01", "2026-09-01"]


def test_a_month_has_no_counterpart_a_week_earlier() -> None:
    other, months = compared(Period.PREVIOUS_WEEK, span("2026-10-01", "2026-11-30"), Dimension.MONTH)

    assert other == span("2026-09-24", "2026-11-23")
    assert months == [None, None]


def test_a_day_is_compared_with_its_date_and_with_nothing_where_there_is_none() -> None:
    _, march = compared(Period.PREVIOUS_MONTH, span("2026-03-26", "2026-04-02"), Dimension.DAY)
    _, leap = compared(Period.PREVIOUS_YEAR, span("2024-02-28", "2024-03-02"), Dimension.DAY)

    assert march == ["2026-02-26", "2026-02-27", "2026-02-28", None, None, None, "2026-03-01", "2026-03-02"]
    assert leap == ["2023-02-28", None, "2023-03-01", "2023-03-02"]


def test_days_that_have_not_come_are_compared_with_nothing() -> None:
    _, days = compared(Period.PREVIOUS_MONTH, span("2026-11-16", "2026-11-20"), Dimension.DAY, now=NOW)

    assert days == ["2026-10-16", "2026-10-17", "2026-10-18", None, None]


def test_whole_periods_are_compared_with_whole_periods_and_month_ends_align() -> None:
    year, month = Period.PREVIOUS_YEAR, Period.PREVIOUS_MONTH

    assert compared(year, span("2025-02-01", "2025-02-28"), Dimension.DAY)[0] == span("2024-02-01", "2024-02-29")
    assert compared(month, span("2026-03-01", "2026-03-30"), Dimension.DAY)[0] == span("2026-02-01", "2026-02-28")
    assert compared(month, span("2026-03-31", "2026-03-31"), Dimension.DAY) == (
        span("2026-02-28", "2026-02-28"),
        ["2026-02-28"],
    )


def test_weekdays_are_compared_over_as_many_of_each() -> None:
    shift = shift_of(Period.PREVIOUS_YEAR, span("2026-11-01", "2026-11-30"), (Dimension.WEEKDAY,))

    assert shift.words == "52 weeks earlier"


def test_the_previous_period_never_overlaps_and_grows_with_the_range() -> None:
    first = at("2026-01-10")
    for by in ((Dimension.WEEK,), (Dimension.MONTH,), (Dimension.QUARTER,), (Dimension.YEAR,), (Dimension.DAY,)):
        ends = []
        for days in range(1, 500, 7):
            whole = Span(first, first + timedelta(days=days), ZONE)
            other = shift_of(Period.PREVIOUS_PERIOD, whole, by).span(whole)
            assert other.end <= whole.start
            ends.append(whole.start - other.start)
        assert all(one <= next_one for one, next_one in pairwise(ends))


async def test_an_answer_says_from_when_to_when_it_is_compared(shop: Shop) -> None:
    query = """{ admin { analytics { report(
      range: { dates: { from: "2025-10-06", to: "2025-11-23" } }, by: [WEEK], first: 1) {
        totals { measure(is: UNITS) { versus(period: PREVIOUS_YEAR) { range { from to } } } }
        meta { notes } export } } } }"""

    answer = (await shop.clients["admin"].post("/graphql", content=json.dumps({"query": query}))).json()

    report_answer = answer["data"]["admin"]["analytics"]["report"]
    assert report_answer["totals"]["measure"]["versus"]["range"] == {"from": "2024-10-07", "to": "2024-11-24"}
    assert (
        report_answer["meta"]["notes"][0] == "Previous year: compared with 2024-10-07 to 2024-11-24, 52 weeks earlier."
    )
    assert "Units, previous year (2024-10-07 to 2024-11-24)" in report_answer["export"].splitlines()[0]

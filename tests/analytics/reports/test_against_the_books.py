"""Random reports over random histories are, to the cent, what the books say."""

import os
import random
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.analytics.reports import report
from server.analytics.reports.language import MEASURES, PER_LINE, SOURCE_OF, TIME, Dimension, Measure, Source
from server.analytics.reports.plan import GRAINS, OTHER, Condition
from server.analytics.reports.ranges import Grain, Period, Span
from server.analytics.reports.report import ReportRequest, TopMembersOnly
from server.config import Settings
from server.core.db import Sessions, begin
from tests.analytics.reports import books, earlier, oracle

SHOP_ZONE = "Europe/Stockholm"
ZONES = (SHOP_ZONE, SHOP_ZONE, "UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")
AS_OF = datetime(2026, 3, 29, 0, 40, tzinfo=UTC)
MOMENTS = (
    AS_OF,
    datetime(2025, 3, 30, 22, 10, tzinfo=UTC),
    datetime(2025, 12, 31, 17, 5, tzinfo=UTC),
    datetime(2026, 1, 14, 9, 30, tzinfo=UTC),
)
"""Moments at which reports are made: in the middle of weeks, at ends of months, and when clocks are changed."""
DATED = {Dimension.DAY, Dimension.HOUR}
SOLD = tuple(m for m in Measure if all(SOURCE_OF[base] is Source.SALES for base in MEASURES[m].needs))
EXAMPLES = int(os.environ.get("REPORT_EXAMPLES", "100"))
"""`just random-reports` asks for thousands."""


@dataclass(frozen=True)
class Kept:
    """A history, and the entries that it comes to."""

    orders: list[books.BookOrder]
    entries: list[oracle.Entry]


@pytest.fixture
async def kept(sessions: Sessions) -> Kept:
    dice = random.Random(11)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, orders, dice)
    return Kept(orders, oracle.entries(orders))


@st.composite
def asks(draw: st.DrawFn) -> ReportRequest:
    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    start = draw(st.dates(books.FIRST.date(), AS_OF.date()))
    length = draw(st.sampled_from((1, 2, 7, 10, 28, 31, 49, 90, 365, 500)))
    if draw(st.booleans()):
        start = start.replace(day=1)
    begin_at = datetime.combine(start, time())
    span = Span(begin_at, begin_at + timedelta(days=length), zone)
    by = draw(st.lists(st.sampled_from(Dimension), max_size=3, unique=True))
    if draw(st.booleans()):
        by = list(dict.fromkeys((draw(st.sampled_from(TIME)), *by)))[:3]
    if Dimension.HOUR in by and length > 31:
        by.remove(Dimension.HOUR)
    where = draw(st.lists(conditions(), max_size=2, unique_by=lambda each: each.dimension))
    measures = draw(st.lists(st.sampled_from(SOLD), min_size=1, max_size=4, unique=True))
    if {*by, *(each.dimension for each in where)} & set(PER_LINE):
        measures = [measure for measure in measures if measure is not Measure.SHIPPING] or [Measure.UNITS]
    compared = draw(st.lists(st.tuples(st.sampled_from(Period), st.booleans()), max_size=2, unique=True))
    others = [dimension for dimension in by if dimension not in TIME]
    top = draw(tops(others[0])) if others else None
    return ReportRequest(
        span=span,
        by=tuple(by),
        measures=tuple(measures),
        where=tuple(where),
        top=top,
        fill_gaps=draw(st.booleans()),
        comparisons=tuple(compared),
    )


@st.composite
def tops(draw: st.DrawFn, of: Dimension) -> TopMembersOnly | None:
    measure = draw(st.sampled_from([measure for measure in SOLD if measure is not Measure.SHIPPING]))
    return draw(st.sampled_from([None, TopMembersOnly(draw(st.integers(1, 3)), of, measure)]))


VALUES: dict[Dimension, tuple[Any, ...]] = {
    Dimension.CATEGORY: ("men_shirts", "women_trousers", "women_jeans"),
    Dimension.GENDER: ("men", "women"),
    Dimension.SIZE: ("S", "M", "XL"),
    Dimension.COLOR: ("Indigo", "Black"),
    Dimension.DISCOUNTED: (True, False),
    Dimension.DISCOUNT_CODE: (None, "SPRING"),
    Dimension.COUNTRY: ("Sweden", "Norway", "Chile"),
    Dimension.CUSTOMER_KIND: ("new", "returning"),
    Dimension.PAYMENT_STATUS: ("paid", "refunded"),
    Dimension.WEEKDAY: (1, 6, 7),
    Dimension.HOUR_OF_DAY: (0, 2, 3, 23),
    Dimension.PRICE_BAND: ("under-50", "150-up"),
}


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    dimension = draw(st.sampled_from(sorted(VALUES, key=lambda each: each.name)))
    values = draw(st.lists(st.sampled_from(VALUES[dimension]), min_size=1, max_size=2, unique=True))
    return Condition(dimension, tuple(values), draw(st.booleans()))


@settings(
    max_examples=EXAMPLES, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(ask=asks(), as_of=st.sampled_from(MOMENTS))
async def test_any_report_is_what_the_books_say(
    kept: Kept, session: AsyncSession, ask: ReportRequest, as_of: datetime
) -> None:
    made = await report.run(session, ask, shop_zone=SHOP_ZONE, as_of=as_of)

    expected = expected_rows(ask, kept.entries)
    assert {row.key for row in made.shown} == set(expected)
    for row in made.shown:
        for measure in ask.measures:
            assert made.value(measure, row) == oracle.measured(measure, expected[row.key]), (row.key, measure)
    whole = oracle.kept(kept.entries, ask.span, ask.where)
    for measure in ask.measures:
        assert made.value(measure, made.total) == oracle.measured(measure, whole)
    check_comparisons(ask, made, kept.entries, as_of)


def expected_rows(ask: ReportRequest, entries: list[oracle.Entry]) -> dict[oracle.Key, list[oracle.Entry]]:
    counted = oracle.kept(entries, ask.span, ask.where)
    groups = renamed(ask, oracle.grouped(counted, ask.by, ask.span.zone), entries)
    if not ask.by:
        return {(): counted}
    if ask.fill_gaps and {*ask.by} & {*TIME}:
        told = {*TIME}
        told |= {Dimension.WEEKDAY} if {Dimension.DAY, Dimension.HOUR} & {*ask.by} else set()
        told |= {Dimension.HOUR_OF_DAY} if Dimension.HOUR in ask.by else set()
        smallest = Grain.HOUR if Dimension.HOUR in ask.by else Grain.DAY
        times = [place for place, dimension in enumerate(ask.by) if dimension in told]
        best = best_members(ask, entries) if ask.top else []
        moments = {
            tuple(part_of(ask, start, ask.by[place], best) for place in times) for start in ask.span.buckets(smallest)
        }
        fixed = [place for place in range(len(ask.by)) if place not in times]
        some = {tuple(key[place] for place in fixed) for key in groups} or ({()} if not fixed else set())
        if len(moments) * len(some) > report.ROW_LIMIT:
            return groups
        for moment in moments:
            for group in some:
                parts = dict(zip((*times, *fixed), (*moment, *group), strict=True))
                groups.setdefault(tuple(parts[place] for place in range(len(ask.by))), [])
    return groups


def part_of(ask: ReportRequest, moment: datetime, dimension: Dimension, best: list[str]) -> Any:
    """The dimension's member that a moment of the range's own clock is in."""
    if dimension in GRAINS:
        return GRAINS[dimension].floor(moment)
    member = moment.isoweekday() if dimension is Dimension.WEEKDAY else moment.hour
    if ask.top is None or ask.top.of is not dimension:
        return member
    return str(member) if str(member) in best else OTHER


def renamed(
    ask: ReportRequest, groups: dict[oracle.Key, list[oracle.Entry]], entries: list[oracle.Entry]
) -> dict[oracle.Key, list[oracle.Entry]]:
    """With `top`, members that are not among the best are put together under Other."""
    if ask.top is None:
        return groups
    best = best_members(ask, entries)
    place = ask.by.index(ask.top.of)
    together: dict[oracle.Key, list[oracle.Entry]] = {}
    for key, rows in groups.items():
        member = text_of(key[place])
        named = member if member in best else OTHER
        together.setdefault((*key[:place], named, *key[place + 1 :]), []).extend(rows)
    return together


def best_members(ask: ReportRequest, entries: list[oracle.Entry]) -> list[str]:
    assert ask.top is not None
    counted = oracle.kept(entries, ask.span, ask.where)
    members = oracle.grouped(counted, (ask.top.of,), ask.span.zone)
    values = [(oracle.measured(ask.top.measure, rows), text_of(key[0])) for key, rows in members.items()]
    known = sorted(((value, member) for value, member in values if value is not None), key=lambda e: (-e[0], e[1]))
    return [member for _, member in known[: ask.top.count]]


def text_of(member: Any) -> str:
    if member is None:
        return ""
    return str(member).lower() if isinstance(member, bool) else str(member)


def check_comparisons(ask: ReportRequest, made: report.Report, entries: list[oracle.Entry], as_of: datetime) -> None:
    """Neither windows nor pairs are taken from the answer: the books and the question say what they have to be."""
    zone, now = ask.span.zone, as_of.astimezone(ask.span.zone).replace(tzinfo=None)
    first, last = ask.span.start.date(), (ask.span.end - timedelta(days=1)).date()
    for comparison in ask.comparisons:
        period, to_date = comparison
        other = earlier.earlier_of(ask.by, first, last, now, period, to_date=to_date)
        counted = oracle.kept(entries, Span(other.start, other.end, zone), ask.where) if other else []
        if other:
            assert (made.compared[comparison].span.start, made.compared[comparison].span.end) == (
                other.start,
                other.end,
            )
        for measure in ask.measures:
            assert made.compared_value(comparison, measure, made.total) == oracle.measured(measure, counted)
        groups = renamed(ask, oracle.grouped(counted, ask.by, zone), entries)
        for row in made.shown:
            before = counterpart(ask, row.key, other, entries)
            for measure in ask.measures:
                expected = oracle.measured(measure, groups.get(before, [])) if before is not None else None
                found = made.compared_value(comparison, measure, row)
                assert found == expected, (comparison, row.key, before, measure)


def counterpart(
    ask: ReportRequest, key: oracle.Key, other: earlier.Earlier | None, entries: list[oracle.Entry]
) -> oracle.Key | None:
    """The row's key in the earlier time. A weekday that `top` renames is told by the day, and is named again."""
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
    named = member if member in best_members(ask, entries) else OTHER
    return (*before[:place], named, *before[place + 1 :])


async def test_a_rebuild_comes_to_what_the_increments_came_to(kept: Kept, sessions: Sessions) -> None:
    followed = await books.contents(sessions)

    async with begin(sessions) as session:
        await facts.build(session)
    built = await books.contents(sessions)
    done = await facts.rebuild(sessions, Settings(time_zone=SHOP_ZONE), told=lambda _line: None)
    rebuilt = await books.contents(sessions)

    assert done == len(kept.orders)
    assert built == followed
    assert rebuilt == followed


async def test_a_product_that_changes_its_category_takes_its_past_along(kept: Kept, sessions: Sessions) -> None:
    product = kept.orders[0].lines[0].piece.product
    async with begin(sessions) as session:
        await session.execute(
            text("UPDATE products SET gender = 'women', subcategory = 'trousers' WHERE id = :id"), {"id": product}
        )
    followed = await books.contents(sessions)

    async with begin(sessions) as session:
        await facts.build(session)

    assert await books.contents(sessions) == followed
    async with sessions() as session:
        named = await session.scalars(text("SELECT category FROM sales WHERE product_id = :id"), {"id": product})
        assert set(named) == {"women_trousers"}

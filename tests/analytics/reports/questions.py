"""Hypothesis strategies for report requests."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from server.analytics.reports.language import MEASURES, PER_LINE, SOURCE_OF, TIME, Dimension, Measure, Source
from server.analytics.reports.question import Condition
from server.analytics.reports.ranges import Period, Span
from server.analytics.reports.request import MeasureRange, ReportOrdering, ReportRequest, TopMembersOnly
from tests.analytics.reports import books

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
SOLD = tuple(m for m in Measure if all(SOURCE_OF[base] is Source.SALES for base in MEASURES[m].needs))
BOUNDS = (None, *map(Decimal, ("0", "1", "2", "50", "99.99", "400")))


@dataclass(frozen=True)
class PagedQuestion:
    """A report, and how many of its rows are read at a time, for so many pages."""

    ask: ReportRequest
    first: int
    pages: int


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
    fitting = SOLD
    if {*by, *(each.dimension for each in where)} & set(PER_LINE):
        fitting = tuple(measure for measure in SOLD if measure is not Measure.SHIPPING)
    measures = draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=4, unique=True))
    compared = draw(st.lists(st.tuples(st.sampled_from(Period), st.booleans()), max_size=2, unique=True))
    others = [dimension for dimension in by if dimension not in TIME]
    top = draw(tops(others[0])) if others else None
    return ReportRequest(
        span=span,
        by=tuple(by),
        measures=tuple(measures),
        where=tuple(where),
        having=tuple(draw(havings(fitting))),
        order=tuple(draw(orders(fitting, by))),
        top=top,
        fill_gaps=draw(st.booleans()),
        comparisons=tuple(compared),
        sizes=("XS", "S", "M", "L", "XL", "XXL"),
    )


@st.composite
def tops(draw: st.DrawFn, of: Dimension) -> TopMembersOnly | None:
    measure = draw(st.sampled_from([measure for measure in SOLD if measure is not Measure.SHIPPING]))
    return draw(st.sampled_from([None, TopMembersOnly(draw(st.integers(1, 3)), of, measure)]))


@st.composite
def havings(draw: st.DrawFn, fitting: tuple[Measure, ...]) -> list[MeasureRange]:
    """None for two reports in five, which have all of their rows."""
    bound = st.builds(MeasureRange, st.sampled_from(fitting), st.sampled_from(BOUNDS), st.sampled_from(BOUNDS))
    count = draw(st.sampled_from((0, 0, 1, 1, 2)))
    return draw(st.lists(bound, min_size=count, max_size=count))


@st.composite
def orders(draw: st.DrawFn, fitting: tuple[Measure, ...], by: list[Dimension]) -> list[ReportOrdering]:
    """None for every other report: its rows come as they do by default."""
    named: st.SearchStrategy[Measure | Dimension] = st.sampled_from([*by, *fitting])
    count = draw(st.sampled_from((0, 0, 1, 2, 3)))
    chosen = draw(st.lists(named, min_size=count, max_size=count, unique=True)) if count <= len(by) + 2 else []
    return [ReportOrdering(each, draw(st.booleans())) for each in chosen]


def paged() -> st.SearchStrategy[PagedQuestion]:
    return st.builds(PagedQuestion, asks(), st.sampled_from((1, 2, 7, 30, 120)), st.integers(1, 3))


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
    most = 1 if dimension is Dimension.DISCOUNTED else 2
    values = draw(st.lists(st.sampled_from(VALUES[dimension]), min_size=1, max_size=most, unique=True))
    return Condition(dimension, tuple(values), draw(st.booleans()))


_ALL = Span(books.FIRST.replace(tzinfo=None), books.LAST.replace(tzinfo=None), ZoneInfo(SHOP_ZONE))
BEST_HOURS = ReportRequest(
    _ALL,
    by=(Dimension.HOUR_OF_DAY,),
    measures=(Measure.UNITS,),
    order=(ReportOrdering(Dimension.HOUR_OF_DAY),),
    top=TopMembersOnly(12, Dimension.HOUR_OF_DAY, Measure.UNITS),
)
"""Hours in order, though `top` makes texts of them."""
EMPTY_DAYS_FIRST = ReportRequest(
    _ALL,
    by=(Dimension.DAY,),
    measures=(Measure.AVERAGE_ORDER_VALUE,),
    order=(ReportOrdering(Measure.AVERAGE_ORDER_VALUE),),
)
"""Days without orders have no average, and are below those that have one."""
RUNNING = PagedQuestion(
    ReportRequest(
        _ALL,
        by=(Dimension.QUARTER, Dimension.MONTH, Dimension.GENDER),
        measures=(Measure.NET_SALES, Measure.REFUNDS),
        having=(MeasureRange(Measure.UNITS, at_least=Decimal(4)),),
    ),
    first=30,
    pages=2,
)
"""Sums that run on over rows that are dropped, and over two times."""

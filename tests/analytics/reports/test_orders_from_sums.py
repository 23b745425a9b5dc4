"""Orders that can be counted from sums by day are, and are as many as the books say."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from server.analytics.models import Sale, SalesDayCategory, SalesDayProduct
from server.analytics.reports import plan, report
from server.analytics.reports.language import BaseMeasure, Dimension, Measure
from server.analytics.reports.question import Condition, Members, ReportStatement
from server.analytics.reports.ranges import Period, Span
from server.analytics.reports.request import ReportRequest, TopMembersOnly
from server.platform.core.db import Sessions, begin
from tests.analytics.reports import books, oracle
from tests.analytics.reports.answers import ExpectedReport
from tests.analytics.reports.questions import SHOP_ZONE
from tests.statements import StatementRecorder

AS_OF = datetime(2026, 3, 31, tzinfo=UTC)
YEARS = Span(datetime(2024, 11, 1), datetime(2026, 4, 1), ZoneInfo(SHOP_ZONE))  # noqa: DTZ001 - wall clocks
MONTH, CATEGORY, GENDER, PRODUCT = Dimension.MONTH, Dimension.CATEGORY, Dimension.GENDER, Dimension.PRODUCT
SHIRTS = Condition(CATEGORY, ("men_shirts",))
NO_SHIRTS = Condition(CATEGORY, ("men_shirts",), negated=True)
TWO = Condition(CATEGORY, ("men_shirts", "men_jeans"))
MEN = Condition(GENDER, ("men",))


Table = type[Sale] | type[SalesDayCategory] | type[SalesDayProduct]


@dataclass(frozen=True)
class Case:
    """`top` is the dimension of which one member keeps its row."""

    table: Table
    by: tuple[Dimension, ...]
    where: tuple[Condition, ...] = ()
    top: Dimension | None = None


CASES = (
    Case(SalesDayCategory, (MONTH, CATEGORY)),
    Case(SalesDayCategory, (MONTH, CATEGORY), (MEN,)),
    Case(SalesDayCategory, (MONTH,), (SHIRTS,)),
    Case(SalesDayCategory, (), (SHIRTS,)),
    Case(SalesDayCategory, (GENDER, CATEGORY), top=GENDER),
    Case(SalesDayProduct, (MONTH, PRODUCT), (SHIRTS,)),
    Case(SalesDayProduct, (CATEGORY, PRODUCT), top=CATEGORY),
    Case(Sale, (MONTH,), (NO_SHIRTS,)),
    Case(Sale, (MONTH,), (TWO,)),
    Case(Sale, (MONTH, GENDER)),
    Case(Sale, (MONTH,), (MEN,)),
    Case(Sale, (MONTH, CATEGORY), top=CATEGORY),
    Case(Sale, (PRODUCT,), top=PRODUCT),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.table.__tablename__)
def test_orders_are_read_from_sums_where_each_row_is_of_one_member(case: Case) -> None:
    members = Members(case.top, ("x",)) if case.top else None
    statement = ReportStatement(case.by, case.where, YEARS, SHOP_ZONE, members)

    assert plan.table_for(statement, [BaseMeasure.ORDERS]) is case.table


async def test_only_the_running_day_is_read_from_lines_when_a_period_is_compared(sessions: Sessions) -> None:
    by_product = ReportRequest(
        YEARS, (MONTH, PRODUCT), (Measure.NET_SALES,), comparisons=((Period.PREVIOUS_YEAR, True),)
    )

    async with sessions() as session, StatementRecorder(session, "sale_facts.product") as lines:
        await report.run(session, by_product, shop_zone=SHOP_ZONE, as_of=AS_OF)

    [(_, values)] = lines.sent
    assert {value for value in values if isinstance(value, datetime)} == {
        datetime(2025, 3, 31),  # noqa: DTZ001 - a wall clock
        datetime(2025, 3, 31, 3),  # noqa: DTZ001 - a wall clock
    }


async def test_orders_are_as_many_as_the_books_say_whatever_they_are_read_from(sessions: Sessions) -> None:
    dice = random.Random(3)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, orders, dice)

    for case in CASES:
        best = TopMembersOnly(1, case.top, Measure.ORDERS) if case.top else None
        ask = ReportRequest(YEARS, case.by, (Measure.ORDERS, Measure.AVERAGE_ORDER_VALUE), case.where, top=best)
        async with sessions() as session:
            result = await report.run(session, ask, shop_zone=SHOP_ZONE, as_of=AS_OF)
        expected = ExpectedReport(ask, oracle.entries(orders), AS_OF)
        for measure in ask.measures:
            counts = {row.key: result.value(measure, row) for row in result.shown}
            assert counts == {key: expected.value(measure, key) for key in expected.keys}, case
            assert result.value(measure, result.total) == expected.total(measure), case

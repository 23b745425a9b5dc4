"""An order counts once in each row, whatever dimensions of its lines divide them."""

import random
from itertools import combinations
from zoneinfo import ZoneInfo

from server.analytics.reports import report
from server.analytics.reports.language import PER_LINE, Dimension, Measure
from server.analytics.reports.ranges import Span
from server.analytics.reports.request import ReportRequest
from server.platform.core.db import Sessions, begin
from tests.analytics.reports import books, oracle
from tests.analytics.reports.questions import AS_OF, SHOP_ZONE

YEARS = Span(books.FIRST.replace(tzinfo=None), books.LAST.replace(tzinfo=None), ZoneInfo(SHOP_ZONE))
ALL = tuple(dimension for dimension in Dimension if dimension in PER_LINE)
CHOICES = [*((one,) for one in ALL), *combinations(ALL, 2), ALL]
MEASURES = (Measure.ORDERS, Measure.CUSTOMERS, Measure.NEW_CUSTOMERS, Measure.RETURNING_CUSTOMERS)


async def test_orders_and_customers_count_once_by_any_dimensions_of_lines(sessions: Sessions) -> None:
    dice = random.Random(5)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, orders, dice)
    entries = oracle.kept(oracle.entries(orders), YEARS, ())

    for by in CHOICES:
        async with sessions() as session:
            result = await report.run(session, ReportRequest(YEARS, by, MEASURES), shop_zone=SHOP_ZONE, as_of=AS_OF)
        expected = oracle.grouped(entries, by, YEARS.zone)
        for measure in MEASURES:
            counted = {row.key: result.value(measure, row) for row in result.shown}
            assert counted == {key: oracle.measured(measure, rows) for key, rows in expected.items()}, by
    assert len(CHOICES) == 46

"""Basket analysis: products that are bought together."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import Sale, SalesDay
from server.analytics.reports.aggregates import STANDS_FOR_ORDER
from server.analytics.reports.language import percent
from server.analytics.reports.ranges import Span
from server.catalog.models import Product

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Pair:
    """Two products that some orders contain both of; `first` is the one in fewer orders."""

    first: UUID
    second: UUID
    first_name: str
    second_name: str
    together: int
    with_first: int
    with_second: int
    orders: int

    @property
    def support(self) -> Decimal:
        """Percent of all orders that contain both."""
        return percent(self.together, self.orders) or Decimal(0)

    @property
    def confidence(self) -> Decimal:
        """Percent of the orders with `first` that also contain `second`."""
        return percent(self.together, self.with_first) or Decimal(0)

    @property
    def lift(self) -> Decimal:
        """How many times as often as if they were bought independently."""
        by_chance = Decimal(self.with_first) * self.with_second
        return (Decimal(self.together) * self.orders / by_chance).quantize(HUNDREDTH, ROUND_HALF_UP)


# Rows of pairs are many, and narrow; what they come to is few.
_OF_DAYS = """
WITH counted AS (
    SELECT number AS product, sum(orders) AS orders
    FROM sales_by_day_product JOIN sale_members ON member = product_id::text
    WHERE day >= :start AND day < :end GROUP BY number
),
pairs AS (
    SELECT first AS a, second AS b, sum(orders) AS together
    FROM sales_by_day_pair WHERE day >= :start AND day < :end GROUP BY 1, 2 HAVING sum(orders) >= :least
)
"""
# Equal baskets are grouped, since there are few different ones, and pairs are formed once for each. An order's lines
# share one moment, by which an index sorts them, so that grouping needs neither much memory nor temporary files.
_OF_LINES = """
WITH baskets AS MATERIALIZED (
    SELECT products, count(*) AS orders
    FROM (
        SELECT uniq(sort(array_agg(product))) AS products FROM sale_facts
        WHERE is_sale AND product <> 0 AND local_at >= :earliest AND local_at < :latest
            AND timezone(:zone, at) >= :start AND timezone(:zone, at) < :end
        GROUP BY local_at, order_number
    ) bought
    GROUP BY products
),
counted AS (SELECT product, sum(orders) AS orders FROM baskets, unnest(products) AS product GROUP BY product),
pairs AS (
    SELECT a, b, sum(orders) AS together
    FROM (SELECT * FROM baskets WHERE icount(products) > 1) several, unnest(products) AS a, unnest(products) AS b
    WHERE a < b GROUP BY a, b HAVING sum(orders) >= :least
)
"""
_STRONGEST = """
SELECT one.member::uuid AS one, other.member::uuid AS other, together, mine.orders AS with_one,
    theirs.orders AS with_other
FROM pairs
JOIN counted mine ON mine.product = a
JOIN counted theirs ON theirs.product = b
JOIN sale_members one ON one.number = a
JOIN sale_members other ON other.number = b
ORDER BY together / mine.orders / theirs.orders DESC, together DESC, one.member, other.member
LIMIT :limit
"""


async def pairs(session: AsyncSession, span: Span, shop_zone: str, *, least: int, limit: int) -> list[Pair]:
    """Pairs in at least `least` orders, by descending lift."""
    is_summed = span.zone.key == shop_zone and span.is_whole_days
    parameters: dict[str, Any] = {"least": least, "limit": limit}
    if is_summed:
        days = {"start": span.start.date(), "end": span.end.date()}
        statement = text(_OF_DAYS + _STRONGEST), parameters | days
        counted = select(func.sum(SalesDay.orders)).where(SalesDay.day >= days["start"], SalesDay.day < days["end"])
    else:
        earliest, latest = span.in_any_zone
        near = {"start": span.start, "end": span.end, "earliest": earliest, "latest": latest, "zone": span.zone.key}
        statement = text(_OF_LINES + _STRONGEST), parameters | near
        clock = func.timezone(span.zone.key, Sale.at)
        counted = select(func.count()).where(STANDS_FOR_ORDER, clock >= span.start, clock < span.end)
    rows = (await session.execute(*statement)).all()
    orders = int(await session.scalar(counted) or 0)
    ids = {product for row in rows for product in (row.one, row.other)}
    named = await session.execute(select(Product.id, Product.name).where(Product.id.in_(ids)))
    names = {row.id: row.name for row in named}
    product_pairs = []
    for row in rows:
        one, other = (row.one, row.with_one), (row.other, row.with_other)
        first, second = sorted((one, other), key=lambda each: (each[1], each[0]))
        product_pairs.append(
            Pair(
                first[0],
                second[0],
                names[first[0]],
                names[second[0]],
                int(row.together),
                int(first[1]),
                int(second[1]),
                orders,
            )
        )
    return product_pairs

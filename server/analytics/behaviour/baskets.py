"""What is bought together."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import Sale
from server.analytics.reports.language import percent
from server.analytics.reports.ranges import Span
from server.catalog.models import Product

HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class Pair:
    """Two products that some orders have both of; `first` is the one that is in fewer orders."""

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
        """Percent of all orders that have both."""
        return percent(self.together, self.orders) or Decimal(0)

    @property
    def confidence(self) -> Decimal:
        """Percent of the orders with `first` that have `second` too."""
        return percent(self.together, self.with_first) or Decimal(0)

    @property
    def lift(self) -> Decimal:
        """How many times as often as by chance."""
        by_chance = Decimal(self.with_first) * self.with_second
        return (Decimal(self.together) * self.orders / by_chance).quantize(HUNDREDTH, ROUND_HALF_UP)


_PAIRS = text(
    """
    WITH bought AS MATERIALIZED (
        SELECT DISTINCT order_id, product_id FROM sales
        WHERE is_sale AND product_id IS NOT NULL AND {clock} >= :start AND {clock} < :end
    ),
    counted AS (SELECT product_id, count(*) AS orders FROM bought GROUP BY product_id),
    pairs AS (
        SELECT a.product_id AS one, b.product_id AS other, count(*) AS together
        FROM bought a JOIN bought b ON b.order_id = a.order_id AND a.product_id < b.product_id
        GROUP BY 1, 2 HAVING count(*) >= :least
    )
    SELECT pairs.one, pairs.other, together, mine.orders AS with_one, theirs.orders AS with_other
    FROM pairs
    JOIN counted mine ON mine.product_id = pairs.one
    JOIN counted theirs ON theirs.product_id = pairs.other
    ORDER BY together::numeric / mine.orders / theirs.orders DESC, together DESC, pairs.one, pairs.other
    LIMIT :limit
    """.replace("{clock}", "local_at")
)
_FOREIGN = text(_PAIRS.text.replace("local_at", "timezone(:zone, at)"))


async def pairs(session: AsyncSession, span: Span, shop_zone: str, *, least: int, limit: int) -> list[Pair]:
    """The strongest first, by lift; only pairs that at least `least` orders have."""
    in_shop_zone = span.zone.key == shop_zone
    asked: dict[str, Any] = {"start": span.start, "end": span.end, "least": least, "limit": limit}
    rows = (
        await session.execute(
            _PAIRS if in_shop_zone else _FOREIGN, asked | ({} if in_shop_zone else {"zone": span.zone.key})
        )
    ).all()
    clock = Sale.local_at if in_shop_zone else func.timezone(span.zone.key, Sale.at)
    counted = select(func.coalesce(func.sum(Sale.order_mark), 0)).where(clock >= span.start, clock < span.end)
    orders = int(await session.scalar(counted) or 0)
    ids = {product for row in rows for product in (row.one, row.other)}
    named = await session.execute(select(Product.id, Product.name).where(Product.id.in_(ids)))
    names = {row.id: row.name for row in named}
    found = []
    for row in rows:
        one, other = (row.one, row.with_one), (row.other, row.with_other)
        first, second = sorted((one, other), key=lambda each: (each[1], each[0]))
        found.append(
            Pair(first[0], second[0], names[first[0]], names[second[0]], row.together, first[1], second[1], orders)
        )
    return found

"""How often products were sold, as the catalogue sorts by it: units of paid orders, refunded ones included."""

from sqlalchemy import exists, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import PopularityChange
from server.core.db import begin
from server.core.jobs import JobEnvironment

# Products that somebody edits, or changes that facts are just adding to, are left for the next time: nobody waits.
_APPLY = text(
    """
    WITH due AS (
        SELECT product_id FROM popularity_changes JOIN products ON products.id = product_id
        ORDER BY product_id
        FOR UPDATE OF popularity_changes SKIP LOCKED
        FOR NO KEY UPDATE OF products SKIP LOCKED
    ),
    taken AS (
        DELETE FROM popularity_changes USING due WHERE popularity_changes.product_id = due.product_id
        RETURNING popularity_changes.product_id, units
    )
    UPDATE products SET popularity = popularity + taken.units FROM taken WHERE products.id = taken.product_id
    """
)
_FORGET = text("DELETE FROM popularity_changes")
_COMPARE = text(
    """
    INSERT INTO popularity_changes (product_id, units)
    SELECT products.id, coalesce(sold.units, 0) - products.popularity
    FROM products
    LEFT JOIN (SELECT product_id, sum(units) AS units FROM sales_by_day_product GROUP BY product_id) sold
        ON sold.product_id = products.id
    WHERE coalesce(sold.units, 0) <> products.popularity
    """
)


async def apply(env: JobEnvironment) -> None:
    """Adds what has been counted since the last time to the products, each of them once.

    When nothing has been, products are left alone: a statement that changes none of them would be announced, too.
    """
    async with begin(env.sessions) as session:
        if await session.scalar(select(exists().select_from(PopularityChange))):
            await session.execute(_APPLY)


async def compare(session: AsyncSession) -> None:
    """Writes down by how much each product's popularity is wrong. The caller holds Lock.FACTS, with all facts there."""
    await session.execute(_FORGET)
    await session.execute(_COMPARE)

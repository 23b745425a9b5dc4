"""Popularity of products, by which the catalogue can be sorted: units of paid orders, refunded ones included."""

from sqlalchemy import exists, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import PopularityChange
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment

# Locked products and changes are skipped until the next run, so that no transaction waits.
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
    """Adds the changes counted since the last run to the products, each in one update.

    Without changes no statement runs on the products, because even one without effect would send a notification.
    """
    async with begin(env.sessions) as session:
        if await session.scalar(select(exists().select_from(PopularityChange))):
            await session.execute(_APPLY)


async def compare(session: AsyncSession) -> None:
    """Stores how much each product's popularity differs from the facts.

    The caller holds Lock.FACTS with complete facts.
    """
    await session.execute(_FORGET)
    await session.execute(_COMPARE)

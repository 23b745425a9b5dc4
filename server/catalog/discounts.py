"""Discounts with a beginning and an end, by the database's clock.

`products.discount_runs` says whether a discount applies now, for lists and their indexes. A trigger sets it whenever
the times are written, `turn` when one of them passes. Code that charges money compares the clock itself: `in_force`.
Both go by the SQL function `discount_applies`.
"""

from sqlalchemy import ColumnElement, case, func, select, update

from server.catalog.models import Product
from server.platform.core import money
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment

BATCH = 1_000


def in_force() -> ColumnElement[int | None]:
    """SQL for the product's discounted price if it applies at this moment, whatever the flag says."""
    applies = func.discount_applies(Product.discount_starts_at, Product.discount_ends_at)
    return case((applies, Product.discounted_price_cents))


def percentage(price: int | None, discounted: int | None) -> int | None:
    """Whole percent off, for prices in cents; None where nothing is off."""
    if price is None or discounted is None or not money.is_discounted(price, discounted):
        return None
    return money.percent_off(price, discounted)


async def turn(env: JobEnvironment) -> None:
    """Updates the flag of discounts that have begun or ended; the catalogue's trigger notifies every cache.

    Several processes share the work. Without such discounts nothing is written, and no notification sent.
    """
    due = Product.discount_turns_at <= func.now()
    async with env.sessions() as session:
        has_any = await session.scalar(select(select(Product.id).where(due).exists()))
    while has_any:
        async with begin(env.sessions) as session:
            some = select(Product.id).where(due).order_by(Product.id).limit(BATCH)
            claimed = some.with_for_update(skip_locked=True, key_share=True)
            turned = await session.scalars(
                update(Product)
                .where(Product.id.in_(claimed.scalar_subquery()))
                .values(discount_starts_at=Product.discount_starts_at)
                .returning(Product.id)
            )
            has_any = len(turned.all()) == BATCH

"""Carts that reserve as much as an account may."""

from uuid import UUID

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from demo import catalogue
from server.catalog.models import Variant
from tests.cart.stock import make_product

GREEDY = 9
CART_SIZES = [(90, 48), (90, 10), (40, 10), (40, 2), (10, 10), (10, 2), (8, 2), (2, 10), (2, 1), (1, 1)]
"""Variants and pieces of each, the largest first."""


async def stock_like_the_demo(session: AsyncSession) -> list[UUID]:
    """As many variants as the demo has, with its stock, most of it first."""
    stocks = sorted((n for product in catalogue.products() for n in product.stock.values() if n), reverse=True)
    sizes = ("XS", "S", "M", "L", "XL", "XXL")
    products = [await make_product(session, name=f"Shirt {n}", sizes=sizes) for n in range(len(stocks) // 6 + 1)]
    ids = [variant for product in products for variant in product.variants.values()][: len(stocks)]
    await session.execute(update(Variant).values(stock=0))
    await session.execute(update(Variant), [{"id": id, "stock": n} for id, n in zip(ids, stocks, strict=True)])
    await session.commit()
    return ids

"""CSV files of products."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from tests.cart.stock import Goods

NEW = {
    "sku": "LIN-1-S",
    "product": "linen",
    "name": "Linen Shirt",
    "subtitle": "Washed linen",
    "description": "With slubs.\nAnd a pocket.",
    "category": "men_shirts",
    "price": "92.00",
    "discounted_price": "69",
    "color": "Bone",
    "color_hex": "#e8e2d5",
    "size": "S",
    "stock": "4",
}


async def sku_of(session: AsyncSession, goods: Goods) -> str:
    return (await session.scalars(select(Variant.sku).where(Variant.id == goods.variant_id))).one()

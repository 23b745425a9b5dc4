"""Fixtures of a shopper and products, for tests of carts, orders and payments."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.identity.models import Address, User
from server.media.models import Image
from server.platform.core.db import Base

_numbers = count(1)


@dataclass(frozen=True)
class Shopper:
    id: UUID
    email: str
    address_id: UUID


async def make_shopper(session: AsyncSession, name: str = "Ada Lovelace") -> Shopper:
    """With one address."""
    email = f"shopper{next(_numbers)}@minimal.test"
    user = User(email=email, name=name)
    session.add(user)
    await session.flush()
    address = Address(
        user_id=user.id, name=name, address1="1 Quiet Street", city="London", country="GB", phone="1", is_default=True
    )
    session.add(address)
    await session.commit()
    return Shopper(user.id, email, address.id)


@dataclass(frozen=True)
class Goods:
    """A product and its variants, by color and size."""

    product_id: UUID
    variants: dict[tuple[str, str], UUID]

    @property
    def variant_id(self) -> UUID:
        return next(iter(self.variants.values()))


async def make_product(
    session: AsyncSession,
    *,
    name: str = "Oxford Shirt",
    category: str = "men_shirts",
    price: int = 4900,
    discounted: int | None = None,
    colors: Sequence[tuple[str, str]] = (("Indigo", "#2f4e7d"),),
    sizes: Sequence[str] = ("M",),
    stock: int = 5,
    pictures: bool = False,
) -> Goods:
    """Every variant has `stock` pieces."""
    gender, subcategory = category.split("_")
    product = Product(
        name=name,
        title=name,
        subtitle="Washed cotton",
        description="A shirt.",
        gender=gender,
        subcategory=subcategory,
        price_cents=price,
        discounted_price_cents=discounted,
        image="/fallback.webp",
    )
    session.add(product)
    await session.flush()
    variants: dict[tuple[str, str], UUID] = {}
    for position, (color_name, hex) in enumerate(colors):
        color = ProductColor(product_id=product.id, name=color_name, hex=hex, position=position)
        session.add(color)
        await session.flush()
        for size in sizes:
            sku = f"SKU-{next(_numbers)}"
            variant = Variant(product_id=product.id, color_id=color.id, size=size, sku=sku, stock=stock)
            session.add(variant)
            await session.flush()
            variants[color_name, size] = variant.id
        if pictures:
            image = Image(sha256="0" * 64, width=900, height=1200, size_bytes=1, placeholder="data:,")
            session.add(image)
            await session.flush()
            picture = {"product_id": product.id, "color_id": color.id, "image_id": image.id, "position": position}
            session.add(ProductImage(**picture, alt=f"{name}, {color_name}, front"))
    await session.commit()
    return Goods(product.id, variants)


async def stock_of(session: AsyncSession, variant_id: UUID) -> int:
    """Pieces that can be bought now, read anew."""
    await session.rollback()
    return (await session.scalars(select(Variant.stock).where(Variant.id == variant_id))).one()


async def number_of(session: AsyncSession, table: type[Base]) -> int:
    """Rows of a table, read anew."""
    await session.rollback()
    return await session.scalar(select(func.count()).select_from(table)) or 0

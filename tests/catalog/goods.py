"""Fixtures of products."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from uuid import UUID, uuid4

from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.media.models import Image

_numbers = count(1)

SKY, BLACK, RUST = ("Sky", "#b9cce3"), ("Black", "#25262a"), ("Rust", "#9c5538")


async def put_on_offer(
    session: AsyncSession,
    name: str = "Oxford Shirt",
    *,
    subtitle: str = "Washed cotton",
    category: str = "men_shirts",
    price: int = 8_900,
    discounted: int | None = None,
    popularity: int = 0,
    colors: Sequence[tuple[str, str]] = (SKY,),
    sizes: Sequence[str] = ("S", "M"),
    stock: Mapping[tuple[str, str], int] | int = 5,
    pictures: int = 0,
    created_at: datetime | None = None,
    retired_at: datetime | None = None,
) -> UUID:
    """One committed product. `stock` is by color name and size, or the same for all; `pictures` counts each color's."""
    gender, subcategory = category.split("_")
    product = Product(
        id=uuid4(),
        name=name,
        title=f"Men's {name}",
        subtitle=subtitle,
        description="A paragraph.",
        details=[{"label": "Care", "text": "Wash at 40 °C."}],
        gender=gender,
        subcategory=subcategory,
        price_cents=price,
        discounted_price_cents=discounted,
        discount_percentage=None if discounted is None else 25,
        popularity=popularity,
        retired_at=retired_at,
    )
    if created_at:
        product.created_at = created_at
    session.add(product)
    await session.flush()
    for place, (color_name, hex_value) in enumerate(colors):
        color = ProductColor(id=uuid4(), product_id=product.id, name=color_name, hex=hex_value, position=place)
        session.add(color)
        images = [make_image() for _ in range(pictures)]
        session.add_all(images)
        await session.flush()
        for image in images:
            place = next(_numbers)
            session.add(
                ProductImage(product_id=product.id, color_id=color.id, image_id=image.id, alt="", position=place)
            )
        for size in sizes:
            pieces = stock if isinstance(stock, int) else stock.get((color_name, size), 0)
            sku = f"SKU-{next(_numbers)}"
            session.add(Variant(product_id=product.id, color_id=color.id, size=size, sku=sku, stock=pieces))
    await session.commit()
    return product.id


def make_image() -> Image:
    """A row of a picture whose file nobody asks for."""
    return Image(id=uuid4(), sha256="0" * 64, width=1200, height=1600, size_bytes=1, placeholder="data:,")

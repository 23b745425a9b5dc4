"""Random changes of a catalogue, each by SQL of its own."""

import random
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, Variant
from tests.catalog.goods import BLACK, RUST, SKY, put_on_offer


async def come(session: AsyncSession, dice: random.Random) -> None:
    category = dice.choice(["men_shirts", "men_jeans", "women_trousers"])
    price = dice.randrange(6_000, 12_000, 1_000)
    await put_on_offer(session, category=category, price=price, colors=dice.sample([SKY, BLACK, RUST], 2))


async def change(session: AsyncSession, dice: random.Random) -> None:
    values: dict[str, Any] = dice.choice(
        [
            {"price_cents": dice.randrange(6_000, 12_000, 1_000)},
            {"discounted_price_cents": dice.choice([None, 5_000, 20_000])},
            {"popularity": Product.popularity + 1},
            {"name": dice.choice(["Camp Shirt", "Loose Jean"]), "gender": "women", "subcategory": "jeans"},
            {"retired_at": dice.choice([None, func.now()])},
        ]
    )
    await session.execute(update(Product).where(Product.id.in_(await some(session, Product, dice))).values(values))


async def sell(session: AsyncSession, dice: random.Random) -> None:
    values = {"stock": dice.choice([0, 0, 1, 7])}
    await session.execute(update(Variant).where(Variant.id.in_(await some(session, Variant, dice))).values(values))


async def repaint(session: AsyncSession, dice: random.Random) -> None:
    values = {"name": f"Rust {dice.random()}", "hex": RUST[1], "family": "Brown"}
    colors = await some(session, ProductColor, dice)
    await session.execute(update(ProductColor).where(ProductColor.id == colors[0]).values(values))


async def drop_color(session: AsyncSession, dice: random.Random) -> None:
    colors = await some(session, ProductColor, dice)
    values = {"retired_at": dice.choice([None, func.now()])}
    await session.execute(update(Variant).where(Variant.color_id.in_(colors)).values(values))
    await session.execute(update(ProductColor).where(ProductColor.id.in_(colors)).values(values))


async def vanish(session: AsyncSession, dice: random.Random) -> None:
    await session.execute(delete(Product).where(Product.id.in_((await some(session, Product, dice))[:1])))


async def some(session: AsyncSession, table: type[Product | ProductColor | Variant], dice: random.Random) -> list[UUID]:
    ids = sorted(await session.scalars(select(table.id)))
    return dice.sample(ids, min(len(ids), dice.randint(1, 3))) or [uuid4()]


CHANGES: list[Callable[[AsyncSession, random.Random], Awaitable[None]]] = [
    *(come, change, change, sell, sell, repaint, drop_color, vanish)
]

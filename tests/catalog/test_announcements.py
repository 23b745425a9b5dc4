"""What is announced when a product changes: seen on a connection of its own that listens to every channel of caches."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from sqlalchemy import BigInteger, Boolean, Column, DateTime, Integer, Text, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.sql.visitors import iterate

from server.catalog.contents import EXACT_STOCK_BELOW
from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.queries import INDEXED_COLUMNS, PRODUCT_COLUMNS
from tests.catalog.goods import BLACK, RUST, SKY, make_image, put_on_offer

CHANNELS = ("catalog", "catalog_products")
INVISIBLE = {
    "a sale that leaves hundreds": "UPDATE variants SET stock = 999 WHERE size = 'S'",
    "a sale that leaves ten": "UPDATE variants SET stock = 10 WHERE size = 'S'",
    "pieces that come to many": "UPDATE variants SET stock = stock + 7",
    "a statement that changes nothing": "UPDATE variants SET stock = stock, size = size",
    "a refused sale": "UPDATE variants SET stock = stock - 1 WHERE stock > 5000",
    "an edit that changes nothing": "UPDATE products SET name = name, version = version + 1, updated_at = now()",
    "another weight": "UPDATE products SET weight_grams = 500",
}
VISIBLE = {
    "nine left": "UPDATE variants SET stock = 9 WHERE size = 'S'",
    "the last piece": "UPDATE variants SET stock = 0 WHERE size = 'S'",
    "a retired variant": "UPDATE variants SET retired_at = now() WHERE size = 'S'",
    "another SKU": "UPDATE variants SET sku = sku || 'x'",
    "a variant less": "DELETE FROM variants WHERE size = 'S'",
    "another price": "UPDATE products SET price_cents = 100",
    "another description": "UPDATE products SET description = 'Another'",
    "other details": "UPDATE products SET details = '[]'",
    "other measurements": """UPDATE products SET measurements = '{"chest": {"M": 1}}'""",
    "a discount": "UPDATE products SET discounted_price_cents = 100, discount_percentage = 90",
    "one that is retired": "UPDATE products SET retired_at = now()",
    "one more sold": "UPDATE products SET popularity = popularity + 1",
    "another picture": "UPDATE product_images SET image_id = '{image}'",
    "no pictures": "DELETE FROM product_images",
    "another color": "UPDATE product_colors SET name = 'Night' WHERE name = 'Black'",
    "a color less": "DELETE FROM product_colors WHERE name = 'Night'",
}


TABLES = (Product, ProductColor, ProductImage, Variant)
OTHER_VALUES = {"products.gender": "'women'", "products.subcategory": "'jeans'", "variants.size": "'XL'"}
OTHER_VALUES |= {"product_colors.hex": "'#111111'", "variants.stock": "3", "variants.color_id": "'{color}'"}
OTHER_VALUES |= {"product_images.image_id": "'{image}'", "product_images.color_id": "NULL"}
OTHER_VALUES |= {f"{table}.product_id": "'{other}'" for table in ("product_colors", "product_images", "variants")}
VALUES_BY_TYPE: dict[type, str] = {
    Text: "{column} || 'x'",
    Integer: "coalesce({column}, 0) + 1",
    BigInteger: "{column} + 1",
    Boolean: "NOT {column}",
    DateTime: "now() + interval '1 hour'",
    JSONB: "'[]'",
}


def shown_columns() -> set[str]:
    """The columns of these tables that are read for shoppers and for the index."""
    read = [each for column in (*PRODUCT_COLUMNS, *INDEXED_COLUMNS) for each in iterate(column)]
    names = {f"{each.table.name}.{each.name}" for each in read if isinstance(each, Column)}
    return names & {f"{kind.__tablename__}.{column.name}" for kind in TABLES for column in kind.__table__.columns}


def another_value(column: Any) -> str:
    """SQL of a value that the column does not have."""
    special = OTHER_VALUES.get(f"{column.table.name}.{column.name}")
    return special or VALUES_BY_TYPE[type(column.type)].replace("{column}", column.name)


class Listening:
    def __init__(self, connection: asyncpg.Connection) -> None:
        self.connection = connection
        self.payloads: list[str] = []

    async def open(self) -> None:
        for channel in CHANNELS:
            await self.connection.add_listener(channel, lambda *heard: self.payloads.append(str(heard[3])))

    async def said_of(self, *statements: str) -> list[str]:
        """What each process is told of the statements, which are one transaction."""
        self.payloads.clear()
        await self._marked("begun")
        async with self.connection.transaction():
            for statement in statements:
                await self.connection.execute(statement)
        await self._marked("done")
        return self.payloads[self.payloads.index("begun") + 1 : -1]

    async def _marked(self, mark: str) -> None:
        """Announcements arrive in the order of commits: what comes before the mark was said before it."""
        await self.connection.execute("SELECT pg_notify('catalog', $1)", mark)
        while mark not in self.payloads:
            await self.connection.execute("SELECT 1")


@pytest.fixture
async def listening(database_url: str) -> AsyncIterator[Listening]:
    listening = Listening(await asyncpg.connect(database_url.replace("+asyncpg", "")))
    await listening.open()
    yield listening
    await listening.connection.close()


@pytest.fixture
async def product(session: AsyncSession) -> UUID:
    return await put_on_offer(session, colors=(SKY, BLACK), stock=1_000, pictures=1)


@pytest.mark.usefixtures("product")
async def test_what_no_shopper_sees_is_not_announced(listening: Listening) -> None:
    said = {name: await listening.said_of(statement) for name, statement in INVISIBLE.items()}

    assert said == {name: [] for name in INVISIBLE}


async def test_what_a_shopper_sees_is_announced_by_the_products_id(
    listening: Listening, session: AsyncSession, product: UUID
) -> None:
    image = make_image()
    session.add(image)
    await session.commit()

    said = {
        name: await listening.said_of(statement.replace("{image}", str(image.id)))
        for name, statement in VISIBLE.items()
    }

    assert said == {name: [str(product)] for name in VISIBLE}


async def test_a_change_of_a_column_is_announced_if_it_is_read_for_shoppers(
    listening: Listening, session: AsyncSession
) -> None:
    other = await put_on_offer(session, colors=(RUST,), sizes=("XXL",))
    color = await session.scalar(select(ProductColor.id).where(ProductColor.product_id == other))
    image = make_image()
    session.add(image)
    await session.commit()
    columns = [
        each for kind in TABLES for each in kind.__table__.columns if each.computed is None and each.name != "id"
    ]
    announced = {}

    for column in columns:
        product = await put_on_offer(session, sizes=("S",), stock=1_000, pictures=1)
        value = another_value(column).format(image=image.id, other=other, color=color)
        owner = "id" if column.table.name == "products" else "product_id"
        said = await listening.said_of(
            f"UPDATE {column.table.name} SET {column.name} = {value} WHERE {owner} = '{product}'"
        )
        announced[f"{column.table.name}.{column.name}"] = str(product) in ",".join(said)

    shown = shown_columns()
    assert announced == {name: name in shown for name in announced}


async def test_a_product_that_another_one_gives_something_to_is_announced_with_it(
    listening: Listening, session: AsyncSession, product: UUID
) -> None:
    other = await put_on_offer(session)

    [said] = await listening.said_of(f"UPDATE product_images SET product_id = '{other}'")

    assert set(said.split(",")) == {str(product), str(other)}


@pytest.mark.usefixtures("product")
async def test_what_is_rolled_back_is_not_announced(listening: Listening) -> None:
    transaction = listening.connection.transaction()
    await transaction.start()
    await listening.connection.execute("UPDATE variants SET stock = 0")
    await transaction.rollback()

    assert await listening.said_of() == []


async def test_after_a_truncation_any_product_may_have_changed(listening: Listening) -> None:
    assert await listening.said_of("TRUNCATE product_images") == [""]


async def test_many_products_are_announced_in_messages_that_fit(listening: Listening, session: AsyncSession) -> None:
    first = await put_on_offer(session)
    names = [column.name for column in Product.__table__.columns if column.computed is None and column.name != "id"]
    copied = ", ".join(names)

    said = await listening.said_of(
        f"INSERT INTO products ({copied}) SELECT {copied} FROM products, generate_series(1, 450) WHERE id = '{first}'"
    )

    copies = await session.scalars(select(Product.id).where(Product.id != first))
    assert sorted(each for payload in said for each in payload.split(",")) == sorted(map(str, copies))
    assert max(map(len, said)) < 8_000


async def test_the_number_that_counts_as_many_is_the_caches_own(listening: Listening, session: AsyncSession) -> None:
    await put_on_offer(session, stock=EXACT_STOCK_BELOW)

    more = await listening.said_of(f"UPDATE variants SET stock = {EXACT_STOCK_BELOW} + 1")
    fewer = await listening.said_of(f"UPDATE variants SET stock = {EXACT_STOCK_BELOW} - 1")

    assert (len(more), len(fewer)) == (0, 1)

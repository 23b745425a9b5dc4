"""How exact stock is read for cached answers, of products with so many pieces that no sale is announced."""

import asyncio
from pathlib import Path
from time import monotonic

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.contents import MANY
from server.catalog.models import Variant
from server.platform.core.db import Sessions, begin
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import ask, open_storefront
from tests.statements import counted_statements

ONE = "query One($id: ID!) { product(id: $id) { name variants { id stock } } }"
PRODUCTS = 20
READ_EVERY = 0.4
"""Seconds after which numbers of pieces are read again, at the earliest."""


async def test_one_statement_reads_the_stock_of_all_products_that_are_asked_for(
    database_url: str, sessions: Sessions, session: AsyncSession, tmp_path: Path
) -> None:
    products = [await put_on_offer(session, f"Jean {number}", stock=2 * MANY) for number in range(PRODUCTS)]
    async with open_storefront(database_url, sessions, tmp_path, catches_up=False) as shop:

        async def told() -> set[int]:
            answers = [await ask(shop.visitor, ONE, id=str(product)) for product in products]
            return {variant["stock"] for answer in answers for variant in answer["product"]["variants"]}

        assert await told() == {2 * MANY}
        with counted_statements("variants") as statements:
            began = monotonic()
            while monotonic() - began < 2:
                await told()
            took = monotonic() - began
        async with begin(sessions) as other:
            await other.execute(update(Variant).values(stock=3 * MANY))
        await asyncio.sleep(1)

        assert 1 < len(statements) <= 2 * took / READ_EVERY
        assert await told() == {3 * MANY}


async def test_repeated_visits_to_the_same_products_read_stock_with_few_statements(
    database_url: str, sessions: Sessions, session: AsyncSession, tmp_path: Path
) -> None:
    products = [await put_on_offer(session, f"Jean {number}", stock=2 * MANY) for number in range(PRODUCTS)]
    async with open_storefront(database_url, sessions, tmp_path, catches_up=False) as shop:

        async def look_around() -> None:
            for product in products:
                await ask(shop.visitor, ONE, id=str(product))
                await asyncio.sleep(2 / PRODUCTS)

        await look_around()
        with counted_statements("variants") as statements:
            await look_around()

    assert len(statements) < PRODUCTS * 3 / 4

"""How often stock is read for cached answers, of products with so many pieces that no sale is announced."""

import asyncio
from pathlib import Path
from time import monotonic

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.contents import EXACT_STOCK_BELOW
from server.catalog.dependencies import CHECK_SECONDS
from server.catalog.models import Variant
from server.platform.core.db import Sessions, begin
from tests.catalog.goods import put_on_offer
from tests.catalog.storefront import ask, open_storefront
from tests.statements import counted_statements

ONE = "query One($id: ID!) { product(id: $id) { name variants { id stock } } }"
MANY_PIECES = 2 * EXACT_STOCK_BELOW
VISITORS = 10


async def test_stock_of_a_product_is_read_twice_a_second_however_many_ask(
    database_url: str, sessions: Sessions, session: AsyncSession, tmp_path: Path
) -> None:
    product_id = str(await put_on_offer(session, stock=MANY_PIECES))
    async with open_storefront(database_url, sessions, tmp_path, catches_up=False) as shop:

        async def stock() -> set[int]:
            answers = await asyncio.gather(*(ask(shop.visitor, ONE, id=product_id) for _ in range(VISITORS)))
            return {variant["stock"] for answer in answers for variant in answer["product"]["variants"]}

        assert await stock() == {MANY_PIECES}
        with counted_statements("variants") as statements:
            began = monotonic()
            while monotonic() - began < 2:
                assert await stock() == {MANY_PIECES}
            took = monotonic() - began
        async with begin(sessions) as other:
            await other.execute(update(Variant).values(stock=MANY_PIECES + 1))
        await asyncio.sleep(1)

        assert 1 < len(statements) <= took / CHECK_SECONDS + 1
        assert await stock() == {MANY_PIECES + 1}

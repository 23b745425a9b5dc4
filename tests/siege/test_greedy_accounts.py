"""Nine new accounts try to keep the whole shop reserved, by every size of cart that a checkout may grant."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.orders.models import CheckoutLine
from server.platform.core.db import Sessions
from tests.payments.crowds import HOME
from tests.payments.greedy_accounts import CART_SIZES, GREEDY, stock_like_the_demo
from tests.payments.provider import Provider
from tests.siege.servers import Server, browser, serving

pytestmark = pytest.mark.timed

ALIASES = 10


@pytest.fixture(scope="module")
def provider(folder: Path) -> Iterator[Provider]:
    provider = Provider(folder / "provider")
    provider.data.mkdir()
    provider.start()
    yield provider
    provider.stop()


@dataclass
class GreedyAccount:
    """A new account that reserves as many as it can of some variants, whose stock it knows."""

    client: httpx.AsyncClient
    stock: dict[UUID, int]
    in_cart: dict[UUID, int] = field(default_factory=dict)

    async def sign_up(self) -> None:
        account = {"name": HOME["name"], "email": f"{uuid4()}@minimal.test", "password": "Linen&Shirt4"}
        (await self.client.post("/api/auth/signup", json=account)).raise_for_status()
        (await self.client.post("/api/user/address", json=HOME)).raise_for_status()

    async def reserve_most(self) -> None:
        """Reserves the largest cart that is granted."""
        for variants, pieces in CART_SIZES:
            await self._fill({id: min(self.stock[id], pieces) for id in list(self.stock)[:variants]})
            [started] = await self._mutate(["startCheckout"])
            if started == "Checkout":
                return

    async def _fill(self, quantities: dict[UUID, int]) -> None:
        surplus = [id for id in self.in_cart if id not in quantities]
        await self._mutate([f'removeFromCart(variantId: "{id}")' for id in surplus])
        other = {id: pieces for id, pieces in quantities.items() if self.in_cart.get(id) != pieces}
        verbs = {id: "setCartQuantity" if id in self.in_cart else "addToCart" for id in other}
        outcomes = await self._mutate(
            [f'{verbs[id]}(variantId: "{id}", quantity: {pieces})' for id, pieces in other.items()]
        )
        granted = {id: pieces for (id, pieces), said in zip(other.items(), outcomes, strict=True) if said == "Cart"}
        self.in_cart = {id: pieces for id, pieces in self.in_cart.items() if id in quantities} | granted

    async def _mutate(self, fields: Sequence[str]) -> list[str]:
        """Typenames of the answers, several mutations to a document."""
        outcomes: list[str] = []
        for first in range(0, len(fields), ALIASES):
            some = fields[first : first + ALIASES]
            aliases = " ".join(f"a{number}: {each} {{ __typename }}" for number, each in enumerate(some))
            answer = await self.client.post("/graphql", json={"query": f"mutation {{ {aliases} }}"})
            results: dict[str, Any] = answer.raise_for_status().json()["data"]
            outcomes += [result["__typename"] for result in results.values()]
        return outcomes


@asynccontextmanager
async def greedy_accounts(server: Server, stock: dict[UUID, int]) -> AsyncIterator[list[GreedyAccount]]:
    """Accounts that have divided the variants among themselves, each behind an address of its own."""
    goods = list(stock.items())
    share = len(goods) // GREEDY
    async with AsyncExitStack() as stack:
        accounts = []
        for number in range(GREEDY):
            client = await stack.enter_async_context(browser(server, address=f"127.0.0.{2 + number}"))
            accounts.append(GreedyAccount(client, dict(goods[number * share : (number + 1) * share][:90])))
            await accounts[-1].sign_up()
        yield accounts


async def reserved_share(server: Server, books: Sessions) -> float:
    """The share of the shop's pieces that they have reserved in the end."""
    async with books() as session:
        stock = await stock_of_a_shop(session)
    async with greedy_accounts(server, stock) as accounts:
        await asyncio.gather(*(account.reserve_most() for account in accounts))
    async with books() as session:
        reserved = await session.scalar(
            select(func.sum(CheckoutLine.quantity)).where(CheckoutLine.variant_id.in_(stock))
        )
    share = int(reserved or 0) / sum(stock.values())
    sys.stdout.write(f"{GREEDY} accounts hold {share:.1%} of {sum(stock.values())} pieces\n")
    return share


async def stock_of_a_shop(session: AsyncSession) -> dict[UUID, int]:
    ids = await stock_like_the_demo(session)
    rows = await session.execute(select(Variant.id, Variant.stock).where(Variant.id.in_(ids)))
    return {row.id: row.stock for row in sorted(rows, key=lambda row: row.stock, reverse=True)}


async def test_nine_greedy_accounts_hold_less_than_a_twentieth(
    database: str, folder: Path, provider: Provider, books: Sessions
) -> None:
    with serving(database, folder, provider.shop_port, OUTSIDE_PORT=str(provider.port)) as server:
        assert 0 < await reserved_share(server, books) < 0.05


async def test_without_the_limits_nine_accounts_hold_most_of_the_shop(
    database: str, folder: Path, provider: Provider, books: Sessions
) -> None:
    with serving(
        database,
        folder,
        provider.shop_port,
        without="reservation limits",
        OUTSIDE_PORT=str(provider.port),
        MAX_PIECES_PER_VARIANT="1000",
    ) as server:
        assert await reserved_share(server, books) > 0.9

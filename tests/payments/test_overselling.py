"""500 concurrent buyers of 50 items over HTTP. STAMPEDE_SEEDS sets how many such runs there are."""

import asyncio
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart
from server.identity.models import Session as LoginSession
from server.orders import reservations
from server.orders.models import Checkout, Order, OrderLine
from server.pricing import codes
from server.pricing.models import DiscountCode
from server.pricing.promotions import PercentOff, Promotion
from tests.cart.stock import Goods, Shopper, make_product, number_of
from tests.orders import naive
from tests.payments.checkout_documents import COMPLETE, START
from tests.payments.conftest import Customer, OpenShop, until
from tests.payments.crowds import HOME, with_carts
from tests.payments.provider import Provider
from tests.pricing import naive as naive_pricing

pytestmark = [pytest.mark.slow, pytest.mark.io_bound]

BUYERS, PIECES, OF_EACH = 500, 50, 5
COLORS, SIZES = (("Indigo", "#2f4e7d"), ("Sand", "#d8c9a8")), ("XS", "S", "M", "L", "XL")
SEEDS = int(os.environ.get("STAMPEDE_SEEDS", "1"))
ERROR = "an error"


@dataclass
class Crowd:
    """What each of them was told."""

    told: Counter[str] = field(default_factory=Counter)
    sessions: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)

    async def press(self, customer: Customer, document: str, **variables: str) -> Any:
        """The answer to somebody who comes again when asked to."""
        body = {"query": document, "variables": variables}
        response = await customer.browser.post("/graphql", json=body)
        while response.status_code == 503:
            await asyncio.sleep(int(response.headers["retry-after"]))
            response = await customer.browser.post("/graphql", json=body)
        return response.json()

    async def start(self, customer: Customer) -> str | None:
        """Presses the button. Returns the session to be paid, if there is one."""
        answer = await self.press(customer, START)
        if "errors" in answer:
            self.told[ERROR] += 1
            return None
        started = answer["data"]["startCheckout"]
        self.told[started["__typename"]] += 1
        if started["__typename"] == "Checkout":
            self.sessions.append(started["sessionId"])
            return str(started["sessionId"])
        self.words.add(started["message"])
        return None

    async def buy(self, customer: Customer, payer: httpx.AsyncClient, *, comes_back: bool) -> None:
        """Starts a checkout and pays; every other one closes the browser before the return page."""
        session_id = await self.start(customer)
        if session_id is None:
            return
        paid = await payer.post(f"/_control/sessions/{session_id}/pay", json={"card": "4242424242424242"})
        paid.raise_for_status()
        if comes_back:
            completed = await self.press(customer, COMPLETE, session=session_id)
            assert completed["data"]["completeCheckout"]["__typename"] == "CheckoutCompleted", completed


async def rush(shop: OpenShop, provider: Provider, shoppers: Sequence[Shopper]) -> Crowd:
    """Everybody presses the button at the same time."""
    return await rush_of(provider, [await shop.let_in(shopper) for shopper in shoppers])


async def rush_of(provider: Provider, customers: Sequence[Customer]) -> Crowd:
    crowd = Crowd()
    # Each card is typed into a browser of its own: a connection that was kept could be closed as it is used again.
    alone = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=provider.url, timeout=60, verify=False, limits=alone) as payer:
        buying = (crowd.buy(customer, payer, comes_back=each % 2 == 0) for each, customer in enumerate(customers))
        await asyncio.gather(*buying)
    for customer in customers:
        await customer.browser.aclose()
    return crowd


def random_carts(goods: Goods, seed: int) -> list[list[UUID]]:
    """One to three variants each, in any order; the first such crowd of which everything sells out.

    Of each variant more carts hold nothing else than there are pieces. So it sells out whoever comes when: were a
    piece left, none of those could have been refused.
    """
    rng, variants = Random(seed), list(goods.variants.values())
    while True:
        carts = [rng.sample(variants, rng.randint(1, 3)) for _ in range(BUYERS)]
        if all(carts.count([variant]) > OF_EACH for variant in variants):
            return carts


async def deadlocks(session: AsyncSession) -> int:
    count = await session.scalar(text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
    return int(count or 0)


async def stock_left(session: AsyncSession, goods: Goods) -> int:
    await session.rollback()
    statement = text("SELECT sum(stock) FROM variants WHERE product_id = :product")
    return int(await session.scalar(statement, {"product": goods.product_id}) or 0)


@pytest.mark.parametrize("seed", range(SEEDS))
async def test_five_hundred_buyers_for_fifty_pieces_buy_fifty_pieces(
    open_shop: OpenShop, provider: Provider, session: AsyncSession, seed: int
) -> None:
    goods = await make_product(session, colors=COLORS, sizes=SIZES, stock=OF_EACH)
    shoppers = await with_carts(session, random_carts(goods, seed))

    crowd = await rush(open_shop, provider, shoppers)

    await expect_fifty_sold(session, goods, crowd)


async def expect_fifty_sold(session: AsyncSession, goods: Goods, crowd: Crowd) -> None:
    """Each piece is in one paid order, and whoever has none was told so."""

    async def all_ordered() -> bool:
        return await number_of(session, Order) >= crowd.told["Checkout"]

    await until(all_ordered, 30)
    sold = await session.scalar(select(func.sum(OrderLine.quantity)))
    sold_to = (await session.scalars(select(Order.stripe_session_id))).all()
    # Whether the cart or the reservation says that nothing is left depends on when one asked.
    assert {"Checkout"} < set(crowd.told) <= {"Checkout", "CartNotReady", "OutOfStock"}
    assert crowd.told.total() == BUYERS
    assert (sold, await stock_left(session, goods)) == (PIECES, 0)
    assert sorted(str(session_id) for session_id in sold_to) == sorted(crowd.sessions)
    assert set((await session.scalars(select(Checkout.status))).all()) == {"completed"}
    assert await deadlocks(session) == 0


ADDRESSES = [f"127.0.0.{2 + each}" for each in range(20)]
ADD = "mutation ($variant: ID!) { addToCart(variantId: $variant) { __typename } }"


async def sign_up(shop: OpenShop, address: str, number: int, variants: Sequence[UUID]) -> Customer:
    """A new account with a filled cart, made from an address as a browser would."""
    browser = httpx.AsyncClient(
        base_url=shop.url.replace("localhost", "127.0.0.1"),
        transport=httpx.AsyncHTTPTransport(local_address=address),
        headers={"sec-fetch-site": "same-origin", "content-type": "application/json"},
        timeout=300,
    )
    account = {"name": HOME["name"], "email": f"new{number}@minimal.test", "password": "Linen&Shirt4"}
    account_json = (await browser.post("/api/auth/signup", json=account)).raise_for_status().json()
    home = (await browser.post("/api/user/address", json=HOME)).raise_for_status().json()[0]
    customer = Customer(Shopper(UUID(account_json["_id"]), account["email"], UUID(home["_id"])), browser)
    for variant in variants:
        added = await customer.ask(ADD, variant=str(variant))
        assert added == {"addToCart": {"__typename": "Cart"}}
    return customer


async def newcomers(shop: OpenShop, carts: Sequence[Sequence[UUID]]) -> list[Customer]:
    """New accounts, of which each address makes one after the other."""

    async def behind(address: str, first: int) -> list[Customer]:
        numbers = range(first, len(carts), len(ADDRESSES))
        return [await sign_up(shop, address, number, carts[number]) for number in numbers]

    groups = await asyncio.gather(*(behind(address, first) for first, address in enumerate(ADDRESSES)))
    return [customer for behind_one in groups for customer in behind_one]


async def test_five_hundred_new_accounts_behind_twenty_addresses_buy_fifty_pieces(
    open_shop: OpenShop, provider: Provider, session: AsyncSession
) -> None:
    goods = await make_product(session, colors=COLORS, sizes=SIZES, stock=OF_EACH)
    customers = await newcomers(open_shop, random_carts(goods, seed=0))

    crowd = await rush_of(provider, customers)

    await expect_fifty_sold(session, goods, crowd)
    assert set(await session.scalars(select(LoginSession.ip))) == set(ADDRESSES)


async def test_reading_then_writing_the_stock_sells_pieces_that_are_not_there(
    open_shop: OpenShop, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    goods = await make_product(session, stock=5)
    shoppers = await with_carts(session, [[goods.variant_id]] * 25)
    monkeypatch.setattr(reservations, "reserve", naive.reserve)

    crowd = await rush(open_shop, provider, shoppers)

    assert crowd.told["Checkout"] > 5


async def test_taking_the_stock_in_the_order_of_the_cart_deadlocks(
    open_shop: OpenShop, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    goods = await make_product(session, sizes=("S", "M"), stock=100)
    small, medium = goods.variants.values()
    shoppers = await with_carts(session, [[small, medium], [medium, small]] * 4)
    monkeypatch.setattr(reservations, "reserve", naive.reserve_in_the_order_of_the_cart)

    crowd = await rush(open_shop, provider, shoppers)

    async def counted() -> int:
        await session.rollback()
        return await deadlocks(session)

    # PostgreSQL counts it when the connection has had nothing to do for a while.
    await until(counted, 30)
    assert crowd.told == {"Checkout": len(shoppers)}


USES = 20


async def press(shop: OpenShop, shoppers: Sequence[Shopper], tabs: int = 1) -> Crowd:
    """Everybody presses the button in so many tabs at the same time, and nobody pays."""
    customers = [await shop.let_in(shopper) for shopper in shoppers]
    crowd = Crowd()
    await asyncio.gather(*(crowd.start(customer) for customer in customers for _ in range(tabs)))
    for customer in customers:
        await customer.browser.aclose()
    return crowd


async def with_a_code(session: AsyncSession, shoppers: int, **limits: int) -> list[Shopper]:
    """Shoppers with the same code in their carts; of what they want there is enough for all."""
    goods = await make_product(session, stock=shoppers)
    session.add(DiscountCode(code="RUSH", promotion=Promotion(PercentOff(10)), **limits))
    shoppers_with_carts = await with_carts(session, [[goods.variant_id]] * shoppers)
    await session.execute(update(Cart).values(discount_code="RUSH"))
    await session.commit()
    return shoppers_with_carts


async def held(session: AsyncSession) -> int:
    """Open checkouts that hold a use of the code."""
    holding = select(func.count()).where(Checkout.status == "open", Checkout.discount_code == "RUSH")
    return int(await session.scalar(holding) or 0)


async def test_five_hundred_buyers_use_a_code_as_often_as_it_may_be_used(
    open_shop: OpenShop, session: AsyncSession
) -> None:
    shoppers = await with_a_code(session, BUYERS, max_uses=USES)

    crowd = await press(open_shop, shoppers)

    assert crowd.told == {"Checkout": USES, "DiscountCodeRefused": BUYERS - USES}
    assert crowd.words == {codes.USED_UP}
    assert await held(session) == USES
    assert await deadlocks(session) == 0


async def test_shoppers_with_four_tabs_use_a_code_for_one_customer_once_each(
    open_shop: OpenShop, session: AsyncSession
) -> None:
    shoppers = await with_a_code(session, 30, max_uses=USES, max_uses_per_customer=1)

    crowd = await press(open_shop, shoppers, tabs=4)

    assert (crowd.told["Checkout"], len(set(crowd.sessions))) == (USES * 4, USES)
    assert crowd.told.total() == 120
    assert await held(session) == USES


async def test_counting_the_uses_of_a_code_without_its_lock_gives_more_than_there_are(
    open_shop: OpenShop, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    shoppers = await with_a_code(session, 40, max_uses=3)
    monkeypatch.setattr(codes, "take", naive_pricing.take)

    await press(open_shop, shoppers)

    assert await held(session) > 3

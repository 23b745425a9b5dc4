"""Two hundred people and twenty pieces, over HTTP."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

import httpx
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart, CartLine
from server.identity.models import Address, User
from server.orders import stock
from server.orders.models import Checkout, Order, OrderLine
from tests.cart.stock import Goods, Shopper, make_product, number_of, stock_of
from tests.orders import naive
from tests.payments.conftest import Customer, OpenShop, until
from tests.payments.provider import Provider
from tests.payments.test_http import COMPLETE, START

pytestmark = pytest.mark.alone

BUYERS, PIECES = 200, 20


@dataclass
class Crowd:
    """What each of them was told."""

    told: Counter[str] = field(default_factory=Counter)
    ordered: list[str] = field(default_factory=list)

    async def buy(self, customer: Customer, provider: Provider, payer: httpx.AsyncClient, *, comes_back: bool) -> None:
        """Starts a checkout and pays; every other one closes the browser before the return page."""
        started = (await customer.ask(START))["startCheckout"]
        self.told[started["__typename"]] += 1
        if started["__typename"] != "Checkout":
            return
        session_id = started["sessionId"]
        paid = await payer.post(f"/_control/sessions/{session_id}/pay", json={"card": "4242424242424242"})
        paid.raise_for_status()
        self.ordered.append(session_id)
        if comes_back:
            completed = (await customer.ask(COMPLETE, session=session_id))["completeCheckout"]
            assert completed["__typename"] == "CheckoutCompleted"


async def rush(shop: OpenShop, provider: Provider, session: AsyncSession, goods: Goods, buyers: int) -> Crowd:
    """Everybody has one piece in the cart and presses the button at the same time."""
    customers = [await shop.let_in(shopper) for shopper in await with_one_piece(session, goods, buyers)]
    crowd = Crowd()
    async with httpx.AsyncClient(base_url=provider.url, timeout=60, verify=False) as payer:
        await asyncio.gather(
            *(
                crowd.buy(customer, provider, payer, comes_back=number % 2 == 0)
                for number, customer in enumerate(customers)
            )
        )
    for customer in customers:
        await customer.browser.aclose()
    return crowd


async def with_one_piece(session: AsyncSession, goods: Goods, number: int) -> list[Shopper]:
    """Shoppers with an address and the piece in their carts."""
    users = [User(email=f"buyer{each}@minimal.test", name="Ada Lovelace") for each in range(number)]
    session.add_all(users)
    await session.flush()
    where = {"name": "Ada Lovelace", "address1": "1 Quiet Street", "city": "London", "country": "UK", "phone": "1"}
    addresses = [Address(user_id=user.id, **where) for user in users]
    carts = [Cart(user_id=user.id) for user in users]
    session.add_all([*addresses, *carts])
    await session.flush()
    piece = {"variant_id": goods.variant_id, "quantity": 1, "seen_price_cents": 4900}
    session.add_all(CartLine(cart_id=cart.id, **piece) for cart in carts)
    await session.commit()
    return [Shopper(user.id, user.email, address.id) for user, address in zip(users, addresses, strict=True)]


async def deadlocks(session: AsyncSession) -> int:
    found = await session.scalar(text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
    return int(found or 0)


async def test_two_hundred_buyers_for_twenty_pieces_make_twenty_orders(
    open_shop: OpenShop, provider: Provider, session: AsyncSession
) -> None:
    goods = await make_product(session, stock=PIECES)

    crowd = await rush(open_shop, provider, session, goods, BUYERS)

    async def all_ordered() -> bool:
        return await number_of(session, Order) >= PIECES

    await until(all_ordered, 30)
    await asyncio.sleep(0.3)
    refused = crowd.told["CartNotReady"] + crowd.told["OutOfStock"]
    assert (crowd.told["Checkout"], refused) == (PIECES, BUYERS - PIECES)
    assert await number_of(session, Order) == PIECES
    assert await session.scalar(select(func.sum(OrderLine.quantity))) == PIECES
    sold_to = (await session.scalars(select(Order.stripe_session_id))).all()
    assert sorted(str(session_id) for session_id in sold_to) == sorted(crowd.ordered)
    assert set((await session.scalars(select(Checkout.status))).all()) == {"completed"}
    assert await stock_of(session, goods.variant_id) == 0
    assert await deadlocks(session) == 0


async def test_reading_then_writing_the_stock_sells_pieces_that_are_not_there(
    open_shop: OpenShop, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    goods = await make_product(session, stock=5)
    monkeypatch.setattr(stock, "reserve", naive.reserve)

    crowd = await rush(open_shop, provider, session, goods, 25)

    assert crowd.told["Checkout"] > 5

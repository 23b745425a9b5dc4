"""Concurrent checkouts of the last item."""

import asyncio
import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.orders import checkouts, reservations
from server.orders import service as orders
from server.orders.models import Checkout, CheckoutLine, OrderLine
from server.orders.service import PaymentState, ProviderPayment
from server.platform.core.db import Sessions, begin
from tests.cart.stock import Goods, Shopper, make_product, make_shopper, number_of, stock_of
from tests.orders import naive
from tests.statements import ended_or_blocked


def purchase(shopper: Shopper) -> reservations.NewCheckout:
    now = datetime.now(UTC)
    return reservations.NewCheckout(
        user_id=shopper.id,
        email=shopper.email,
        fingerprint="x",
        total_cents=4900,
        currency="usd",
        shipping_address={"name": "Ada"},
        expires_at=now + timedelta(minutes=35),
        check_at=now,
    )


def lines(pairs: Sequence[tuple[Goods, int]]) -> list[reservations.ReservationLine]:
    return [
        reservations.ReservationLine(
            goods.variant_id, goods.product_id, place, quantity, 4900, 4900, "Shirt", "Sky", "M", "S", None
        )
        for place, (goods, quantity) in enumerate(pairs)
    ]


async def test_a_reservation_takes_every_line(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    shirt, jeans = await make_product(session, stock=3), await make_product(session, stock=1)

    checkout_id = await reservations.reserve(session, purchase(shopper), lines([(shirt, 2), (jeans, 1)]))
    await session.commit()

    assert isinstance(checkout_id, UUID)
    assert (await stock_of(session, shirt.variant_id), await stock_of(session, jeans.variant_id)) == (1, 0)
    held = await checkouts.lines_of(session, checkout_id)
    assert [(line.variant_id, line.quantity) for line in held] == [(shirt.variant_id, 2), (jeans.variant_id, 1)]


async def test_it_takes_all_or_nothing_and_says_which_lines_are_short(session: AsyncSession) -> None:
    shopper = await make_shopper(session)
    plenty, few, none = [await make_product(session, stock=pieces) for pieces in (9, 1, 0)]

    refused = await reservations.reserve(session, purchase(shopper), lines([(plenty, 1), (few, 2), (none, 1)]))
    await session.commit()

    assert isinstance(refused, list)
    assert {(short.variant_id, short.available) for short in refused} == {(few.variant_id, 1), (none.variant_id, 0)}
    assert [await stock_of(session, goods.variant_id) for goods in (plenty, few, none)] == [9, 1, 0]
    assert await number_of(session, Checkout) == 0


async def test_a_variant_that_is_gone_is_short(session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session)
    gone = Goods(goods.product_id, {("Sky", "M"): uuid4()})

    refused = await reservations.reserve(session, purchase(shopper), lines([(goods, 1), (gone, 1)]))

    assert refused == [reservations.Shortage(gone.variant_id, 0)]


async def test_two_buyers_and_the_last_piece(sessions: Sessions, session: AsyncSession) -> None:
    goods = await make_product(session, stock=1)
    ada, bob = await make_shopper(session), await make_shopper(session)

    async def buy(shopper: Shopper) -> bool:
        async with begin(sessions) as own:
            return isinstance(await reservations.reserve(own, purchase(shopper), lines([(goods, 1)])), UUID)

    bought = await asyncio.gather(buy(ada), buy(bob))

    assert sorted(bought) == [False, True]
    assert await stock_of(session, goods.variant_id) == 0


async def test_who_waits_for_a_lock_sees_the_stock_as_it_is_then(sessions: Sessions, session: AsyncSession) -> None:
    goods = await make_product(session, stock=5)
    ada, bob = await make_shopper(session), await make_shopper(session)
    async with sessions() as first, sessions() as second:
        await reservations.reserve(first, purchase(ada), lines([(goods, 3)]))
        waiting = asyncio.create_task(reservations.reserve(second, purchase(bob), lines([(goods, 3)])))
        await asyncio.sleep(0.2)
        await first.commit()

        refused = await waiting

    assert refused == [reservations.Shortage(goods.variant_id, 2)]


async def test_baskets_in_every_order_never_deadlock(sessions: Sessions, session: AsyncSession) -> None:
    shelf = [await make_product(session, stock=12) for _ in range(6)]
    shoppers = [await make_shopper(session) for _ in range(16)]

    async def buy(shopper: Shopper) -> bool:
        basket = random.sample(shelf, 4)
        async with begin(sessions) as own:
            result = await reservations.reserve(own, purchase(shopper), lines([(goods, 1) for goods in basket]))
        if not isinstance(result, UUID):
            return False
        async with begin(sessions) as own:
            return await checkouts.release(own, result)

    bought = await asyncio.gather(*(buy(shopper) for shopper in shoppers))

    assert all(bought)
    assert [await stock_of(session, goods.variant_id) for goods in shelf] == [12] * 6


@pytest.mark.parametrize("second", ["reserves", "releases", "takes again", "puts back"])
async def test_two_who_wait_for_a_third_do_not_deadlock(sessions: Sessions, session: AsyncSession, second: str) -> None:
    """An order that is being placed refers to the variant meanwhile, so versions of its row keep a lock."""
    goods = await make_product(session, stock=5)
    ada, bob, eve, dan = [await make_shopper(session) for _ in range(4)]
    before = await reservations.reserve(session, purchase(bob), lines([(goods, 1)]))
    assert isinstance(before, UUID)
    if second == "takes again":
        await checkouts.release(session, before)
    if second == "puts back":
        payment = ProviderPayment("cs_1", before, PaymentState.PAID, 4900, "usd", "pi_1")
        await orders.settle(session, payment, shop_url="https://minimal.test")
    await session.commit()

    async def reserve(shopper: Shopper) -> None:
        async with begin(sessions) as own:
            assert isinstance(await reservations.reserve(own, purchase(shopper), lines([(goods, 1)])), UUID)

    async def change() -> None:
        async with begin(sessions) as own:
            if second == "releases":
                assert await checkouts.release(own, before)
            elif second == "takes again":
                assert await reservations.take_again(own, before)
            else:
                line = (await own.execute(select(OrderLine.id, OrderLine.order_id))).one()
                assert await reservations.put_back_lines(own, line.order_id, {line.id: 1}, "cancellation")

    async with sessions() as placing, sessions() as first:
        referred = select(Variant.id).where(Variant.id == goods.variant_id).with_for_update(read=True, key_share=True)
        await placing.execute(referred)
        await reservations.reserve(first, purchase(ada), lines([(goods, 1)]))
        changing = asyncio.create_task(reserve(dan) if second == "reserves" else change())
        await ended_or_blocked(changing, sessions, 1)
        last = asyncio.create_task(reserve(eve))
        await ended_or_blocked(last, sessions, 2)
        await first.commit()
        await asyncio.gather(changing, last)

    assert await stock_of(session, goods.variant_id) == {"reserves": 1, "takes again": 2}.get(second, 3)


async def test_reading_then_writing_sells_more_than_there_is(
    sessions: Sessions, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    shirt, jeans = await make_product(session, stock=3), await make_product(session, stock=3)
    shoppers = [await make_shopper(session) for _ in range(10)]

    async def sold(goods: Goods) -> int:
        async def buy(shopper: Shopper) -> None:
            async with begin(sessions) as own:
                await reservations.reserve(own, purchase(shopper), lines([(goods, 1)]))

        await asyncio.gather(*(buy(shopper) for shopper in shoppers))
        pieces = select(func.sum(CheckoutLine.quantity)).where(CheckoutLine.variant_id == goods.variant_id)
        return await session.scalar(pieces) or 0

    carefully = await sold(shirt)
    await session.execute(text("UPDATE checkouts SET status = 'released'"))
    await session.commit()
    monkeypatch.setattr(reservations, "reserve", naive.reserve)
    naively = await sold(jeans)

    assert carefully == 3
    assert naively > 3


async def test_stock_is_given_back_once(sessions: Sessions, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=2)
    checkout_id = await reservations.reserve(session, purchase(shopper), lines([(goods, 2)]))
    await session.commit()
    assert isinstance(checkout_id, UUID)

    async def release() -> bool:
        async with begin(sessions) as own:
            return await checkouts.release(own, checkout_id)

    released = await asyncio.gather(*(release() for _ in range(4)))

    assert sorted(released) == [False, False, False, True]
    assert await stock_of(session, goods.variant_id) == 2


async def test_replacing_a_checkout_moves_exactly_the_difference(session: AsyncSession) -> None:
    """Forty random changes of a basket: nothing is made or lost, and what was held counts as there."""
    shopper = await make_shopper(session)
    shelf = [await make_product(session, stock=4) for _ in range(3)]
    dice = random.Random(7)
    replaced: UUID | None = None
    held = [0, 0, 0]
    granted = refused = 0

    for _ in range(40):
        quantities = [dice.randint(0, 5) for _ in shelf]
        new_lines = lines([(goods, pieces) for goods, pieces in zip(shelf, quantities, strict=True) if pieces])
        if not new_lines:
            continue
        if replaced is not None:
            await session.execute(update(Checkout).where(Checkout.id == replaced).values(status="released"))
        result = await reservations.reserve(session, purchase(shopper), new_lines, replaced=replaced)
        if isinstance(result, UUID):
            await session.commit()
            replaced, held, granted = result, quantities, granted + 1
        else:
            await session.rollback()
            refused += 1
        assert isinstance(result, UUID) == all(pieces <= 4 for pieces in quantities)
        assert [await stock_of(session, goods.variant_id) for goods in shelf] == [4 - pieces for pieces in held]

    assert min(granted, refused) > 5

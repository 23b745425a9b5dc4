"""Discount codes: to whom they apply, and that only one shopper gets the last use."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession

from server.cart import service as cart
from server.cart.models import Cart
from server.orders import checkouts
from server.orders.checkouts import Buyer
from server.orders.models import Checkout, Order
from server.platform.core.db import Sessions, begin
from server.pricing import codes
from server.pricing.errors import CodeRefused, CodeUnknown
from server.pricing.models import DiscountCode
from server.pricing.promotions import AmountOff, MinSubtotal, PercentOff, Promotion
from tests.cart.stock import Shopper, make_product, make_shopper

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


async def make_code(session: AsyncSession, code: str = "WELCOME10", **facts: Any) -> None:
    session.add(DiscountCode(code=code, **{"promotion": Promotion(PercentOff(10))} | facts))
    await session.commit()


async def filled(session: AsyncSession, pieces: int = 2, price: int = 5_000) -> Shopper:
    """A shopper with so many pieces in the cart."""
    shopper, goods = await make_shopper(session), await make_product(session, price=price, stock=100)
    await cart.add_line(session, shopper.id, goods.variant_id, pieces)
    await session.commit()
    return shopper


async def hold(sessions: Sessions, shopper: Shopper) -> Checkout:
    async with begin(sessions) as own:
        return (await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None)).checkout


@pytest.mark.parametrize("typed", ["WELCOME10", "welcome10", "  Welcome10 "])
async def test_case_and_spaces_around_do_not_matter(session: AsyncSession, typed: str) -> None:
    await make_code(session)
    shopper = await filled(session)

    basket = await cart.use_code(session, shopper.id, typed)

    assert basket.code is not None
    assert (basket.code.code, basket.discount_cents, basket.code.problem) == ("WELCOME10", 1_000, None)


@pytest.mark.parametrize("typed", ["", "NO SUCH", "x" * 50, "a\x00b", "\uff37ELCOME10", "WELCOME1"])
async def test_words_that_are_no_code_do_not_exist(session: AsyncSession, typed: str) -> None:
    await make_code(session)
    shopper = await filled(session)

    with pytest.raises(CodeUnknown, match="This code does not exist"):
        await cart.use_code(session, shopper.id, typed)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"is_active": False}, "This code has ended."),
        ({"ends_at": NOW - DAY}, "This code has ended."),
        ({"starts_at": NOW + DAY}, "This code does not count yet."),
    ],
)
async def test_a_code_counts_in_its_time_only(session: AsyncSession, facts: dict[str, Any], said: str) -> None:
    await make_code(session, **facts)
    shopper = await filled(session)

    with pytest.raises(CodeRefused) as refusal:
        await cart.use_code(session, shopper.id, "WELCOME10")

    assert str(refusal.value) == said


async def test_a_code_that_wants_a_larger_cart_stays_and_says_so_until_it_is(session: AsyncSession) -> None:
    await make_code(session, promotion=Promotion(AmountOff(2_500), (MinSubtotal(12_000),)))
    shopper = await filled(session)

    small = await cart.use_code(session, shopper.id, "WELCOME10")
    line = small.lines[0]
    large = await cart.set_quantity(session, shopper.id, line.variant_id, 3)

    assert small.code is not None
    assert (small.discount_cents, small.code.problem) == (0, "This code counts from $120.00. $20.00 to go.")
    assert large.code is not None
    assert (large.discount_cents, large.code.problem) == (2_500, None)


async def test_an_amount_takes_off_no_more_than_the_goods_cost(session: AsyncSession) -> None:
    await make_code(session, promotion=Promotion(AmountOff(50_000)))
    shopper = await filled(session)

    basket = await cart.use_code(session, shopper.id, "WELCOME10")

    assert basket.discount_cents == basket.subtotal_cents == 10_000


async def test_another_code_takes_the_place_and_none_can_be_taken_out(session: AsyncSession) -> None:
    await make_code(session)
    await make_code(session, "FIVE", promotion=Promotion(AmountOff(500)))
    shopper = await filled(session)

    await cart.use_code(session, shopper.id, "WELCOME10")
    second = await cart.use_code(session, shopper.id, "FIVE")
    without = await cart.drop_code(session, shopper.id)

    assert second.code is not None
    assert (second.code.code, second.discount_cents) == ("FIVE", 500)
    assert (without.code, without.discount_cents) == (None, 0)


async def test_an_open_checkout_holds_a_use_and_a_released_one_lets_it_go(
    sessions: Sessions, session: AsyncSession
) -> None:
    await make_code(session, max_uses=1)
    ada, bob = await filled(session), await filled(session)
    for shopper in (ada, bob):
        await cart.use_code(session, shopper.id, "WELCOME10")
    await session.commit()

    held = await hold(sessions, ada)
    with pytest.raises(CodeRefused, match="used up"):
        await hold(sessions, bob)
    async with begin(sessions) as own:
        await checkouts.release(own, held.id)
    second = await hold(sessions, bob)

    assert (held.total_cents, second.total_cents) == (9_000, 9_000)


async def test_a_shoppers_own_checkout_never_stands_in_their_way(sessions: Sessions, session: AsyncSession) -> None:
    await make_code(session, max_uses=1, max_uses_per_customer=1)
    shopper = await filled(session)
    await cart.use_code(session, shopper.id, "WELCOME10")
    await session.commit()

    first = await hold(sessions, shopper)
    again = await hold(sessions, shopper)

    assert again.id == first.id


async def test_an_order_keeps_its_use_unless_it_was_never_paid(session: AsyncSession) -> None:
    await make_code(session, max_uses=5, max_uses_per_customer=1)
    shopper = await filled(session)
    order = Order(
        user_id=shopper.id,
        email=shopper.email,
        payment_status="paid",
        total_cents=9_000,
        discount_cents=1_000,
        discount_code="WELCOME10",
        currency="usd",
        shipping_address={},
    )
    session.add(order)
    await session.flush()

    with pytest.raises(CodeRefused, match="You have used this code already"):
        await cart.use_code(session, shopper.id, "WELCOME10")
    await session.execute(update(Order).values(payment_status="failed"))
    basket = await cart.use_code(session, shopper.id, "WELCOME10")

    assert basket.discount_cents == 1_000


async def test_fifty_shoppers_race_for_the_last_use_and_exactly_one_gets_it(
    engine: AsyncEngine, sessions: Sessions, session: AsyncSession
) -> None:
    await make_code(session, max_uses=3)
    winners_before = [await filled(session) for _ in range(2)]
    racers = [await filled(session, pieces=1) for _ in range(50)]
    await session.execute(update(Cart).values(discount_code="WELCOME10"))
    await session.commit()
    for shopper in winners_before:
        await hold(sessions, shopper)

    async def race(shopper: Shopper) -> str:
        try:
            return "held at " + str((await hold(sessions, shopper)).total_cents)
        except CodeRefused as refusal:
            return str(refusal)

    outcomes = Counter(await asyncio.gather(*map(race, racers)))

    assert outcomes == {"held at 4500": 1, "This code has been used up.": 49}
    open_with_code = select(Checkout.id).where(Checkout.status == "open", Checkout.discount_code == "WELCOME10")
    assert len((await session.scalars(open_with_code)).all()) == 3


async def test_who_lost_the_race_has_the_pieces_back_on_the_shelf(sessions: Sessions, session: AsyncSession) -> None:
    await make_code(session, max_uses=1)
    ada, bob = await filled(session), await filled(session)
    await session.execute(update(Cart).values(discount_code="WELCOME10"))
    await session.commit()
    await hold(sessions, ada)

    with pytest.raises(CodeRefused):
        await hold(sessions, bob)

    basket = await cart.get(session, bob.id)
    assert [line.available for line in basket.lines] == [100]
    assert basket.code is not None
    assert basket.code.problem == codes.USED_UP


async def test_lines_of_a_checkout_keep_what_is_off_each_in_any_order_of_adding(
    sessions: Sessions, session: AsyncSession
) -> None:
    await make_code(session, promotion=Promotion(PercentOff(15)))
    shirt = await make_product(session, price=4_995, stock=100)
    jeans = await make_product(session, price=8_990, category="women_jeans", stock=100)
    discounts: list[dict[UUID, int]] = []
    for goods in ([shirt, jeans], [jeans, shirt]):
        shopper = await make_shopper(session)
        for each in goods:
            basket = await cart.add_line(session, shopper.id, each.variant_id, 1)
        assert {line.category for line in basket.lines} == {"men_shirts", "women_jeans"}
        basket = await cart.use_code(session, shopper.id, "WELCOME10")
        await session.commit()
        async with begin(sessions) as own:
            reserved = await checkouts.reserve(own, Buyer(shopper.id, shopper.email), None)
        assert tuple(line.discount_cents for line in reserved.lines) == basket.allocations[0].line_cents
        discounts.append({line.variant_id: line.discount_cents for line in reserved.lines})

    assert discounts == [{shirt.variant_id: 749, jeans.variant_id: 1_349}] * 2

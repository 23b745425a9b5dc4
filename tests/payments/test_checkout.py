"""Starting a checkout."""

import asyncio
from collections.abc import Sequence
from uuid import uuid4

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.errors import OutOfStock
from server.catalog.models import Product, Variant
from server.config import Settings
from server.identity.models import Address
from server.orders import checkouts, reservation_limits
from server.orders.checkouts import ReservedCheckout
from server.orders.errors import AddressMissing, AmountTooSmall, CartNotReady
from server.orders.models import Checkout, CheckoutLine, Order
from server.orders.service import CheckoutOutcome
from server.payments import provider_sessions
from server.payments import service as payments
from server.payments.errors import PaymentProviderDown
from server.payments.gateway import ProviderSession
from server.platform.core.db import begin
from server.platform.core.errors import NotFound, TooManyRequests
from server.platform.core.jobs import JobEnvironment
from tests.cart.stock import make_product, make_shopper, number_of, stock_of
from tests.payments.conftest import Till, secret_of
from tests.payments.provider import Provider


async def test_a_payment_holds_the_stock_and_asks_for_the_total_to_the_cent(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()

    session_at_provider = provider.session(checkout.stripe_session_id or "")
    assert (session_at_provider["amount_total"], session_at_provider["currency"], session_at_provider["status"]) == (
        9800,
        "usd",
        "open",
    )
    assert session_at_provider["client_secret"] == checkout.client_secret
    assert session_at_provider["expires_at"] == int(checkout.expires_at.timestamp())
    assert (
        session_at_provider["return_url"]
        == f"http://localhost:{provider.shop_port}/payment/return?session_id={{CHECKOUT_SESSION_ID}}"
    )
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_the_same_cart_asked_for_twice_gets_the_same_session(till: Till, session: AsyncSession) -> None:
    first = await till.start()

    second = await till.start()

    assert secret_of(second) == secret_of(first)
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_who_changes_the_cart_again_and_again_waits_before_another_session(
    till: Till, session: AsyncSession, provider: Provider
) -> None:
    till.env.resources.get(Settings).limits.abandoned_checkouts_per_account = 2
    opened = []
    for pieces in (1, 2, 1):
        await till.put(pieces)
        opened.append(await till.start())
    await till.put(2)

    with pytest.raises(TooManyRequests) as refusal:
        await till.start()
    await till.put(1)
    again = await till.start()

    assert refusal.value.retry_after == 600
    assert secret_of(again) == secret_of(opened[-1])
    assert provider.session(opened[-1].stripe_session_id or "")["status"] == "open"
    assert await number_of(session, Checkout) == 3
    await session.execute(update(Checkout).values(created_at=func.now() - reservation_limits.ABANDONED_WITHIN))
    await session.commit()
    await till.put(2)
    assert (await till.start()).status == "open"


async def test_two_tabs_at_once_get_the_same_session(till: Till, session: AsyncSession) -> None:
    opened = await asyncio.gather(*(till.start() for _ in range(5)))

    assert len({secret_of(checkout) for checkout in opened}) == 1
    assert await number_of(session, Checkout) == 1
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_a_changed_cart_closes_the_old_session_so_that_it_cannot_be_paid(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    old = await till.start()
    await till.put(4)

    new = await till.start()

    assert new.stripe_session_id != old.stripe_session_id
    assert provider.pay(old.stripe_session_id or "") == 409
    assert provider.session(old.stripe_session_id or "")["status"] == "expired"
    assert provider.session(new.stripe_session_id or "")["amount_total"] == 19600
    assert await stock_of(session, till.goods.variant_id) == 1


async def test_going_back_for_all_there_is_never_competes_with_ones_own_reservation(
    till: Till, session: AsyncSession
) -> None:
    await till.put(4)
    await till.start()

    await till.put(5)
    checkout = await till.start()

    assert checkout.total_cents == 24500
    assert await stock_of(session, till.goods.variant_id) == 0


async def test_tabs_with_a_changed_cart_agree_on_one_new_session(till: Till, session: AsyncSession) -> None:
    await till.start()
    await till.put(3)

    opened = await asyncio.gather(*(till.start() for _ in range(4)))

    assert len({secret_of(checkout) for checkout in opened}) == 1
    assert await stock_of(session, till.goods.variant_id) == 2


async def test_another_address_or_price_makes_another_session(till: Till, session: AsyncSession) -> None:
    first = await till.start()
    await session.execute(update(Product).where(Product.id == till.goods.product_id).values(price_cents=5000))
    await session.commit()
    second = await till.start()
    await session.execute(update(Address).where(Address.id == till.shopper.address_id).values(city="Leeds"))
    await session.commit()

    third = await till.start()

    assert len({secret_of(checkout) for checkout in (first, second, third)}) == 3
    assert (second.total_cents, third.shipping_address["city"]) == (10000, "Leeds")


async def test_an_old_session_that_was_paid_becomes_its_order_before_a_new_one_opens(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    old = await till.start()
    await till.put(3)
    assert provider.pay(old.stripe_session_id or "") == 200

    new = await till.start()

    [order] = (await session.scalars(select(Order))).all()
    assert (order.total_cents, order.stripe_session_id) == (9800, old.stripe_session_id)
    assert new.total_cents == 4900
    assert await till.in_cart() == [1]
    assert await stock_of(session, till.goods.variant_id) == 2


async def test_when_the_new_cart_cannot_be_had_the_old_reservation_goes_back(
    till: Till, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    await till.start()
    await till.put(5)
    close = payments._close

    async def closed_while_a_rival_buys(*given: object) -> object:
        closed = await close(*given)  # type: ignore[arg-type]
        await session.execute(update(Variant).where(Variant.id == till.goods.variant_id).values(stock=1))
        await session.commit()
        return closed

    monkeypatch.setattr(payments, "_close", closed_while_a_rival_buys)

    with pytest.raises((OutOfStock, CartNotReady)):
        await till.start()

    assert await stock_of(session, till.goods.variant_id) == 3
    assert await checkouts.open_checkout(session, till.shopper.id) is None


async def test_an_empty_cart_or_one_with_a_sold_out_line_cannot_be_checked_out(
    till: Till, session: AsyncSession
) -> None:
    await session.execute(update(Variant).where(Variant.id == till.goods.variant_id).values(stock=1))
    await session.commit()

    with pytest.raises(CartNotReady) as short:
        await till.start()
    async with begin(till.env.sessions) as own:
        await cart.remove_line(own, till.shopper.id, till.goods.variant_id)
    with pytest.raises(CartNotReady) as empty:
        await till.start()

    assert [line.problem is None for line in short.value.basket.lines] == [False]
    assert empty.value.basket.lines == ()
    assert await number_of(session, Checkout) == 0


@pytest.mark.spec("validation.checkout")
async def test_an_address_is_needed_and_has_to_be_ones_own(till: Till, session: AsyncSession) -> None:
    stranger = await make_shopper(session)

    with pytest.raises(NotFound):
        await payments.start_checkout(till.env, till.buyer, stranger.address_id)
    with pytest.raises(NotFound):
        await payments.start_checkout(till.env, till.buyer, uuid4())
    await session.execute(text("DELETE FROM addresses"))
    await session.commit()
    with pytest.raises(AddressMissing) as missing:
        await till.start()

    assert str(missing.value) == "Please select a delivery address"
    assert await stock_of(session, till.goods.variant_id) == 5


@pytest.mark.parametrize("price", [1, 49])
async def test_totals_of_one_to_49_cents_are_refused_before_the_provider_hears_of_them(
    till: Till, session: AsyncSession, price: int
) -> None:
    await till.put(1)
    await session.execute(update(Product).where(Product.id == till.goods.product_id).values(price_cents=price))
    await session.commit()

    with pytest.raises(AmountTooSmall) as refusal:
        await till.start()

    assert refusal.value.minimum_cents == 50
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_fifty_cents_can_be_paid(till: Till, session: AsyncSession) -> None:
    await till.put(1)
    await session.execute(update(Product).where(Product.id == till.goods.product_id).values(price_cents=50))
    await session.commit()

    assert (await till.start()).total_cents == 50


async def test_nothing_stays_reserved_when_the_provider_does_not_answer(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    provider.fail("unavailable", 3, path="/v1/checkout/sessions")

    with pytest.raises(PaymentProviderDown):
        await till.start()

    assert await stock_of(session, till.goods.variant_id) == 5
    checkout = await till.start()
    assert checkout.client_secret is not None
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_a_checkout_whose_process_died_resumes_with_the_same_session(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    async with begin(till.env.sessions) as own:
        reservation = await checkouts.reserve(own, till.buyer, None)
    lost = await provider_sessions.session_of(till.env, reservation)

    taken_up = await till.start()

    assert (taken_up.id, taken_up.stripe_session_id) == (reservation.checkout.id, lost.id)
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_many_lines_cost_what_their_sum_costs(till: Till, provider: Provider, session: AsyncSession) -> None:
    for price, discounted, quantity in ((1999, None, 3), (3333, 1111, 2), (101, None, 7)):
        goods = await make_product(session, price=price, discounted=discounted, stock=9)
        await cart.add_line(session, till.shopper.id, goods.variant_id, quantity)
    await session.commit()

    checkout = await till.start()

    assert checkout.total_cents == 9800 + 5997 + 2222 + 707
    assert provider.session(checkout.stripe_session_id or "")["amount_total"] == 18726


async def test_the_card_form_shows_what_is_bought(till: Till, provider: Provider, session: AsyncSession) -> None:
    goods = await make_product(session, name="Linen Shirt", pictures=True)
    await cart.add_line(session, till.shopper.id, goods.variant_id)
    await session.commit()

    checkout = await till.start()

    shirt, linen = provider.products_of(checkout.stripe_session_id or "")
    [line] = [line for line in await lines_of(session, checkout) if line.image_id]
    assert (shirt["name"], shirt["description"], shirt["images"]) == ("Oxford Shirt", "Indigo, M", [])
    assert linen["name"] == "Linen Shirt"
    assert linen["images"] == [f"http://localhost:{provider.shop_port}/images/{line.image_id}/180.jpg"]


async def lines_of(session: AsyncSession, checkout: Checkout) -> Sequence[CheckoutLine]:
    return await checkouts.lines_of(session, checkout.id)


async def test_a_session_that_the_provider_no_longer_knows_does_not_stand_in_the_way(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    lost = await till.start()
    provider.tell("/_control/reset")
    provider.quiet()
    settled = await payments.complete_checkout(till.env, till.shopper.id, lost.stripe_session_id or "")
    await till.put(3)

    checkout = await till.start()

    assert settled.outcome is CheckoutOutcome.WAITING
    assert provider.session(checkout.stripe_session_id or "")["amount_total"] == 14700
    assert await stock_of(session, till.goods.variant_id) == 2


async def test_the_sweep_frees_what_the_provider_no_longer_knows(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    await till.start()
    provider.tell("/_control/reset")
    provider.quiet()
    await session.execute(update(Checkout).values(check_at=func.now()))
    await session.commit()

    await payments.sweep(till.env)

    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_key_that_was_used_for_something_else_is_let_go(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    async with begin(till.env.sessions) as own:
        reservation = await checkouts.reserve(own, till.buyer, None)
    await provider_sessions.session_of(till.env, reservation)
    await session.execute(update(Checkout).values(email="another@minimal.test"))
    await session.commit()

    with pytest.raises(PaymentProviderDown):
        await till.start()
    checkout = await till.start()

    assert checkout.id != reservation.checkout.id
    assert await stock_of(session, till.goods.variant_id) == 3


async def test_a_checkout_that_gets_its_session_while_it_is_replaced_is_closed_first(
    till: Till, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with begin(till.env.sessions) as own:
        first = (await checkouts.reserve(own, till.buyer, None)).checkout
    await till.put(3)
    session_of = provider_sessions.session_of

    async def fail_after_another_request(env: JobEnvironment, held: ReservedCheckout) -> ProviderSession:
        monkeypatch.setattr(payments, "session_of", session_of)
        provider_session = await session_of(env, held)
        async with begin(env.sessions) as own:
            assert await checkouts.attach_session(
                own, held.checkout.id, provider_session.id, provider_session.client_secret or ""
            )
        raise PaymentProviderDown

    monkeypatch.setattr(payments, "session_of", fail_after_another_request)
    second = await till.start()

    statuses = {each["client_reference_id"]: each["status"] for each in provider.ledger("sessions")}
    assert [statuses[str(each.id)] for each in (first, second)] == ["expired", "open"]
    assert await stock_of(session, till.goods.variant_id) == 2

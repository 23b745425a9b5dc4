"""The provider charges exactly the shop's total, over its real HTTP interface."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.catalog.models import Product, Variant
from server.config import Settings
from server.mail.models import Mail
from server.orders import checkouts
from server.orders.checkouts import ReservedCheckout
from server.orders.errors import AmountTooSmall
from server.orders.models import Checkout, CheckoutLine, Order, OrderLine
from server.payments import provider_sessions
from server.payments import service as payments
from server.platform.core.jobs import JobEnvironment
from server.pricing.errors import CodeRefused, NoDelivery
from server.pricing.models import DeliveryCountry, DeliveryRate, DeliveryZone, DiscountCode, TaxRate
from server.pricing.promotions import AmountOff, PercentOff, Promotion
from server.pricing.shipping_rates import read_shipping_rates
from server.pricing.totals import TaxRule, add_up
from server.shop import service as shop
from tests.cart.stock import make_product
from tests.payments.conftest import Till
from tests.payments.provider import Provider
from tests.pricing.rules import amount_off


@dataclass(frozen=True)
class Case:
    lines: list[tuple[int, int]]
    discount: int
    shipping: int
    tax: TaxRule | None


Cases = st.builds(
    Case,
    lines=st.lists(st.tuples(st.integers(1, 40_000), st.integers(1, 9)), min_size=1, max_size=12),
    discount=st.integers(0, 30_000),
    shipping=st.integers(0, 5_000),
    tax=st.none()
    | st.builds(
        TaxRule,
        name=st.just("VAT"),
        basis_points=st.integers(1, 2_700),
        on_delivery=st.booleans(),
        included=st.booleans(),
    ),
)


def reserved(case: Case) -> ReservedCheckout | None:
    """The checkout that such a cart makes; None where the provider takes nothing so small."""
    amounts = [price * quantity for price, quantity in case.lines]
    sums = add_up(amounts, allocations=amount_off(case.discount, amounts), shipping_cents=case.shipping, tax=case.tax)
    if 0 < sums.total_cents < 50:
        return None
    checkout = Checkout(
        id=uuid4(),
        email="ada@minimal.test",
        currency="usd",
        total_cents=sums.total_cents,
        discount_code="CODE" if sums.discount_cents else None,
        discount_cents=sums.discount_cents,
        shipping_cents=sums.shipping_cents,
        tax_cents=sums.tax_cents,
        tax_included=sums.tax_included,
        tax_name="VAT" if case.tax else "",
        tax_basis_points=case.tax.basis_points if case.tax else 0,
        delivery_name="Europe",
        delivery_min_days=0,
        delivery_max_days=3,
        expires_at=datetime.now(UTC) + timedelta(minutes=35),
    )
    lines = [
        CheckoutLine(name="Shirt", color="Sky", size="M", quantity=quantity, unit_price_cents=price)
        for price, quantity in case.lines
    ]
    return ReservedCheckout(checkout, lines)


@given(case=Cases)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whatever_a_total_is_made_of_the_provider_comes_to_the_same(
    env: JobEnvironment, provider: Provider, case: Case
) -> None:
    held = reserved(case)
    if held is None:
        return

    session = await provider_sessions.session_of(env, held)

    assert session.amount_total == held.checkout.total_cents
    session_at_provider = provider.session(session.id)
    assert session_at_provider["total_details"]["amount_discount"] == held.checkout.discount_cents
    assert session_at_provider["total_details"]["amount_shipping"] == held.checkout.shipping_cents


async def charge_everything(session: AsyncSession, *, basis_points: int = 2_000, percent: int = 10) -> None:
    """Delivery to the United Kingdom for $12.00 in 3 to 5 days, VAT on it all, and a code."""
    zone = DeliveryZone(name="Europe", min_days=3, max_days=5)
    session.add(zone)
    await session.flush()
    session.add_all(
        [
            DeliveryCountry(country="GB", zone_id=zone.id),
            DeliveryRate(zone_id=zone.id, minimum=0, price_cents=1_200),
            TaxRate(country="GB", name="VAT", basis_points=basis_points),
            DiscountCode(code="WELCOME10", promotion=Promotion(PercentOff(percent))),
        ]
    )
    await session.commit()


async def test_everything_at_once_is_the_same_at_the_till_on_the_order_and_in_the_mail(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    await charge_everything(session)
    await cart.use_code(session, till.shopper.id, "welcome10")
    await session.commit()

    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "")
    await payments.complete_checkout(till.env, till.shopper.id, checkout.stripe_session_id or "")

    order = (await session.scalars(select(Order))).one()
    # 98.00 - 9.80 + 12.00 = 100.20, and 20% on that.
    assert (order.subtotal_cents, order.discount_cents, order.shipping_cents, order.tax_cents, order.total_cents) == (
        9_800,
        980,
        1_200,
        2_004,
        12_024,
    )
    session_at_provider = provider.session(checkout.stripe_session_id or "")
    assert (session_at_provider["amount_total"], session_at_provider["total_details"]["amount_discount"]) == (
        12_024,
        980,
    )
    line = (await session.scalars(select(OrderLine))).one()
    assert (line.discount_cents, line.tax_cents) == (980, 1_764)
    mail = (await session.scalars(select(Mail.text_body))).one()
    assert (
        "Subtotal: $98.00\nDiscount, WELCOME10: -$9.80\nDelivery, Europe: $12.00\nVAT 20%: $20.04\nTotal: $120.24"
    ) in mail
    assert (await cart.get(session, till.shopper.id)).code is None


async def test_a_tax_in_the_prices_is_told_and_not_added(till: Till, provider: Provider, session: AsyncSession) -> None:
    await charge_everything(session)
    await shop.change(session, None, {"prices_include_tax": True}, till.env.resources.get(Settings))
    await session.commit()

    checkout = await till.start()

    assert (checkout.total_cents, checkout.tax_cents, checkout.tax_included) == (11_000, 1_833, True)
    assert provider.session(checkout.stripe_session_id or "")["amount_total"] == 11_000


async def test_a_changed_tariff_or_code_closes_the_payment_that_was_open(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    await charge_everything(session)
    first = await till.start()

    await session.execute(update(DeliveryRate).values(price_cents=900))
    await session.commit()
    second = await till.start()

    assert (first.total_cents, second.total_cents) == (13_200, 12_840)
    assert provider.session(first.stripe_session_id or "")["status"] == "expired"


async def test_a_code_for_all_of_it_needs_no_card(till: Till, provider: Provider, session: AsyncSession) -> None:
    session.add(DiscountCode(code="GIFT", promotion=Promotion(PercentOff(100))))
    await session.flush()
    await cart.use_code(session, till.shopper.id, "GIFT")
    await session.commit()

    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "", card="")
    settled = await payments.complete_checkout(till.env, till.shopper.id, checkout.stripe_session_id or "")

    assert (checkout.total_cents, settled.order and settled.order.payment_status) == (0, "paid")


async def test_a_code_that_leaves_less_than_a_card_takes_is_refused_before_the_provider(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    session.add(DiscountCode(code="NEARLY", promotion=Promotion(AmountOff(9_760))))
    await session.flush()
    await cart.use_code(session, till.shopper.id, "NEARLY")
    await session.commit()
    before = len(provider.ledger("sessions"))

    with pytest.raises(AmountTooSmall):
        await till.start()

    assert len(provider.ledger("sessions")) == before


async def test_a_code_that_no_longer_counts_is_said_and_not_dropped_in_silence(
    till: Till, session: AsyncSession
) -> None:
    await charge_everything(session)
    await cart.use_code(session, till.shopper.id, "WELCOME10")
    await session.execute(update(DiscountCode).values(is_active=False))
    await session.commit()

    with pytest.raises(CodeRefused, match="This code has ended"):
        await till.start()


async def test_where_the_shop_does_not_deliver_nothing_is_held(till: Till, session: AsyncSession) -> None:
    await charge_everything(session)
    await session.execute(update(DeliveryCountry).values(country="DE"))
    await session.commit()

    with pytest.raises(NoDelivery, match="We do not deliver to United Kingdom yet"):
        await till.start()

    assert (await session.scalars(select(Checkout))).all() == []


async def test_a_line_that_cannot_be_bought_adds_no_weight_to_the_parcel(till: Till, session: AsyncSession) -> None:
    sold_out = await make_product(session, name="Winter Coat", stock=1)
    await cart.add_line(session, till.shopper.id, sold_out.variant_id, 1)
    await session.execute(update(Product).where(Product.id == sold_out.product_id).values(weight_grams=5_000))
    await session.execute(update(Variant).where(Variant.id == sold_out.variant_id).values(stock=0))
    freight = DeliveryZone(name="Everywhere", is_rest=True, basis="weight", position=0)
    session.add(freight)
    await session.flush()
    session.add_all(DeliveryRate(zone_id=freight.id, minimum=grams, price_cents=grams) for grams in (0, 800, 801))
    await session.commit()

    async with till.env.sessions() as own:
        charges = checkouts.ExtraCharges(await read_shipping_rates(own), prices_include_tax=False)
        quoted = await checkouts.quote(own, till.shopper.id, None, charges)

    assert (quoted.sums.subtotal_cents, quoted.sums.shipping_cents) == (9_800, 800)

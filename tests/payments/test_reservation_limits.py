"""What one account may reserve without paying: cases, a greedy crowd, and an honest one."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, func, insert, literal, select, true, update
from sqlalchemy.ext.asyncio import AsyncSession

from demo import catalogue
from server.cart.models import Cart, CartLine
from server.catalog.models import Variant
from server.config import Settings
from server.orders import checkouts, reservation_limits
from server.orders.checkouts import Buyer
from server.orders.errors import CheckoutPaused, ReservationTooLarge
from server.orders.models import Checkout, CheckoutLine, Order
from server.orders.reservation_limits import ReservationLimits
from server.payments import cancellations as payment_cancellations
from server.platform.core.db import begin
from server.platform.core.errors import StoreError
from server.platform.core.jobs import JobEnvironment
from tests.cart.stock import Shopper, make_product
from tests.payments.canceled_orders import cancel
from tests.payments.checkout_documents import START
from tests.payments.conftest import OpenShop, Till
from tests.payments.crowds import with_carts
from tests.payments.greedy_accounts import CART_SIZES, GREEDY, stock_like_the_demo
from tests.payments.paid_orders import bought
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN, SHOP

HOUR = timedelta(hours=1)
SMALL = ReservationLimits(
    pieces_of_variant=6, variants=8, pieces=16, value_cents=400_000, unpaid=8 * HOUR, cancellations=2
)
"""A quarter of it: 2 variants, 4 pieces, $1,000, two hours."""


REFUSED = "__typename ... on UserError { message field } ... on TooManyPieces { limit }"
ADD, SET = (
    f"mutation ($variant: ID!, $quantity: Int!) {{ {name}(variantId: $variant, quantity: $quantity) {{ {REFUSED} }} }}"
    for name in ("addToCart", "setCartQuantity")
)


async def reserve(
    env: JobEnvironment, shopper: Shopper, limits: ReservationLimits = SMALL, replaced: UUID | None = None
) -> Checkout:
    async with begin(env.sessions) as own:
        reservation = await checkouts.reserve(
            own, Buyer(shopper.id, shopper.email), None, limits=limits, replaced=replaced
        )
        return reservation.checkout


async def fill(session: AsyncSession, variants: int, pieces: int, price: int) -> Shopper:
    """A new account with so many different variants, and so many pieces of each, in its cart."""
    goods = [await make_product(session, name=f"Shirt {each}", price=price, stock=100) for each in range(variants)]
    [shopper] = await with_carts(session, [[each.variant_id for each in goods]])
    await session.execute(update(CartLine).values(quantity=pieces))
    await session.commit()
    return shopper


async def add_paid_order(session: AsyncSession, shopper: Shopper, **changes: object) -> None:
    facts = {"payment_status": "paid", "total_cents": 4_900, "currency": "usd", "shipping_address": {}, **changes}
    session.add(Order(user_id=shopper.id, email=shopper.email, **facts))
    await session.commit()


@pytest.mark.parametrize(
    ("variants", "pieces", "price", "has_paid", "refusal"),
    [
        (1, 1, 5_000_000, False, None),
        (2, 2, 4_900, False, None),
        (3, 1, 4_900, False, "At most 2 different items fit into your first order. Please take some out."),
        (1, 5, 4_900, False, "At most 4 items fit into your first order. Please take some out."),
        (2, 1, 60_000, False, "Items of at most $1,000.00 fit into your first order. Please take some out."),
        (1, 7, 4_900, False, "At most 6 of Shirt 0 can be bought in one order."),
        (8, 2, 4_900, True, None),
        (9, 1, 4_900, True, "At most 8 different items fit into one order. Please take some out."),
        (4, 5, 4_900, True, "At most 16 items fit into one order. Please take some out."),
        (2, 1, 250_000, True, "Items of at most $4,000.00 fit into one order. Please take some out."),
        (1, 7, 4_900, True, "At most 6 of Shirt 0 can be bought in one order."),
    ],
)
async def test_which_carts_an_account_may_reserve(
    env: JobEnvironment,
    session: AsyncSession,
    variants: int,
    pieces: int,
    price: int,
    has_paid: bool,
    refusal: str | None,
) -> None:
    shopper = await fill(session, variants, pieces, price)
    if has_paid:
        await add_paid_order(session, shopper)

    said = None
    try:
        await reserve(env, shopper)
    except ReservationTooLarge as error:
        said = str(error)

    assert said == refusal


@pytest.mark.parametrize("changes", [{"payment_status": "refunded"}, {"canceled_at": func.now()}])
async def test_an_order_that_was_given_back_is_no_payment(
    env: JobEnvironment, session: AsyncSession, changes: dict[str, object]
) -> None:
    shopper = await fill(session, 3, 1, 4_900)
    await add_paid_order(session, shopper, **changes)

    with pytest.raises(ReservationTooLarge, match="At most 2 different items"):
        await reserve(env, shopper)


async def test_items_whose_payment_is_under_way_count(env: JobEnvironment, session: AsyncSession) -> None:
    shopper = await fill(session, 2, 2, 4_900)
    await reserve(env, shopper)
    await session.execute(update(Checkout).values(status="processing"))
    await session.commit()

    with pytest.raises(ReservationTooLarge, match="At most 4 items"):
        await reserve(env, shopper)


async def age(session: AsyncSession, duration: timedelta) -> None:
    """Moves the checkouts into the past by what they lasted."""
    await session.execute(
        update(Checkout).values(created_at=Checkout.created_at - duration, expires_at=Checkout.expires_at - duration)
    )
    await session.commit()


async def renew(env: JobEnvironment, session: AsyncSession, shopper: Shopper, seconds: float = 35 * 60) -> Checkout:
    """Reserves, and lets the reservation end by itself."""
    checkout = await reserve(env, shopper)
    await age(session, timedelta(seconds=seconds))
    async with begin(env.sessions) as own:
        assert await checkouts.release(own, checkout.id)
    return checkout


async def test_renewals_end_but_for_a_single_item(env: JobEnvironment, session: AsyncSession) -> None:
    shopper = await fill(session, 1, 2, 4_900)
    for _ in range(4):
        await renew(env, session, shopper)

    with pytest.raises(CheckoutPaused) as refusal:
        await reserve(env, shopper)
    await session.execute(update(CartLine).values(quantity=1))
    await session.commit()
    await renew(env, session, shopper)
    await reserve(env, shopper)

    assert refusal.value.retry_after == pytest.approx((24 * HOUR - 4 * 35 * HOUR / 60).total_seconds(), abs=60)
    assert str(refusal.value) == (
        "You have reserved items for hours without paying. Please try again in 22 hours, or buy a single item now."
    )


async def test_a_checkout_that_is_given_up_at_once_costs_no_time(env: JobEnvironment, session: AsyncSession) -> None:
    shopper = await fill(session, 1, 2, 4_900)
    for _ in range(10):
        checkout = await reserve(env, shopper)
        async with begin(env.sessions) as own:
            await checkouts.release(own, checkout.id)

    assert (await reserve(env, shopper)).status == "open"


async def test_buying_and_canceling_in_a_loop_pauses_the_account(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    settings = till.env.resources.get(Settings)
    settings.limits.cancellations_per_account = 2
    for _ in range(2):
        await cancel(till, await bought(till, provider))
        await refill(till)

    with pytest.raises(CheckoutPaused) as refusal:
        await till.start()
    await session.execute(update(Order).values(canceled_at=Order.canceled_at - timedelta(days=1)))
    await session.commit()

    assert refusal.value.status == 429
    assert str(refusal.value) == "You have canceled several orders. Please try again in 24 hours."
    assert (await till.start()).status == "open"


async def test_orders_that_the_shop_cancels_pause_nobody(till: Till, provider: Provider) -> None:
    till.env.resources.get(Settings).limits.cancellations_per_account = 1
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        await payment_cancellations.cancel_as_shop(own, order.id, "Sold out.", actor=ADMIN, shop_url=SHOP)
    await refill(till)

    assert (await till.start()).status == "open"


async def refill(till: Till) -> None:
    await put(till.env, till.shopper, [till.goods.variant_id], 1)


async def put(env: JobEnvironment, shopper: Shopper, variants: Sequence[UUID], most: int) -> None:
    """Fills a cart anew, with all pieces of each variant, but at most so many."""
    pieces = select(Cart.id, Variant.id, func.least(Variant.stock, most), literal(4900))
    pieces = pieces.join_from(Cart, Variant, true()).where(Cart.user_id == shopper.id)
    new = insert(CartLine).from_select(
        ["cart_id", "variant_id", "quantity", "seen_price_cents"], pieces.where(Variant.id.in_(variants))
    )
    async with begin(env.sessions) as own:
        await own.execute(
            delete(CartLine).where(CartLine.cart_id.in_(select(Cart.id).where(Cart.user_id == shopper.id)))
        )
        await own.execute(new)


@pytest.mark.parametrize(
    ("quantity", "setting", "typename", "status"),
    [(3, "max_pieces_per_variant", "ReservationTooLarge", 409), (2, "unpaid_hours_per_account", "CheckoutPaused", 429)],
)
async def test_refusals_are_data_in_graphql_and_statuses_in_rest(
    open_shop: OpenShop, session: AsyncSession, quantity: int, setting: str, typename: str, status: int
) -> None:
    shopper = await fill(session, 1, quantity, 4_900)
    customer = await open_shop.let_in(shopper)
    of = open_shop.settings if setting == "max_pieces_per_variant" else open_shop.settings.limits
    setattr(of, setting, 0 if setting == "unpaid_hours_per_account" else 2)

    started = (await customer.ask(START))["startCheckout"]
    rest = await customer.browser.post("/api/payment/create-checkout-session", json={})

    assert started["__typename"] == typename
    assert (rest.status_code, rest.json()["message"]) == (status, started["message"])
    assert ("retry-after" in rest.headers) is (status == 429)


@pytest.mark.parametrize("document", [ADD, SET])
async def test_the_cart_refuses_what_one_order_may_not_have(
    open_shop: OpenShop, session: AsyncSession, document: str
) -> None:
    open_shop.settings.max_pieces_per_variant = 2
    shopper = await fill(session, 1, 1, 4_900)
    customer = await open_shop.let_in(shopper)
    variant = await session.scalar(select(CartLine.variant_id))
    product = await session.scalar(select(Variant.product_id).where(Variant.id == variant))

    [refused] = (await customer.ask(document, variant=str(variant), quantity=3)).values()
    added = await customer.browser.post("/api/cart", json={"productId": str(product), "quantity": 2})
    put = await customer.browser.put(f"/api/cart/{variant}", json={"quantity": 3})
    granted = await customer.browser.put(f"/api/cart/{variant}", json={"quantity": 2})

    said = "At most 2 of one item can be ordered at once."
    assert refused == {"__typename": "TooManyPieces", "message": said, "field": "quantity", "limit": 2}
    assert [(answer.status_code, answer.json()["message"]) for answer in (added, put)] == [(409, said)] * 2
    assert [item["quantity"] for item in granted.json()["items"]] == [2]
    assert (await customer.ask("{ shop { limits { piecesPerVariant } } }"))["shop"]["limits"] == {"piecesPerVariant": 2}


async def greedy_share(env: JobEnvironment, session: AsyncSession, limits: ReservationLimits) -> float:
    """The share of the demo's pieces that nine new accounts have reserved when each has tried every size of cart."""
    goods = await stock_like_the_demo(session)
    share = len(goods) // GREEDY
    carts = [goods[each * share : (each + 1) * share][:90] for each in range(GREEDY)]
    shoppers = await with_carts(session, carts)
    for shopper, cart in zip(shoppers, carts, strict=True):
        await take_what_is_granted(env, session, shopper, cart, limits)
    reserved = await session.scalar(select(func.sum(CheckoutLine.quantity)))
    return int(reserved or 0) / sum(sum(product.stock.values()) for product in catalogue.products())


async def take_what_is_granted(
    env: JobEnvironment, session: AsyncSession, shopper: Shopper, cart: Sequence[UUID], limits: ReservationLimits
) -> None:
    """Reserves the largest cart that is granted: from 90 variants with all their pieces down to one piece."""
    for variants, pieces in CART_SIZES:
        await put(env, shopper, cart[:variants], pieces)
        try:
            await reserve(env, shopper, limits)
        except StoreError:
            continue
        return


async def test_nine_greedy_accounts_hold_less_than_a_twentieth_of_the_shop(
    env: JobEnvironment, session: AsyncSession
) -> None:
    assert 0 < await greedy_share(env, session, ReservationLimits()) < 0.05


async def test_without_the_bounds_nine_accounts_hold_most_of_the_shop(
    env: JobEnvironment, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def allow(*_given: object, **_named: object) -> None:
        """The guard is away."""

    monkeypatch.setattr(reservation_limits, "check", allow)

    assert await greedy_share(env, session, ReservationLimits()) > 0.9

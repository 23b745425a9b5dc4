"""Checkouts: the stock of a whole cart is reserved for one payment, and released again.

Locks are taken in one order everywhere to avoid deadlocks: the shopper's account (against deletion), cart, checkouts,
orders, refunds, discount codes, products, variants; the last two by id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import case, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.errors import OutOfStock
from server.cart.queries import CartContents
from server.identity import service as identity
from server.orders import reservation_limits, reservations
from server.orders.errors import AddressMissing, AmountTooSmall, CartNotReady, OtherCheckoutOpen
from server.orders.models import Checkout, CheckoutLine
from server.orders.reservation_limits import ReservationLimits
from server.orders.states import HOLDING, CheckoutStatus
from server.platform.core import clock, countries, money
from server.platform.core.errors import NotFound
from server.pricing import codes
from server.pricing.errors import CodeRefused
from server.pricing.shipping_rates import ShippingOption, ShippingRates
from server.pricing.totals import TaxRule, Totals, add_up

MINIMUM_CENTS = 50
"""Stripe's smallest charge in USD; a total of zero needs no charge."""
HELD_FOR = timedelta(minutes=35)
"""A Stripe session lasts at least 30 minutes; the rest is time for retries."""
LEAST_LEFT = timedelta(minutes=5)
"""A checkout with less time left is not reused."""
FIRST_LOOK = timedelta(seconds=60)
"""After this the sweep asks the provider about a checkout; one still being started is finished by then."""
LONGEST_PAUSE = timedelta(minutes=10)
ADDRESS_FIELDS = ("name", "address1", "address2", "city", "state", "country", "country_code", "postal_code", "phone")
"""Of an order's copy of its address. The country stands in words, as the parcel has it, and as an ISO 3166 code."""


@dataclass(frozen=True)
class Buyer:
    """The account that pays."""

    user_id: UUID
    email: str


@dataclass(frozen=True)
class CartQuote:
    """The total of a cart at an address, with everything it was computed from."""

    basket: CartContents
    address: dict[str, Any]
    delivery: ShippingOption
    tax: TaxRule | None
    sums: Totals


@dataclass(frozen=True)
class ReservedCheckout:
    """A checkout with its lines, in the order of the cart."""

    checkout: Checkout
    lines: Sequence[CheckoutLine]


@dataclass(frozen=True)
class ExtraCharges:
    """Rates for delivery and tax, and whether prices include tax."""

    rates: ShippingRates
    prices_include_tax: bool


LIMITS = ReservationLimits()
NO_CHARGES = ExtraCharges(ShippingRates((), {}), prices_include_tax=False)
"""Of a shop without settings: delivery is free and there is no tax."""


async def quote(session: AsyncSession, user_id: UUID, address_id: UUID | None, charges: ExtraCharges) -> CartQuote:
    """The cart's current total, delivered to this address. Raises AddressMissing, NotFound or NoDelivery.

    Lines that cannot be bought do not count.
    """
    address = await _address(session, user_id, address_id)
    basket = await cart.get(session, user_id)
    terms = charges.rates.terms(address["country_code"], prices_include_tax=charges.prices_include_tax)
    shipping_option = terms.delivery(basket.subtotal_cents - basket.discount_cents, basket.weight_grams)
    sums = add_up(
        [line.total_cents for line in basket.available_lines],
        allocations=basket.allocations,
        shipping_cents=shipping_option.price_cents,
        tax=terms.tax,
    )
    return CartQuote(basket, address, shipping_option, terms.tax, sums)


async def reserve(
    session: AsyncSession,
    buyer: Buyer,
    address_id: UUID | None,
    charges: ExtraCharges = NO_CHARGES,
    *,
    replaced: UUID | None = None,
    limits: ReservationLimits = LIMITS,
) -> ReservedCheckout:
    """Reserves the stock of the whole cart for one payment. Must be the last statement of its transaction.

    The same cart, totals and address return the open checkout. `replaced` is an open checkout that the caller has
    closed at the provider: its stock and its use of a discount code count as available. Raises CartNotReady,
    OutOfStock, AddressMissing, NotFound, NoDelivery, CodeRefused, AmountTooSmall, what `reservation_limits.check`
    raises, or OtherCheckoutOpen when another one has to be closed first.
    """
    await cart.lock(session, buyer.user_id)
    quoted = await quote(session, buyer.user_id, address_id, charges)
    _check(quoted)
    fingerprint = _fingerprint(quoted)
    current = await open_checkout(session, buyer.user_id, lock=True)
    is_replaced = current is None or current.id == replaced
    if current and not is_replaced and _is_reusable(current, fingerprint):
        return ReservedCheckout(current, await lines_of(session, current.id))
    await reservation_limits.check(
        session, buyer.user_id, quoted.basket, limits, replaced=current.id if current else None
    )
    if current and not is_replaced:
        raise OtherCheckoutOpen(current.id)
    if current is None:
        replaced = None
    if quoted.basket.code is not None:
        released = current.discount_code if current else None
        await codes.take(session, quoted.basket.code.code, buyer.user_id, released=released)
    if current is not None:
        current.status, current.expires_at = CheckoutStatus.RELEASED, min(current.expires_at, clock.now())
        await session.flush()
    purchase, lines = _purchase(buyer, quoted, fingerprint), _lines(quoted)
    result = await reservations.reserve(session, purchase, lines, replaced=replaced)
    if not isinstance(result, UUID):
        raise _out_of_stock(quoted.basket, result)
    # Other checkouts wait for the rows locked now, so no statement follows before the commit.
    checkout = Checkout(
        id=result, status=CheckoutStatus.OPEN, stripe_session_id=None, client_secret=None, **vars(purchase)
    )
    return ReservedCheckout(checkout, [CheckoutLine(checkout_id=result, **vars(line)) for line in lines])


async def open_checkout(session: AsyncSession, user_id: UUID, *, lock: bool = False) -> Checkout | None:
    """The shopper's only open checkout; None without one."""
    query = select(Checkout).where(Checkout.user_id == user_id, Checkout.status == CheckoutStatus.OPEN)
    return await session.scalar(query.with_for_update() if lock else query)


async def by_session(session: AsyncSession, user_id: UUID, session_id: str) -> Checkout | None:
    """The shopper's own checkout with this provider session."""
    if not (session_id.isascii() and session_id.isprintable()):
        return None
    own = select(Checkout).where(Checkout.stripe_session_id == session_id, Checkout.user_id == user_id)
    return await session.scalar(own)


async def reserved(session: AsyncSession, checkout_id: UUID) -> ReservedCheckout:
    """A checkout with its lines, whatever its status. Raises NotFound."""
    checkout = await session.get(Checkout, checkout_id)
    if checkout is None:
        raise NotFound("This reservation")
    return ReservedCheckout(checkout, await lines_of(session, checkout_id))


async def lines_of(session: AsyncSession, checkout_id: UUID) -> Sequence[CheckoutLine]:
    """The lines, in the order of the cart."""
    query = select(CheckoutLine).where(CheckoutLine.checkout_id == checkout_id).order_by(CheckoutLine.position)
    return (await session.scalars(query)).all()


async def attach_session(session: AsyncSession, checkout_id: UUID, session_id: str, client_secret: str) -> bool:
    """Stores the provider session of an open checkout; False when the checkout has been closed meanwhile."""
    noted = (
        update(Checkout)
        .where(Checkout.id == checkout_id, Checkout.status == CheckoutStatus.OPEN)
        .where(or_(Checkout.stripe_session_id.is_(None), Checkout.stripe_session_id == session_id))
        .values(stripe_session_id=session_id, client_secret=client_secret)
    )
    return await session.scalar(noted.returning(Checkout.id)) is not None


async def release(session: AsyncSession, checkout_id: UUID, *, unattached_only: bool = False) -> bool:
    """Closes an open checkout and releases its stock, once; False when it was not open.

    The caller has made sure that it cannot be paid: its session has expired, or no client has its secret. With
    `unattached_only` a checkout that another request has given a session is left alone.
    """
    closed = update(Checkout).where(Checkout.id == checkout_id, Checkout.status == CheckoutStatus.OPEN)
    if unattached_only:
        closed = closed.where(Checkout.stripe_session_id.is_(None))
    if await session.scalar(closed.values(**_RELEASED).returning(Checkout.id)) is None:
        return False
    await reservations.give_back(session, checkout_id)
    return True


_RELEASED = {"status": CheckoutStatus.RELEASED, "expires_at": func.least(Checkout.expires_at, func.now())}
"""A checkout that ends early says when: how long an account reserves without paying is limited."""


async def due(session: AsyncSession, limit: int) -> Sequence[Checkout]:
    """Unsettled checkouts that the provider should be asked about, each claimed until its next check.

    Checks become rarer as a checkout ages, but one always comes when it expires. Several processes share the work.
    """
    now = func.now()
    ids = (
        select(Checkout.id)
        .where(Checkout.status.in_(HOLDING), Checkout.check_at <= now)
        .order_by(Checkout.check_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    later = func.least(now + func.greatest(now - Checkout.created_at, FIRST_LOOK), now + LONGEST_PAUSE)
    at_the_end = case((Checkout.expires_at > now, func.least(later, Checkout.expires_at)), else_=later)
    claimed = update(Checkout).where(Checkout.id.in_(ids.scalar_subquery())).values(check_at=at_the_end)
    return (await session.scalars(claimed.returning(Checkout))).all()


async def _address(session: AsyncSession, user_id: UUID, address_id: UUID | None) -> dict[str, Any]:
    """A copy of the chosen address, else of the default one, else of the newest."""
    if address_id is None:
        address = await identity.preferred_address(session, user_id)
    else:
        address = await identity.address(session, user_id, address_id)
    if address is None:
        raise AddressMissing
    return {
        "name": address.name,
        "address1": address.address1,
        "address2": address.address2,
        "city": address.city,
        "state": countries.state_words(address.country, address.state),
        "country": countries.name_of(address.country),
        "country_code": address.country,
        "postal_code": address.postal_code,
        "phone": address.phone,
    }


def _check(quoted: CartQuote) -> None:
    basket = quoted.basket
    if not basket.can_check_out:
        raise CartNotReady(basket)
    if basket.code and basket.code.problem:
        raise CodeRefused(basket.code.code, basket.code.problem)
    if 0 < quoted.sums.total_cents < MINIMUM_CENTS:
        raise AmountTooSmall(MINIMUM_CENTS)


def _is_reusable(checkout: Checkout, fingerprint: str) -> bool:
    return checkout.fingerprint == fingerprint and checkout.expires_at > clock.now() + LEAST_LEFT


def _fingerprint(quoted: CartQuote) -> str:
    lines = sorted((str(line.variant_id), line.quantity, line.unit_price_cents) for line in quoted.basket.lines)
    code = quoted.basket.code.code if quoted.basket.code else None
    facts = [lines, quoted.address, code, quoted.sums, quoted.delivery, quoted.tax]
    return sha256(orjson.dumps(facts, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _purchase(buyer: Buyer, quoted: CartQuote, fingerprint: str) -> reservations.NewCheckout:
    now, sums, tax, shipping_option = clock.now(), quoted.sums, quoted.tax, quoted.delivery
    return reservations.NewCheckout(
        user_id=buyer.user_id,
        email=buyer.email,
        fingerprint=fingerprint,
        total_cents=sums.total_cents,
        currency=money.CURRENCY.lower(),
        shipping_address=quoted.address,
        expires_at=now + HELD_FOR,
        check_at=now + FIRST_LOOK,
        discount_code=quoted.basket.code.code if quoted.basket.code else None,
        discount_cents=sums.discount_cents,
        shipping_cents=sums.shipping_cents,
        tax_cents=sums.tax_cents,
        tax_included=sums.tax_included,
        tax_basis_points=tax.basis_points if tax else 0,
        tax_name=tax.name if tax else "",
        delivery_name=shipping_option.name,
        delivery_min_days=shipping_option.min_days,
        delivery_max_days=shipping_option.max_days,
    )


def _lines(quoted: CartQuote) -> list[reservations.ReservationLine]:
    shares = zip(quoted.basket.lines, quoted.sums.line_discounts, quoted.sums.line_taxes, strict=True)
    return [
        reservations.ReservationLine(
            variant_id=line.variant_id,
            product_id=line.product_id,
            position=position,
            quantity=line.quantity,
            unit_price_cents=line.unit_price_cents,
            list_price_cents=line.price_cents,
            name=line.name,
            color=line.color,
            size=line.size,
            sku=line.sku,
            image_id=line.picture.id if line.picture else None,
            discount_cents=discount,
            tax_cents=tax,
        )
        for position, (line, discount, tax) in enumerate(shares)
    ]


def _out_of_stock(basket: CartContents, short: Sequence[reservations.Shortage]) -> OutOfStock:
    names = {line.variant_id: line.name for line in basket.lines}
    return OutOfStock(short[0].variant_id, short[0].available, names[short[0].variant_id])

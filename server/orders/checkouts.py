"""Checkouts: the whole cart's stock held for one payment, and let go again.

Locks are taken in one order everywhere, so that nothing deadlocks: the shopper's account (against deletion), cart,
checkouts, orders, refunds, discount codes, products, variants; the last two by id.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import case, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.errors import OutOfStock
from server.cart.queries import CartContents
from server.core import money
from server.identity import service as identity
from server.orders import reservations
from server.orders.errors import AddressMissing, AmountTooSmall, CartNotReady, OtherCheckoutOpen
from server.orders.models import Checkout, CheckoutLine
from server.pricing import codes
from server.pricing.errors import CodeRefused
from server.pricing.shipping_rates import ShippingOption, ShippingRates
from server.pricing.totals import TaxRule, Totals, add_up

MINIMUM_CENTS = 50
"""Stripe's smallest charge in USD; nothing at all needs no charge."""
HELD_FOR = timedelta(minutes=35)
"""Stripe wants a session to live for 30 minutes at least; the rest is room for asking again."""
LEAST_LEFT = timedelta(minutes=5)
"""A checkout with less time than this is not handed out again."""
FIRST_LOOK = timedelta(seconds=60)
"""After this long the sweep asks the provider about a checkout; a start that still runs is done by then."""
LONGEST_PAUSE = timedelta(minutes=10)
ADDRESS_FIELDS = ("name", "address1", "address2", "city", "country", "postal_code", "phone")


@dataclass(frozen=True)
class Buyer:
    """Who pays."""

    user_id: UUID
    email: str


@dataclass(frozen=True)
class CartQuote:
    """What a cart comes to at an address, with everything that the sums were made of."""

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
    """What comes on top of the goods, and whether their prices have the tax in them."""

    rates: ShippingRates
    prices_include_tax: bool


NO_CHARGES = ExtraCharges(ShippingRates((), {}), prices_include_tax=False)
"""Of a shop that has decided nothing: delivery is free and nothing is taxed."""


async def quote(session: AsyncSession, user_id: UUID, address_id: UUID | None, charges: ExtraCharges) -> CartQuote:
    """What the cart would cost now, sent to this address. Raises AddressMissing, NotFound or NoDelivery.

    Lines that cannot be bought as they stand do not count.
    """
    address = await _address(session, user_id, address_id)
    basket = await cart.get(session, user_id)
    terms = charges.rates.terms(address["country"], prices_include_tax=charges.prices_include_tax)
    parcel = terms.delivery(basket.subtotal_cents - basket.discount_cents, basket.weight_grams)
    sums = add_up(
        [line.total_cents for line in basket.lines if line.problem is None],
        discount_cents=basket.discount_cents,
        shipping_cents=parcel.price_cents,
        tax=terms.tax,
    )
    return CartQuote(basket, address, parcel, terms.tax, sums)


async def hold(
    session: AsyncSession,
    buyer: Buyer,
    address_id: UUID | None,
    charges: ExtraCharges = NO_CHARGES,
    *,
    replaced: UUID | None = None,
) -> ReservedCheckout:
    """Takes the stock of the whole cart for one payment; the last statement of its transaction.

    The same cart, sums and address answer the checkout that is open already. `replaced` is an open checkout that
    the caller has closed at the provider: its stock, and its use of a discount code, count as there. Raises
    CartNotReady, OutOfStock, AddressMissing, NotFound, NoDelivery, CodeRefused, AmountTooSmall, or OtherCheckoutOpen
    when another one has to be closed first.
    """
    await cart.lock(session, buyer.user_id)
    quoted = await quote(session, buyer.user_id, address_id, charges)
    _check(quoted)
    fingerprint = _fingerprint(quoted)
    current = await open_checkout(session, buyer.user_id, lock=True)
    if current and current.id != replaced:
        if current.fingerprint == fingerprint and current.expires_at > datetime.now(UTC) + LEAST_LEFT:
            return ReservedCheckout(current, await lines_of(session, current.id))
        raise OtherCheckoutOpen(current.id)
    if current is None:
        replaced = None
    else:
        current.status = "released"
        await session.flush()
    if quoted.basket.code is not None:
        await codes.take(session, quoted.basket.code.words, buyer.user_id)
    purchase, wanted = _purchase(buyer, quoted, fingerprint), _wanted(quoted)
    made = await reservations.reserve(session, purchase, wanted, replaced=replaced)
    if not isinstance(made, UUID):
        raise _out_of_stock(quoted.basket, made)
    # Others wait for the rows that are locked now: nothing more is asked of the database before the commit.
    checkout = Checkout(id=made, status="open", stripe_session_id=None, client_secret=None, **vars(purchase))
    return ReservedCheckout(checkout, [CheckoutLine(checkout_id=made, **vars(line)) for line in wanted])


async def open_checkout(session: AsyncSession, user_id: UUID, *, lock: bool = False) -> Checkout | None:
    """The shopper's open checkout; there is at most one."""
    found = select(Checkout).where(Checkout.user_id == user_id, Checkout.status == "open")
    return await session.scalar(found.with_for_update() if lock else found)


async def by_session(session: AsyncSession, user_id: UUID, session_id: str) -> Checkout | None:
    """The shopper's own checkout with this session of the provider."""
    if not (session_id.isascii() and session_id.isprintable()):
        return None
    own = select(Checkout).where(Checkout.stripe_session_id == session_id, Checkout.user_id == user_id)
    return await session.scalar(own)


async def lines_of(session: AsyncSession, checkout_id: UUID) -> Sequence[CheckoutLine]:
    """In the order of the cart."""
    found = select(CheckoutLine).where(CheckoutLine.checkout_id == checkout_id).order_by(CheckoutLine.position)
    return (await session.scalars(found)).all()


async def attach_session(session: AsyncSession, checkout_id: UUID, session_id: str, client_secret: str) -> bool:
    """Notes the provider's session of an open checkout; False when the checkout has been closed meanwhile."""
    noted = (
        update(Checkout)
        .where(Checkout.id == checkout_id, Checkout.status == "open")
        .where(or_(Checkout.stripe_session_id.is_(None), Checkout.stripe_session_id == session_id))
        .values(stripe_session_id=session_id, client_secret=client_secret)
    )
    return await session.scalar(noted.returning(Checkout.id)) is not None


async def release(session: AsyncSession, checkout_id: UUID, *, unattached_only: bool = False) -> bool:
    """Closes an open checkout and gives its stock back, once; False when it was not open.

    The caller has made sure that nobody can pay it: its session is expired, or was never handed out
    (`unattached_only` then keeps hands off one that another tab has got a session for).
    """
    closed = update(Checkout).where(Checkout.id == checkout_id, Checkout.status == "open")
    if unattached_only:
        closed = closed.where(Checkout.stripe_session_id.is_(None))
    if await session.scalar(closed.values(status="released").returning(Checkout.id)) is None:
        return False
    await reservations.give_back(session, checkout_id)
    return True


async def due(session: AsyncSession, limit: int) -> Sequence[Checkout]:
    """Unsettled checkouts that somebody should ask the provider about, each claimed until its next look.

    Looks come less often as a checkout ages, but always at the end of its time. Several processes share the work.
    """
    now = func.now()
    found = (
        select(Checkout.id)
        .where(Checkout.status.in_(("open", "processing")), Checkout.check_at <= now)
        .order_by(Checkout.check_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    later = func.least(now + func.greatest(now - Checkout.created_at, FIRST_LOOK), now + LONGEST_PAUSE)
    at_the_end = case((Checkout.expires_at > now, func.least(later, Checkout.expires_at)), else_=later)
    claimed = update(Checkout).where(Checkout.id.in_(found.scalar_subquery())).values(check_at=at_the_end)
    return (await session.scalars(claimed.returning(Checkout))).all()


async def _address(session: AsyncSession, user_id: UUID, address_id: UUID | None) -> dict[str, Any]:
    """A copy of the chosen address, or else of the default one, or else of the newest."""
    if address_id is None:
        address = await identity.preferred_address(session, user_id)
    else:
        address = await identity.address(session, user_id, address_id)
    if address is None:
        raise AddressMissing
    return {name: getattr(address, name) for name in ADDRESS_FIELDS}


def _check(quoted: CartQuote) -> None:
    basket = quoted.basket
    if not basket.can_check_out:
        raise CartNotReady(basket)
    if basket.code and basket.code.problem:
        raise CodeRefused(basket.code.words, basket.code.problem)
    if 0 < quoted.sums.total_cents < MINIMUM_CENTS:
        raise AmountTooSmall(MINIMUM_CENTS)


def _fingerprint(quoted: CartQuote) -> str:
    lines = sorted((str(line.variant_id), line.quantity, line.unit_price_cents) for line in quoted.basket.lines)
    code = quoted.basket.code.words if quoted.basket.code else None
    facts = [lines, quoted.address, code, quoted.sums, quoted.delivery, quoted.tax]
    return sha256(orjson.dumps(facts, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _purchase(buyer: Buyer, quoted: CartQuote, fingerprint: str) -> reservations.NewCheckout:
    now, sums, tax, parcel = datetime.now(UTC), quoted.sums, quoted.tax, quoted.delivery
    return reservations.NewCheckout(
        user_id=buyer.user_id,
        email=buyer.email,
        fingerprint=fingerprint,
        total_cents=sums.total_cents,
        currency=money.CURRENCY.lower(),
        shipping_address=quoted.address,
        expires_at=now + HELD_FOR,
        check_at=now + FIRST_LOOK,
        discount_code=quoted.basket.code.words if quoted.basket.code else None,
        discount_cents=sums.discount_cents,
        shipping_cents=sums.shipping_cents,
        tax_cents=sums.tax_cents,
        tax_included=sums.tax_included,
        tax_basis_points=tax.basis_points if tax else 0,
        tax_name=tax.name if tax else "",
        delivery_name=parcel.name,
        delivery_min_days=parcel.min_days,
        delivery_max_days=parcel.max_days,
    )


def _wanted(quoted: CartQuote) -> list[reservations.ReservationLine]:
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

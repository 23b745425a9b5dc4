"""Creates the order of a paid checkout, exactly once.

Locks are taken in the order that `checkouts` states. Nothing here calls the provider; its state comes in as a
`ProviderPayment`.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from uuid import UUID

import structlog
from sqlalchemy import insert, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.cart.service import UnpaidLine
from server.orders import checkouts, emails, reservations
from server.orders.models import PRICED, Checkout, CheckoutLine, Order, OrderLine
from server.orders.states import HOLDING, CheckoutStatus, PaymentStatus
from server.platform.core import clock, notify
from server.platform.core.errors import NotFound
from server.pricing import codes

log = structlog.get_logger()

EARLY_GRACE = timedelta(seconds=10)
"""A session that ended early was probably closed to be replaced; its stock stays reserved this long."""


class PaymentState(Enum):
    """The state of a provider session."""

    OPEN = "open"
    EXPIRED = "expired"
    PROCESSING = "processing"
    PAID = "paid"
    FAILED = "failed"


@dataclass(frozen=True)
class ProviderPayment:
    """What the provider reports of a session, in the shop's terms."""

    session_id: str
    checkout_id: UUID
    state: PaymentState
    amount_cents: int
    currency: str
    payment_intent_id: str | None


class CheckoutOutcome(Enum):
    """The result of a checkout."""

    WAITING = "waiting"
    RELEASED = "released"
    PROCESSING = "processing"
    ORDERED = "ordered"
    UNFULFILLABLE = "unfulfillable"


@dataclass(frozen=True)
class SettledCheckout:
    """The checkout after its payment was examined, and its order if there is one."""

    outcome: CheckoutOutcome
    checkout: Checkout
    order: Order | None = None


async def settle(session: AsyncSession, payment: ProviderPayment, *, shop_url: str) -> SettledCheckout:
    """Brings checkout, stock, order and cart in line with the provider's state; idempotent.

    A paid checkout becomes an order once, with its confirmation in the outbox; late reports never undo newer ones.
    UNFULFILLABLE means that the payment must be refunded. Raises NotFound for a checkout that does not exist.
    """
    checkout = await _locked(session, payment.checkout_id)
    if checkout.stripe_session_id is None:
        checkout.stripe_session_id = payment.session_id
    order = await session.scalar(select(Order).where(Order.checkout_id == checkout.id).with_for_update())
    if not _belongs(payment, checkout):
        return await _refuse(session, payment, checkout, order)
    match payment.state:
        case PaymentState.PAID:
            return await _paid(session, payment, checkout, order, shop_url)
        case PaymentState.PROCESSING if checkout.status == CheckoutStatus.OPEN:
            checkout.status = CheckoutStatus.PROCESSING
            order = await _place(session, checkout, payment, PaymentStatus.PROCESSING)
        case PaymentState.FAILED if checkout.status in HOLDING:
            order = await _failed(session, payment, checkout, order, shop_url)
        case PaymentState.EXPIRED if checkout.status == CheckoutStatus.OPEN:
            await _expired(session, checkout)
        case _:
            pass
    return SettledCheckout(_outcome(checkout), checkout, order)


async def settled(session: AsyncSession, checkout: Checkout) -> SettledCheckout:
    """The current state, without a report of the provider."""
    order = await session.scalar(select(Order).where(Order.checkout_id == checkout.id))
    return SettledCheckout(_outcome(checkout), checkout, order)


async def _locked(session: AsyncSession, checkout_id: UUID) -> Checkout:
    """The checkout, locked after its shopper's cart. Raises NotFound."""
    user_id = await session.scalar(select(Checkout.user_id).where(Checkout.id == checkout_id))
    if user_id is not None:
        with suppress(NotFound):
            await cart.lock(session, user_id)
    # FOR NO KEY UPDATE, since the foreign key check of an order that is written twice locks the key of this row.
    query = select(Checkout).where(Checkout.id == checkout_id).with_for_update(key_share=True)
    checkout = await session.scalar(query)
    if checkout is None:
        raise NotFound("This payment")
    return checkout


def _belongs(payment: ProviderPayment, checkout: Checkout) -> bool:
    """Whether this is the checkout's own session, for exactly its total."""
    return (payment.session_id, payment.amount_cents, payment.currency) == (
        checkout.stripe_session_id,
        checkout.total_cents,
        checkout.currency,
    )


async def _paid(
    session: AsyncSession, payment: ProviderPayment, checkout: Checkout, order: Order | None, shop_url: str
) -> SettledCheckout:
    if checkout.status in (CheckoutStatus.COMPLETED, CheckoutStatus.REFUNDING):
        return SettledCheckout(_outcome(checkout), checkout, order)
    await codes.lock(session, checkout.discount_code)
    if checkout.status == CheckoutStatus.RELEASED and not await reservations.take_again(session, checkout.id):
        return await _refuse(session, payment, checkout, order)
    checkout.status = CheckoutStatus.COMPLETED
    if order is None:
        order = await _place(session, checkout, payment, PaymentStatus.PAID)
    elif order.payment_status == PaymentStatus.FAILED:
        await _take_from_cart(session, checkout)
    order.payment_status, order.paid_at = PaymentStatus.PAID, clock.now()
    order.payment_intent_id = payment.payment_intent_id
    await session.flush()
    await reservations.sell(session, checkout.id, order.id)
    order.email = await emails.send_confirmation(session, order, shop_url)
    return SettledCheckout(CheckoutOutcome.ORDERED, checkout, order)


async def _refuse(
    session: AsyncSession, payment: ProviderPayment, checkout: Checkout, order: Order | None
) -> SettledCheckout:
    """Marks a payment that cannot become an order. A payment that is still processing is left alone."""
    if payment.state is not PaymentState.PAID:
        return SettledCheckout(_outcome(checkout), checkout, order)
    log.error("checkout.unfulfillable", checkout=str(checkout.id))
    if checkout.stripe_session_id == payment.session_id and checkout.status != CheckoutStatus.COMPLETED:
        if checkout.status in HOLDING:
            await reservations.give_back(session, checkout.id)
        checkout.status = CheckoutStatus.REFUNDING
    return SettledCheckout(CheckoutOutcome.UNFULFILLABLE, checkout, order)


async def _place(session: AsyncSession, checkout: Checkout, payment: ProviderPayment, status: PaymentStatus) -> Order:
    """Creates the order with its lines; removes the bought items from the cart, unless the payment has failed."""
    order = Order(
        user_id=checkout.user_id,
        checkout_id=checkout.id,
        email=checkout.email,
        payment_status=status,
        stripe_session_id=payment.session_id,
        payment_intent_id=payment.payment_intent_id,
        total_cents=checkout.total_cents,
        refunded_cents=0,
        currency=checkout.currency,
        shipping_address=checkout.shipping_address,
        **{name: getattr(checkout, name) for name in PRICED},
    )
    session.add(order)
    await session.flush()
    copied = [column.key for column in CheckoutLine.__table__.columns if column.key != "checkout_id"]
    lines = select(literal(order.id), *(getattr(CheckoutLine, name) for name in copied))
    lines = lines.where(CheckoutLine.checkout_id == checkout.id).order_by(CheckoutLine.position)
    await session.execute(insert(OrderLine).from_select(["order_id", *copied], lines))
    if status is not PaymentStatus.FAILED:
        await _take_from_cart(session, checkout)
    await notify.announce(session, "order_placed", str(order.id))
    return order


async def _failed(
    session: AsyncSession, payment: ProviderPayment, checkout: Checkout, order: Order | None, shop_url: str
) -> Order:
    """Handles a processing payment that failed: releases the stock and mails the shopper.

    The order exists, and the cart has its items, whether or not the payment was reported while it was processing.
    """
    was_placed = order is not None
    if order is None:
        order = await _place(session, checkout, payment, PaymentStatus.FAILED)
    checkout.status, checkout.expires_at = CheckoutStatus.RELEASED, min(checkout.expires_at, clock.now())
    order.payment_status, order.failed_at = PaymentStatus.FAILED, clock.now()
    await session.flush()
    await reservations.give_back(session, checkout.id)
    if was_placed:
        await _put_back_into_cart(session, checkout)
    await emails.send_failure(session, order, shop_url)
    return order


async def _take_from_cart(session: AsyncSession, checkout: Checkout) -> None:
    if checkout.user_id is not None:
        pieces = {line.variant_id: line.quantity for line in await checkouts.lines_of(session, checkout.id)}
        await cart.take_bought(session, checkout.user_id, pieces, checkout.discount_code)


async def _put_back_into_cart(session: AsyncSession, checkout: Checkout) -> None:
    if checkout.user_id is not None:
        lines = await checkouts.lines_of(session, checkout.id)
        unpaid = [UnpaidLine(line.variant_id, line.quantity, line.unit_price_cents) for line in lines]
        await cart.put_back(session, checkout.user_id, unpaid, checkout.discount_code)


async def _expired(session: AsyncSession, checkout: Checkout) -> None:
    now = clock.now()
    if checkout.expires_at > now:
        checkout.expires_at, checkout.check_at = now, now + EARLY_GRACE
    else:
        await checkouts.release(session, checkout.id)


def _outcome(checkout: Checkout) -> CheckoutOutcome:
    return {
        CheckoutStatus.OPEN: CheckoutOutcome.WAITING,
        CheckoutStatus.PROCESSING: CheckoutOutcome.PROCESSING,
        CheckoutStatus.COMPLETED: CheckoutOutcome.ORDERED,
        CheckoutStatus.RELEASED: CheckoutOutcome.RELEASED,
        CheckoutStatus.REFUNDING: CheckoutOutcome.UNFULFILLABLE,
    }[CheckoutStatus(checkout.status)]

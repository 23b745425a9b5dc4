"""Payments, from the reserved cart to the order. Makes no network call inside a transaction.

Whatever reports on a session (webhook, return page, sweep, a new checkout), its state is fetched anew and
`orders.settle` decides. A reservation is released only when its session can no longer be paid.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.queries import CartContents
from server.config import Settings
from server.core import clock
from server.core.crashpoints import point
from server.core.db import autocommit, begin, is_unavailable
from server.core.errors import Conflict, NotFound, StoreError
from server.core.jobs import ATTEMPTS_OF_DAYS, JobEnvironment, JobKind
from server.orders import checkouts
from server.orders import service as orders
from server.orders.checkouts import Buyer, ExtraCharges, ReservedCheckout
from server.orders.errors import OtherCheckoutOpen
from server.orders.models import Checkout
from server.orders.service import CheckoutOutcome, PaymentState, ProviderPayment, SettledCheckout
from server.payments import cancellations, disputes, refunds
from server.payments.errors import PaymentProviderDown, RefusedByProvider
from server.payments.gateway import (
    ProviderEvent,
    ProviderSession,
    SessionStatus,
    StripeGateway,
)
from server.payments.models import WebhookEvent
from server.payments.provider_sessions import session_of
from server.pricing.shipping_rates import ShippingRatesCache
from server.shop import service as shop
from server.shop.service import ShopContext

log = structlog.get_logger()
TRIES = 4
EVENTS_KEPT = timedelta(days=30)
"""The provider repeats an event for three days; disputes are kept for good."""
SWEEP_BATCH = 20
MOST_SILENCES = 3
"""After this many checkouts in a row without a response the provider counts as unavailable."""

SESSION_EVENTS = frozenset(
    f"checkout.session.{happened}"
    for happened in ("completed", "async_payment_succeeded", "async_payment_failed", "expired")
)

REFUND_EVENTS = frozenset({"charge.refunded", "refund.created", "refund.updated", "refund.failed"})
DISPUTE_EVENTS = frozenset(f"charge.dispute.{happened}" for happened in ("created", "updated", "closed"))
PROVIDER_ID = re.compile(r"[A-Za-z0-9][\w-]{0,254}", re.ASCII)
"""The form of the provider's ids of events, sessions, payments and disputes."""
NOT_COMPLETED = "The payment was not completed. Please try again."
PROCESSING = "Your payment is on its way. We will write to you as soon as it has arrived."
REFUNDED = "What you paid for is no longer to be had. Your money goes back to you by itself."

HANDLERS = {
    refunds.JOB: JobKind(refunds.pay, attempts=ATTEMPTS_OF_DAYS),
    cancellations.JOB: JobKind(cancellations.pay_out, attempts=ATTEMPTS_OF_DAYS),
}


async def start_checkout(env: JobEnvironment, buyer: Buyer, address_id: UUID | None = None) -> Checkout:
    """An open checkout with its session: the existing one for the same cart, prices and address, or a new one.

    An open checkout of another cart is first closed at the provider; if it turns out to be paid, it becomes its order.
    Raises what `checkouts.hold` raises, and PaymentProviderDown after releasing the reservation.
    """
    charges, replaced = await charges_of(env), None
    most = env.resources.get(Settings).abandoned_checkouts_per_account
    for _ in range(TRIES):
        try:
            async with begin(env.sessions) as session:
                held = await checkouts.hold(session, buyer, address_id, charges, replaced=replaced, most_abandoned=most)
                point("reservation.before-commit")
        except OtherCheckoutOpen as other:
            replaced = await _close(env, other.checkout_id)
            continue
        except StoreError:
            if replaced is not None:
                await _release(env, replaced)
            raise
        point("reservation.committed")
        if held.checkout.client_secret or await _open_session(env, held):
            return held.checkout
    raise Conflict("Your cart changed while the payment was being prepared. Please try again.")


async def charges_of(around: ShopContext) -> ExtraCharges:
    """The shop's current rates for delivery and tax, usually from the cache."""
    decided = await shop.current(around)
    rates = await around.resources.get(ShippingRatesCache).get(around.sessions)
    return ExtraCharges(rates, decided.prices_include_tax)


async def complete_checkout(env: JobEnvironment, user_id: UUID, session_id: str) -> SettledCheckout:
    """The result of a session, fetched from the provider unless it is settled. Raises NotFound for another buyer's."""
    async with autocommit(env.sessions) as session:
        checkout = await checkouts.by_session(session, user_id, session_id)
        if checkout is None:
            raise NotFound("This payment")
        known = await orders.settled(session, checkout)
    if known.outcome is CheckoutOutcome.ORDERED:
        return known
    state = await _found(env, session_id)
    return known if state is None else await _settle(env, state) or known


def same_items(basket: CartContents, items: Iterable[tuple[UUID, int]]) -> bool:
    """Whether the client's cart equals the server's: quantities by variant id, or by product id where it uses that."""
    given = Counter[UUID]()
    for known_as, quantity in items:
        given[known_as] += quantity
    by_variant = {line.variant_id: line.quantity for line in basket.lines}
    by_product = Counter[UUID]()
    for line in basket.lines:
        if line.variant_id not in given:
            by_product[line.product_id] += line.quantity
    here = {known_as: quantity for known_as, quantity in by_variant.items() if known_as in given}
    return dict(given) == here | dict(by_product)


async def hear(env: JobEnvironment, event: ProviderEvent) -> None:
    """Handles an event of the provider once, in whatever order and however often events arrive.

    Events of other programs are ignored, and so are those whose object the provider does not know: they would be
    repeated for days. The event is stored in the transaction of its effect; when that fails, the provider repeats it.
    """
    if event.type not in SESSION_EVENTS | REFUND_EVENTS | DISPUTE_EVENTS:
        return
    if not all(PROVIDER_ID.fullmatch(id) for id in (event.id, event.subject, event.payment_intent_id or "none")):
        log.warning("webhook.odd_id", event_type=event.type)
    elif not await _is_known(env, event):
        try:
            await _act_on(env, event)
        except RefusedByProvider as error:
            log.warning("webhook.subject_unknown", event_type=event.type, code=error.code)


async def _act_on(env: JobEnvironment, event: ProviderEvent) -> None:
    """Raises RefusedByProvider when the provider does not know the event's object."""
    if event.type in SESSION_EVENTS:
        await _hear_of_session(env, event)
    elif event.type in REFUND_EVENTS and event.payment_intent_id:
        found = await env.resources.get(StripeGateway).refunds_of(event.payment_intent_id)
        async with begin(env.sessions) as session:
            if await _first_time(session, event):
                await refunds.record(session, found, shop_url=_shop_url(env))
    elif event.type in DISPUTE_EVENTS:
        objection = await env.resources.get(StripeGateway).dispute(event.subject)
        async with begin(env.sessions) as session:
            if await _first_time(session, event):
                await disputes.record(session, objection)
                log.warning("payment.disputed", event_type=event.type, dispute=event.subject)


async def sweep(env: JobEnvironment) -> None:
    """Asks the provider about checkouts without recent events, and ends those that have expired.

    A failing checkout does not delay the others; `checkouts.due` selects it less and less often.
    """
    async with begin(env.sessions) as session:
        found = await checkouts.due(session, SWEEP_BATCH)
    failed = silences = 0
    for checkout in found:
        try:
            await _look_after(env, checkout)
            silences = 0
        except PaymentProviderDown:
            silences += 1
            log.warning("sweep.provider_away", checkout=str(checkout.id))
            if silences == MOST_SILENCES:
                break
        except Exception as error:
            if is_unavailable(error):
                raise
            failed += 1
            log.error("sweep.failed", checkout=str(checkout.id), error=type(error).__name__, exc_info=True)
    if failed:
        log.error("sweep.unfinished", count=failed)


async def tidy(env: JobEnvironment) -> None:
    """Deletes events that are too old to be repeated."""
    old = WebhookEvent.created_at < clock.now() - EVENTS_KEPT
    async with begin(env.sessions) as session:
        await session.execute(delete(WebhookEvent).where(old, WebhookEvent.type.not_in(DISPUTE_EVENTS)))


async def _open_session(env: JobEnvironment, held: ReservedCheckout) -> bool:
    """Creates a reservation's session and stores it; False when the reservation has been released meanwhile.

    Raises PaymentProviderDown after releasing the reservation, since no client has a secret to pay it.
    """
    checkout = held.checkout
    try:
        made = await session_of(env, held)
    except PaymentProviderDown:
        await _release(env, checkout.id, unattached_only=True)
        raise
    except RefusedByProvider as error:
        log.error("checkout.refused", checkout=str(checkout.id), code=error.code)
        await _release(env, checkout.id, unattached_only=True)
        raise PaymentProviderDown from error
    point("session.made")
    async with autocommit(env.sessions) as session:
        attached = await checkouts.attach_session(session, checkout.id, made.id, made.client_secret or "")
    if attached:
        point("session.noted")
        checkout.stripe_session_id, checkout.client_secret = made.id, made.client_secret
    else:
        await _expire(env, made.id)
    return attached


async def _close(env: JobEnvironment, checkout_id: UUID) -> UUID | None:
    """Makes sure that a checkout can no longer be paid. Returns its id; None when it was paid and is now settled."""
    async with autocommit(env.sessions) as session:
        checkout = await session.get_one(Checkout, checkout_id)
        held = ReservedCheckout(checkout, await checkouts.lines_of(session, checkout_id))
    state = await _closed(env, held)
    if state is None and checkout.stripe_session_id is None:
        await _release(env, checkout_id, unattached_only=True)
    if state is None or state.status is SessionStatus.EXPIRED:
        return checkout_id
    await _settle(env, state)
    return None


async def _closed(env: JobEnvironment, held: ReservedCheckout) -> ProviderSession | None:
    """The checkout's session, no longer open; None when no client can have its secret."""
    session_id = held.checkout.stripe_session_id
    if session_id is None:
        try:
            session_id = (await session_of(env, held)).id
        except (RefusedByProvider, PaymentProviderDown):
            # Waiting is pointless: the provider replays a failure for the checkout's idempotency key for a day.
            return None
    state = await _expire(env, session_id)
    point("session.expired")
    return state


async def _expire(env: JobEnvironment, session_id: str) -> ProviderSession | None:
    """The session, no longer open; None when the provider does not know it, as after a change of accounts."""
    try:
        return await env.resources.get(StripeGateway).expire_session(session_id)
    except RefusedByProvider:
        return await _found(env, session_id)


async def _found(env: JobEnvironment, session_id: str) -> ProviderSession | None:
    try:
        return await env.resources.get(StripeGateway).retrieve_session(session_id)
    except RefusedByProvider as error:
        log.warning("session.unknown", code=error.code)
        return None


async def _look_after(env: JobEnvironment, checkout: Checkout) -> None:
    if checkout.stripe_session_id is None or checkout.expires_at <= clock.now():
        async with autocommit(env.sessions) as session:
            held = ReservedCheckout(checkout, await checkouts.lines_of(session, checkout.id))
        state = await _closed(env, held)
        gone = state is None or state.status is SessionStatus.EXPIRED
    else:
        state = await _found(env, checkout.stripe_session_id)
        gone = state is None
    if gone:
        await _release(env, checkout.id, unattached_only=checkout.stripe_session_id is None)
    elif state is not None:
        await _settle(env, state)


async def _release(env: JobEnvironment, checkout_id: UUID, *, unattached_only: bool = False) -> None:
    async with begin(env.sessions) as session:
        await checkouts.release(session, checkout_id, unattached_only=unattached_only)


async def _hear_of_session(env: JobEnvironment, event: ProviderEvent) -> None:
    state = await _found(env, event.subject)
    if state is None:
        return
    try:
        await _settle(env, state, event)
    except NotFound:
        log.info("webhook.not_ours", event_type=event.type)


async def _settle(
    env: JobEnvironment, state: ProviderSession, event: ProviderEvent | None = None
) -> SettledCheckout | None:
    """None when the event has been handled before. Raises NotFound for a session that is not from our checkouts."""
    payment = _payment(state)
    async with begin(env.sessions) as session:
        if event and not await _first_time(session, event):
            return None
        settled = await orders.settle(session, payment, shop_url=_shop_url(env))
        if settled.outcome is CheckoutOutcome.UNFULFILLABLE:
            await refunds.pay_back(session, settled.checkout, payment, shop_url=_shop_url(env))
        if payment.state is PaymentState.PAID:
            point("paid.before-commit")
    if payment.state is PaymentState.PAID:
        point("paid.committed")
    return settled


def _payment(state: ProviderSession) -> ProviderPayment:
    """Raises NotFound for a session that is not from our checkouts."""
    try:
        checkout_id = UUID(state.reference or "")
    except ValueError as error:
        raise NotFound("This payment") from error
    return ProviderPayment(
        session_id=state.id,
        checkout_id=checkout_id,
        state=_payment_state(state),
        amount_cents=state.amount_total,
        currency=state.currency,
        payment_intent_id=state.payment_intent_id,
    )


def _payment_state(state: ProviderSession) -> PaymentState:
    if state.status is SessionStatus.OPEN:
        return PaymentState.OPEN
    if state.status is SessionStatus.EXPIRED:
        return PaymentState.EXPIRED
    if state.paid:
        return PaymentState.PAID
    if state.intent_status in ("requires_payment_method", "canceled"):
        return PaymentState.FAILED
    return PaymentState.PROCESSING


async def _is_known(env: JobEnvironment, event: ProviderEvent) -> bool:
    async with autocommit(env.sessions) as session:
        return await session.get(WebhookEvent, event.id) is not None


async def _first_time(session: AsyncSession, event: ProviderEvent) -> bool:
    """Stores the event in this transaction; False when it was stored before. Waits for a parallel transaction."""
    noted = insert(WebhookEvent).values(id=event.id, type=event.type, subject=event.subject)
    return await session.scalar(noted.on_conflict_do_nothing().returning(WebhookEvent.id)) is not None


def _shop_url(env: JobEnvironment) -> str:
    return env.resources.get(Settings).public_url

"""Payments, from the reserved cart to the order. Makes no network call inside a transaction.

Every state of a session ends in `reconciliation.reconcile`. A reservation is released only when its session
can no longer be paid.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.audit.service import AuditSubject
from server.cart.queries import CartContents
from server.config import Settings
from server.crash_points import CrashPoint
from server.orders import checkouts
from server.orders import service as orders
from server.orders.checkouts import Buyer, ExtraCharges, ReservedCheckout
from server.orders.errors import OtherCheckoutOpen
from server.orders.models import Checkout
from server.orders.reservation_limits import ReservationLimits
from server.orders.service import CheckoutOutcome, SettledCheckout
from server.orders.states import CheckoutStatus
from server.payments import cancellations, reconciliation, refunds
from server.payments.errors import PaymentProviderDown, RefusedByProvider
from server.payments.gateway import PaymentSnapshot, SessionStatus, StripeGateway
from server.payments.provider_sessions import session_of
from server.platform.core import clock
from server.platform.core.db import autocommit, begin, is_unavailable
from server.platform.core.errors import Conflict, NotFound, StoreError
from server.platform.core.jobs import ATTEMPTS_OF_DAYS, JobEnvironment, JobKind
from server.platform.core.viewer import Viewer
from server.pricing.shipping_rates import ShippingRatesCache
from server.shop import service as shop
from server.shop.service import ShopContext

log = structlog.get_logger()
TRIES = 4
SWEEP_BATCH = 20
MOST_SILENCES = 3
"""After this many checkouts in a row without a response the provider counts as unavailable."""

NOT_COMPLETED = "The payment was not completed. Please try again."
PROCESSING = "Your payment is on its way. We will write to you as soon as it has arrived."
REFUNDED = "What you paid for is no longer to be had. Your money goes back to you by itself."

HANDLERS = {
    refunds.JOB: JobKind(refunds.pay, attempts=ATTEMPTS_OF_DAYS),
    refunds.CANCELLATION_JOB: JobKind(cancellations.pay_out, attempts=ATTEMPTS_OF_DAYS),
}


async def start_checkout(env: JobEnvironment, buyer: Buyer, address_id: UUID | None = None) -> Checkout:
    """An open checkout with its session: the existing one for the same cart, prices and address, or a new one.

    An open checkout of another cart is first closed at the provider; if it turns out to be paid, it becomes its order.
    Raises what `checkouts.reserve` raises, and PaymentProviderDown after releasing the reservation.
    """
    charges, replaced = await charges_of(env), None
    limits = _limits(env.resources.get(Settings))
    for _ in range(TRIES):
        try:
            async with begin(env.sessions) as session:
                reservation = await checkouts.reserve(
                    session, buyer, address_id, charges, replaced=replaced, limits=limits
                )
                CrashPoint.RESERVATION_BEFORE_COMMIT.reach()
        except OtherCheckoutOpen as other:
            replaced = await _close(env, other.checkout_id)
            continue
        except StoreError:
            if replaced is not None:
                await _release(env, replaced)
            raise
        CrashPoint.RESERVATION_COMMITTED.reach()
        if reservation.checkout.client_secret or await _open_session(env, reservation):
            return reservation.checkout
    raise Conflict("Your cart changed while the payment was being prepared. Please try again.")


def _limits(settings: Settings) -> ReservationLimits:
    return ReservationLimits(
        pieces_of_variant=settings.max_pieces_per_variant,
        variants=settings.limits.reserved_variants_per_account,
        pieces=settings.limits.reserved_pieces_per_account,
        value_cents=settings.limits.reserved_value_per_account * 100,
        unpaid=timedelta(hours=settings.limits.unpaid_hours_per_account),
        abandoned=settings.limits.abandoned_checkouts_per_account,
        cancellations=settings.limits.cancellations_per_account,
    )


async def charges_of(around: ShopContext) -> ExtraCharges:
    """The shop's current rates for delivery and tax, usually from the cache."""
    decided = await shop.current(around)
    rates = await around.resources.get(ShippingRatesCache).get(around.sessions)
    return ExtraCharges(rates, decided.prices_include_tax)


async def end_reservation(env: JobEnvironment, checkout_id: UUID, *, actor: Viewer) -> SettledCheckout:
    """Ends a shopper's open checkout for an admin: its session expires at the provider, then its stock is released.

    One that has been paid or confirmed meanwhile becomes its order; one that is no longer open stays as it is. WAITING
    means that it could not be closed just now. Raises NotFound, or PaymentProviderDown with nothing changed.
    """
    async with autocommit(env.sessions) as session:
        reserved = await checkouts.reserved(session, checkout_id)
        if reserved.checkout.status != CheckoutStatus.OPEN:
            return await orders.settled(session, reserved.checkout)
    payment = await _closed(env, reserved)
    if payment is None or _is_expired(payment):
        is_unattached = payment is None and reserved.checkout.stripe_session_id is None
        async with begin(env.sessions) as session:
            return await _end(session, reserved, actor, unattached_only=is_unattached)
    settled = await reconciliation.reconcile(env, payment)
    if settled is None:
        raise NotFound("This reservation")
    return settled


async def _end(
    session: AsyncSession, reserved: ReservedCheckout, actor: Viewer, *, unattached_only: bool
) -> SettledCheckout:
    """Releases a checkout that can no longer be paid, with an entry in the audit log, once."""
    checkout = reserved.checkout
    if await checkouts.release(session, checkout.id, unattached_only=unattached_only):
        before = {
            "items": [f"{line.quantity} x {line.sku}" for line in reserved.lines],
            "total_cents": checkout.total_cents,
            "expires_at": checkout.expires_at.isoformat(),
        }
        subject = AuditSubject("reservation", checkout.id, checkout.email)
        await audit.record(session, actor, "reservation ended", subject, before=before)
    return await orders.settled(session, await session.get_one(Checkout, checkout.id))


async def complete_checkout(env: JobEnvironment, user_id: UUID, session_id: str) -> SettledCheckout:
    """The result of a session, fetched from the provider unless it is settled. Raises NotFound for another buyer's."""
    async with autocommit(env.sessions) as session:
        checkout = await checkouts.by_session(session, user_id, session_id)
        if checkout is None:
            raise NotFound("This payment")
        settled = await orders.settled(session, checkout)
    if settled.outcome is CheckoutOutcome.ORDERED:
        return settled
    payment = await _snapshot(env, session_id)
    return settled if payment is None else await reconciliation.reconcile(env, payment) or settled


def same_items(basket: CartContents, items: Iterable[tuple[UUID, int]]) -> bool:
    """Whether the client's cart equals the server's: quantities by variant id, or by product id where it uses that."""
    quantities = Counter[UUID]()
    for known_as, quantity in items:
        quantities[known_as] += quantity
    by_variant = {line.variant_id: line.quantity for line in basket.lines}
    by_product = Counter[UUID]()
    for line in basket.lines:
        if line.variant_id not in quantities:
            by_product[line.product_id] += line.quantity
    here = {known_as: quantity for known_as, quantity in by_variant.items() if known_as in quantities}
    return dict(quantities) == here | dict(by_product)


async def sweep(env: JobEnvironment) -> None:
    """Queries the provider about checkouts without recent events, and ends those that have expired.

    A failing checkout does not delay the others; `checkouts.due` selects it less and less often.
    """
    async with begin(env.sessions) as session:
        due = await checkouts.due(session, SWEEP_BATCH)
    failed = silences = 0
    for checkout in due:
        try:
            await _recheck(env, checkout)
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


async def _open_session(env: JobEnvironment, reservation: ReservedCheckout) -> bool:
    """Creates a reservation's session and stores it; False when the reservation has been released meanwhile.

    Raises PaymentProviderDown after releasing the reservation, since no client has a secret to pay it.
    """
    checkout = reservation.checkout
    try:
        provider_session = await session_of(env, reservation)
    except PaymentProviderDown:
        await _release(env, checkout.id, unattached_only=True)
        raise
    except RefusedByProvider as error:
        log.error("checkout.refused", checkout=str(checkout.id), code=error.code)
        await _release(env, checkout.id, unattached_only=True)
        raise PaymentProviderDown from error
    CrashPoint.SESSION_MADE.reach()
    async with autocommit(env.sessions) as session:
        attached = await checkouts.attach_session(
            session, checkout.id, provider_session.id, provider_session.client_secret or ""
        )
    if attached:
        CrashPoint.SESSION_NOTED.reach()
        checkout.stripe_session_id, checkout.client_secret = provider_session.id, provider_session.client_secret
    else:
        await _expire(env, provider_session.id)
    return attached


async def _close(env: JobEnvironment, checkout_id: UUID) -> UUID | None:
    """Expires a checkout's session. Returns its id when it can no longer be paid, and still holds its stock.

    None when it is paid and now settled, when it is released, or when another request has given it a session meanwhile.
    """
    async with autocommit(env.sessions) as session:
        reservation = await checkouts.reserved(session, checkout_id)
    payment = await _closed(env, reservation)
    if payment is None and reservation.checkout.stripe_session_id is None:
        await _release(env, checkout_id, unattached_only=True)
        return None
    if payment is None or _is_expired(payment):
        return checkout_id
    await reconciliation.reconcile(env, payment)
    return None


async def _closed(env: JobEnvironment, reservation: ReservedCheckout) -> PaymentSnapshot | None:
    """The checkout's payment, its session no longer open; None when no client can have its secret."""
    session_id = reservation.checkout.stripe_session_id
    if session_id is None:
        try:
            session_id = (await session_of(env, reservation)).id
        except (RefusedByProvider, PaymentProviderDown):
            # Waiting is pointless: the provider replays a failure for the checkout's idempotency key for a day.
            return None
    payment = await _expire(env, session_id)
    CrashPoint.SESSION_EXPIRED.reach()
    return payment


async def _expire(env: JobEnvironment, session_id: str) -> PaymentSnapshot | None:
    """The session, no longer open; None for one that the provider lacks, as after a change of accounts."""
    try:
        return await env.resources.get(StripeGateway).expire_session(session_id)
    except RefusedByProvider:
        return await _snapshot(env, session_id)


async def _snapshot(env: JobEnvironment, session_id: str) -> PaymentSnapshot | None:
    try:
        return await env.resources.get(StripeGateway).snapshot_of_session(session_id)
    except RefusedByProvider as error:
        log.warning("session.unknown", code=error.code)
        return None


def _is_expired(payment: PaymentSnapshot) -> bool:
    return payment.session is not None and payment.session.status is SessionStatus.EXPIRED


async def _recheck(env: JobEnvironment, checkout: Checkout) -> None:
    if checkout.stripe_session_id is None or checkout.expires_at <= clock.now():
        async with autocommit(env.sessions) as session:
            reservation = ReservedCheckout(checkout, await checkouts.lines_of(session, checkout.id))
        payment = await _closed(env, reservation)
        is_gone = payment is None or _is_expired(payment)
    else:
        payment = await _snapshot(env, checkout.stripe_session_id)
        is_gone = payment is None
    if is_gone:
        await _release(env, checkout.id, unattached_only=checkout.stripe_session_id is None)
    elif payment is not None:
        await reconciliation.reconcile(env, payment)


async def _release(env: JobEnvironment, checkout_id: UUID, *, unattached_only: bool = False) -> None:
    async with begin(env.sessions) as session:
        await checkouts.release(session, checkout_id, unattached_only=unattached_only)

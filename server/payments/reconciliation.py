"""Reconciliation: orders, stock and accounts follow the provider's state of a payment.

Events come late, in any order, more than once or, as after restoring a backup, not at all. So an event only names the
payment: its current state is fetched, and `reconcile` derives everything from it. Makes no network call inside
a transaction.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.crash_points import CrashPoint
from server.orders import service as orders
from server.orders.models import Checkout, Order
from server.orders.service import CheckoutOutcome, PaymentState, ProviderPayment, SettledCheckout
from server.payments import disputes, refunds
from server.payments.errors import RefusedByProvider
from server.payments.gateway import (
    PaymentSnapshot,
    ProviderEvent,
    ProviderSession,
    SessionStatus,
    StripeGateway,
)
from server.payments.models import WebhookEvent
from server.platform.core import clock
from server.platform.core.db import autocommit, begin
from server.platform.core.errors import NotFound
from server.platform.core.jobs import JobEnvironment

log = structlog.get_logger()

SESSION_EVENTS = frozenset(
    f"checkout.session.{change}"
    for change in ("completed", "async_payment_succeeded", "async_payment_failed", "expired")
)
DISPUTE_EVENTS = frozenset(f"charge.dispute.{change}" for change in ("created", "updated", "closed"))
PAYMENT_EVENTS = DISPUTE_EVENTS | {"charge.refunded", "refund.created", "refund.updated", "refund.failed"}
PROVIDER_ID = re.compile(r"[A-Za-z0-9][\w-]{0,254}", re.ASCII)
"""The form of the provider's ids of events, sessions, payments and disputes."""
EVENTS_KEPT = timedelta(days=30)
"""The provider repeats an event for three days; disputes are kept for good."""
OVERLAP = timedelta(hours=1)
KEPT_FOR = timedelta(days=30)
"""The provider deletes events after this."""
PAID_EVENTS = frozenset({"checkout.session.completed", "checkout.session.async_payment_succeeded"})


@dataclass(frozen=True)
class UnmatchedPayment:
    """A payment of a checkout that the database does not have: it was made after the backup."""

    payment_intent_id: str
    amount_cents: int


@dataclass(frozen=True)
class ReconciliationResult:
    """How many events were replayed, and which payments a person has to decide about."""

    since: datetime
    events: int
    strays: Sequence[UnmatchedPayment]


async def handle_event(env: JobEnvironment, event: ProviderEvent) -> None:
    """Handles an event of the provider once, in whatever order and however often events arrive.

    Events of other programs are ignored, and so are those whose object the provider lacks: they would be
    repeated for days. The event is stored in the transaction of its effect; when that fails, the provider repeats it.
    """
    if event.type not in SESSION_EVENTS | PAYMENT_EVENTS:
        return
    if not all(PROVIDER_ID.fullmatch(id) for id in (event.id, event.subject, event.payment_intent_id or "none")):
        log.warning("webhook.odd_id", event_type=event.type)
    elif not await _is_handled(env, event):
        try:
            payment = await _snapshot(env, event)
        except RefusedByProvider as error:
            log.warning("webhook.subject_unknown", event_type=event.type, code=error.code)
            return
        if payment is not None:
            await reconcile(env, payment, event)


async def reconcile(
    env: JobEnvironment, payment: PaymentSnapshot, event: ProviderEvent | None = None
) -> SettledCheckout | None:
    """Brings checkout, order, stock, refunds and disputes in line with a payment; idempotent.

    Whichever report comes first makes the order, with what was refunded or disputed by then; a report that is older
    than one that was followed undoes nothing. None for a payment that is not from our checkouts, and for an `event`
    that has been handled.
    """
    shop_url = env.resources.get(Settings).public_url
    report = _report(payment.session) if payment.session else None
    is_paid = report is not None and report.state is PaymentState.PAID
    async with begin(env.sessions) as session:
        if event and not await _first_time(session, event):
            return None
        settled = await _settle(session, report, shop_url) if report else None
        order = await _order_of(session, settled, payment)
        await refunds.record(session, order, payment.refunds, shop_url=shop_url)
        if settled and report and settled.outcome is CheckoutOutcome.UNFULFILLABLE:
            await refunds.pay_back(session, settled.checkout, report, payment.refunds, shop_url=shop_url)
        await disputes.record(session, order, payment.disputes, as_of=payment.as_of)
        if order is not None and order.canceled_at is not None:
            await refunds.follow_cancellation(session, order)
        if is_paid:
            CrashPoint.PAID_BEFORE_COMMIT.reach()
    if is_paid:
        CrashPoint.PAID_COMMITTED.reach()
    return settled


async def catch_up(env: JobEnvironment) -> ReconciliationResult:
    """Handles all events since an hour before the newest checkout, in their order; known ones have no effect.

    The shop may be open meanwhile. Raises PaymentProviderDown; events handled until then stay handled.
    """
    since = await _last_known(env)
    events = await env.resources.get(StripeGateway).events_since(since)
    strays = {}
    for event in events:
        await handle_event(env, event)
        if event.type in PAID_EVENTS and (stray := await _stray(env, event)):
            strays[stray.payment_intent_id] = stray
    return ReconciliationResult(since, len(events), tuple(strays.values()))


async def tidy(env: JobEnvironment) -> None:
    """Deletes events that are too old to be repeated."""
    old = WebhookEvent.created_at < clock.now() - EVENTS_KEPT
    async with begin(env.sessions) as session:
        await session.execute(delete(WebhookEvent).where(old, WebhookEvent.type.not_in(DISPUTE_EVENTS)))


async def _snapshot(env: JobEnvironment, event: ProviderEvent) -> PaymentSnapshot | None:
    """The payment that an event is about; None without one. Raises RefusedByProvider when it is unknown there."""
    gateway = env.resources.get(StripeGateway)
    if event.type in SESSION_EVENTS:
        return await gateway.snapshot_of_session(event.subject)
    return await gateway.snapshot_of_payment(event.payment_intent_id) if event.payment_intent_id else None


async def _settle(session: AsyncSession, report: ProviderPayment, shop_url: str) -> SettledCheckout | None:
    """None for a session whose checkout is not in the database."""
    with suppress(NotFound):
        return await orders.settle(session, report, shop_url=shop_url)
    log.info("payment.not_ours")
    return None


async def _order_of(session: AsyncSession, settled: SettledCheckout | None, payment: PaymentSnapshot) -> Order | None:
    """The order that this payment paid, locked; None without one, as where its checkout has been paid by another."""
    order, intent = settled.order if settled else None, payment.payment_intent_id
    if intent is None or (order is not None and order.payment_intent_id == intent):
        return order
    return await session.scalar(select(Order).where(Order.payment_intent_id == intent).with_for_update())


def _report(state: ProviderSession) -> ProviderPayment | None:
    """None for a session that is not from our checkouts."""
    with suppress(ValueError):
        return ProviderPayment(
            session_id=state.id,
            checkout_id=UUID(state.reference or ""),
            state=_payment_state(state),
            amount_cents=state.amount_total,
            currency=state.currency,
            payment_intent_id=state.payment_intent_id,
        )
    return None


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


async def _is_handled(env: JobEnvironment, event: ProviderEvent) -> bool:
    async with autocommit(env.sessions) as session:
        return await session.get(WebhookEvent, event.id) is not None


async def _first_time(session: AsyncSession, event: ProviderEvent) -> bool:
    """Stores the event in this transaction; False when it was stored before. Waits for a parallel transaction."""
    noted = insert(WebhookEvent).values(id=event.id, type=event.type, subject=event.subject)
    return await session.scalar(noted.on_conflict_do_nothing().returning(WebhookEvent.id)) is not None


async def _last_known(env: JobEnvironment) -> datetime:
    async with env.sessions() as session:
        newest = await session.scalar(select(func.max(Checkout.created_at)))
    forgotten = clock.now() - KEPT_FOR
    return max(newest - OVERLAP, forgotten) if newest else forgotten


async def _stray(env: JobEnvironment, event: ProviderEvent) -> UnmatchedPayment | None:
    """None for a payment that is in the database, belongs to another program, or has been refunded."""
    gateway = env.resources.get(StripeGateway)
    try:
        paid = await gateway.retrieve_session(event.subject)
    except RefusedByProvider:
        return None
    if not paid.paid or paid.payment_intent_id is None or not await _is_missing(env, paid):
        return None
    returned = sum(each.amount_cents for each in await gateway.refunds_of(paid.payment_intent_id))
    return UnmatchedPayment(paid.payment_intent_id, paid.amount_total) if returned < paid.amount_total else None


async def _is_missing(env: JobEnvironment, paid: ProviderSession) -> bool:
    try:
        checkout_id = UUID(paid.reference or "")
    except ValueError:
        return False
    async with env.sessions() as session:
        return await session.get(Checkout, checkout_id) is None

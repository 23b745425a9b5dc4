"""Reconciliation with the provider after events were missed, as after restoring a backup."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select

from server.core import clock
from server.core.jobs import JobEnvironment
from server.orders.models import Checkout
from server.payments import service
from server.payments.errors import RefusedByProvider
from server.payments.gateway import ProviderEvent, ProviderSession, StripeGateway

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


async def catch_up(env: JobEnvironment) -> ReconciliationResult:
    """Handles all events since an hour before the newest checkout, in their order; known ones have no effect.

    The shop may be open meanwhile. Raises PaymentProviderDown; events handled until then stay handled.
    """
    since = await _last_known(env)
    events = await env.resources.get(StripeGateway).events_since(since)
    strays = {}
    for event in events:
        await service.hear(env, event)
        if event.type in PAID_EVENTS and (stray := await _stray(env, event)):
            strays[stray.payment_intent_id] = stray
    return ReconciliationResult(since, len(events), tuple(strays.values()))


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

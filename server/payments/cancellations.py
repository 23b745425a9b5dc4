"""Cancellation of an order: its whole payment is refunded, once."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from server.orders import cancellations, fulfilment
from server.orders.models import Order
from server.payments import disputes, reconciliation, refunds
from server.payments.errors import RefusedByProvider
from server.payments.gateway import StripeGateway
from server.payments.models import Refund
from server.platform.core import jobs
from server.platform.core.db import begin
from server.platform.core.viewer import Viewer

log = structlog.get_logger()

AS_ASKED = "You canceled this order."
BY_SHOP = "We canceled this order."


class RefundPending(Exception):
    """An earlier refund of the order has not reached the provider yet and may still be refused."""


async def cancel_order(
    session: AsyncSession, order_id: UUID, user_id: UUID, *, within: timedelta, shop_url: str
) -> None:
    """Cancels the buyer's own order; a job refunds what is left of its payment. Idempotent.

    Raises NotFound or NotCancelable.
    """
    is_disputed = await disputes.block_refunds(session, order_id)
    if await cancellations.cancel(
        session, order_id, user_id, within=within, shop_url=shop_url, is_disputed=is_disputed
    ):
        await refunds.enqueue_rest(session, order_id, reason=AS_ASKED)


async def cancel_as_shop(
    session: AsyncSession, order_id: UUID, reason: str, *, actor: Viewer, shop_url: str, seen: str | None = None
) -> None:
    """Cancels any order on behalf of an admin.

    Raises NotFound, OrderChangedMeanwhile, NotCancelable or InvalidInput.
    """
    is_disputed = await disputes.block_refunds(session, order_id)
    if await cancellations.cancel_as_shop(
        session, order_id, reason, actor=actor, shop_url=shop_url, seen=seen, is_disputed=is_disputed
    ):
        await refunds.enqueue_rest(session, order_id, reason=BY_SHOP, asked_by=actor.email)


async def pay_out(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: refunds what is left of a canceled order, after what was refunded in the provider's dashboard.

    Nothing while a dispute blocks refunds: its end enqueues this job again. An admin may be refunding there at the same
    moment; the provider then refuses ours, and the next attempt is for less. Raises RefusedByProvider or
    RefundPending for a retry.
    """
    order_id = jobs.job_id(payload, "order_id")
    async with env.sessions() as session:
        intent = (await session.get_one(Order, order_id)).payment_intent_id
    if intent is None:
        return
    await reconciliation.reconcile(env, await env.resources.get(StripeGateway).snapshot_of_payment(intent))
    async with begin(env.sessions) as session:
        if await disputes.block_refunds(session, order_id):
            log.warning("cancellation.disputed", order=str(order_id))
            return
        refund = await _refund_rest(session, order_id, payload)
    if refund is not None:
        await refunds.pay(env, {"refund_id": str(refund.id)})
    async with env.sessions() as session:
        if refund is not None and (await session.get_one(Refund, refund.id)).status == "failed":
            raise RefusedByProvider("refund_refused")
        unasked = select(Refund.id).where(Refund.order_id == order_id, Refund.status == "pending")
        if await session.scalar(unasked.where(Refund.stripe_refund_id.is_(None)).limit(1)):
            raise RefundPending


async def _refund_rest(session: AsyncSession, order_id: UUID, payload: dict[str, Any]) -> Refund | None:
    """Requests the refund of what is left, in place of one that was refused; None when it would be refused again."""
    order = await fulfilment.locked(session, order_id)
    rest, refused = await refunds.left(session, order), await _refused(session, order_id)
    if rest == 0:
        return None
    if refused is not None and refused.amount_cents == rest:
        log.error("cancellation.unpaid", order=str(order_id))
        return None
    asked_by = payload.get("asked_by", "")
    refund = await refunds.refund_order(
        session, order_id, rest, payload.get("reason") or (BY_SHOP if asked_by else AS_ASKED)
    )
    refund.asked_by, refund.replaces_id = asked_by, refused.id if refused else None
    return refund


async def _refused(session: AsyncSession, order_id: UUID) -> Refund | None:
    """The cancellation's refund that the provider refused and nothing has replaced yet."""
    later = aliased(Refund)
    refused = select(Refund).where(
        Refund.order_id == order_id,
        Refund.status == "failed",
        Refund.stripe_refund_id.is_(None),
        Refund.reason.in_((AS_ASKED, BY_SHOP, refunds.CANCELED)),
        ~exists().where(later.replaces_id == Refund.id),
    )
    return await session.scalar(refused.limit(1))

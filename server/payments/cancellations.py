"""Cancellation of an order: its whole payment is refunded, once."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.core import jobs
from server.core.db import begin
from server.core.viewer import Viewer
from server.orders import cancellations
from server.orders.models import Order
from server.payments import refunds
from server.payments.errors import RefusedByProvider
from server.payments.gateway import StripeGateway
from server.payments.models import Refund

log = structlog.get_logger()

JOB = "cancellation"
AS_ASKED = "You canceled this order."
BY_SHOP = "We canceled this order."
MOST_REFUSALS = 5
"""After this many refusals in a row it is not a race with another refund, so the log asks for a person."""


class RefundPending(Exception):
    """An earlier refund of the order has not reached the provider yet and may still be refused."""


async def cancel_order(
    session: AsyncSession, order_id: UUID, user_id: UUID, *, within: timedelta, shop_url: str
) -> None:
    """Cancels the buyer's own order; a job refunds what is left of its payment. Idempotent.

    Raises NotFound or NotCancelable.
    """
    if await cancellations.cancel(session, order_id, user_id, within=within, shop_url=shop_url):
        await jobs.enqueue(session, JOB, {"order_id": str(order_id)}, key=f"cancellation:{order_id}")


async def cancel_as_shop(
    session: AsyncSession, order_id: UUID, reason: str, *, actor: Viewer, shop_url: str, seen: str | None = None
) -> None:
    """Cancels any order on behalf of an admin.

    Raises NotFound, OrderChangedMeanwhile, NotCancelable or InvalidInput.
    """
    if await cancellations.cancel_as_shop(session, order_id, reason, actor=actor, shop_url=shop_url, seen=seen):
        payload = {"order_id": str(order_id), "asked_by": actor.email}
        await jobs.enqueue(session, JOB, payload, key=f"cancellation:{order_id}")


async def pay_out(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: asks the provider what has been refunded, its own dashboard included, and refunds the rest.

    An admin may be refunding there at the same moment; the provider then refuses ours, and the next attempt asks for
    less. Raises RefusedByProvider or RefundPending for a retry.
    """
    order_id = jobs.job_id(payload, "order_id")
    async with env.sessions() as session:
        intent = (await session.get_one(Order, order_id)).payment_intent_id
    if intent is None:
        return
    known = await env.resources.get(StripeGateway).refunds_of(intent)
    async with begin(env.sessions) as session:
        await refunds.record(session, known, shop_url=env.resources.get(Settings).public_url)
        refused = await _refusals(session, order_id)
        reason = BY_SHOP if payload.get("asked_by") else AS_ASKED
        refund = await refunds.refund_rest(session, order_id, reason) if refused < MOST_REFUSALS else None
        if refund is not None:
            refund.asked_by = payload.get("asked_by", "")
    if refused >= MOST_REFUSALS:
        log.error("cancellation.unpaid", count=refused)
        return
    if refund is not None:
        await refunds.pay(env, {"refund_id": str(refund.id)})
    async with env.sessions() as session:
        if refund is not None and (await session.get_one(Refund, refund.id)).status == "failed":
            raise RefusedByProvider("refund_refused")
        unasked = select(Refund.id).where(Refund.order_id == order_id, Refund.status == "pending")
        if await session.scalar(unasked.where(Refund.stripe_refund_id.is_(None)).limit(1)):
            raise RefundPending


async def _refusals(session: AsyncSession, order_id: UUID) -> int:
    failed = select(func.count()).where(Refund.order_id == order_id, Refund.status == "failed")
    return await session.scalar(failed.where(Refund.reason.in_((AS_ASKED, BY_SHOP)))) or 0

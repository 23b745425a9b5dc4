"""Refunds: requested here, paid by a job, confirmed by the provider; each one counts once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

import structlog
from sqlalchemy import Text, cast, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.config import Settings
from server.core import clock, jobs, money
from server.core.crashpoints import point
from server.core.db import begin
from server.core.errors import InvalidInput, NotFound, StoreError
from server.orders import emails
from server.orders.models import Checkout, Order
from server.orders.service import ProviderPayment
from server.orders.states import HAVE_BEEN_PAID, PaymentStatus
from server.payments.errors import RefusedByProvider, ReplayedFailure
from server.payments.gateway import ProviderRefund, ProviderRefundStatus, StripeGateway
from server.payments.models import Refund

log = structlog.get_logger()

JOB = "refund"
SOLD_OUT = "What you ordered was sold out before your payment arrived."
BY_THE_SHOP = "The shop has paid back your order."
_ORDER = ["pending", "succeeded", "failed"]


@dataclass(eq=False)
class RefundTooLarge(StoreError):
    """The amount exceeds what is left of the payment."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    left_cents: int

    def __str__(self) -> str:
        return f"Only {money.dollars(self.left_cents)} of this order can still be refunded."


async def refund_order(session: AsyncSession, order_id: UUID, amount_cents: int, reason: str) -> Refund:
    """Requests a refund of part or all of an order; a job pays it. Raises NotFound or RefundTooLarge.

    `reason` is a whole sentence for the buyer. Pending refunds count as refunded.
    """
    order = await session.scalar(select(Order).where(Order.id == order_id).with_for_update())
    if order is None:
        raise NotFound("This order")
    if amount_cents < 1:
        raise InvalidInput({"amount": "must be above 0"})
    rest = await left(session, order)
    if amount_cents > rest or order.payment_intent_id is None:
        raise RefundTooLarge(rest)
    refund = Refund(
        order_id=order_id, payment_intent_id=order.payment_intent_id, amount_cents=amount_cents, reason=reason
    )
    session.add(refund)
    await session.flush()
    await enqueue(session, refund.id)
    return refund


async def refund_rest(session: AsyncSession, order_id: UUID, reason: str) -> Refund | None:
    """Refunds all that is left of an order's payment; None when nothing is left."""
    order = await session.scalar(select(Order).where(Order.id == order_id).with_for_update())
    if order is None:
        raise NotFound("This order")
    rest = await left(session, order)
    return await refund_order(session, order_id, rest, reason) if rest > 0 else None


async def left(session: AsyncSession, order: Order) -> int:
    """Cents of an order that no refund has been requested for. The order must be locked for the result to last."""
    given = await session.scalar(
        select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(
            Refund.order_id == order.id, Refund.status != "failed"
        )
    )
    return order.total_cents - int(given or 0) if order.paid_at and order.payment_intent_id else 0


async def pay_back(session: AsyncSession, checkout: Checkout, payment: ProviderPayment, *, shop_url: str) -> None:
    """Refunds a payment that cannot become an order in full, once, and mails the buyer."""
    if payment.payment_intent_id is None or payment.amount_cents == 0:
        return
    made = insert(Refund).values(
        checkout_id=checkout.id,
        payment_intent_id=payment.payment_intent_id,
        amount_cents=payment.amount_cents,
        reason=SOLD_OUT,
    )
    refund_id = await session.scalar(made.on_conflict_do_nothing().returning(Refund.id))
    if refund_id is not None:
        await emails.send_refund(session, refund_id, checkout, payment.amount_cents, SOLD_OUT, shop_url)
        await enqueue(session, refund_id)


async def record(session: AsyncSession, repayments: Sequence[ProviderRefund], *, shop_url: str) -> None:
    """Updates refunds and their order to the provider's state, those made in its dashboard included.

    A status only moves forward, so late and repeated events are harmless.
    """
    for repayment in repayments:
        order = await session.scalar(
            select(Order).where(Order.payment_intent_id == repayment.payment_intent_id).with_for_update()
        )
        refund = await _row_of(session, repayment, order)
        if refund is None:
            continue
        refund.stripe_refund_id = repayment.id
        refund.status = max(refund.status, repayment.status.value, key=_ORDER.index)
        if refund.status == "succeeded" and refund.succeeded_at is None:
            refund.succeeded_at = clock.now()
        await session.flush()
        if order is not None and refund.order_id == order.id:
            await _count(session, order)
        if order is not None and repayment.status is ProviderRefundStatus.SUCCEEDED:
            await emails.send_refund(session, refund.id, order, refund.amount_cents, refund.reason, shop_url)


async def pay(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: has the provider pay a refund, once, however often the job runs. Raises PaymentProviderDown."""
    refund_id = jobs.job_id(payload, "refund_id")
    async with env.sessions() as session:
        refund = await session.get_one(Refund, refund_id)
    if refund.stripe_refund_id is not None or refund.status == "failed":
        return
    point("refund.before-call")
    try:
        made = await _paid_once(env.resources.get(StripeGateway), refund)
    except ReplayedFailure:
        # With a new key the next attempt first checks the effect of this one.
        async with begin(env.sessions) as session:
            tried = update(Refund).where(Refund.id == refund_id, Refund.attempt == refund.attempt)
            await session.execute(tried.values(attempt=refund.attempt + 1))
        raise
    except RefusedByProvider as error:
        log.error("refund.refused", refund=str(refund_id), code=error.code)
        async with begin(env.sessions) as session:
            (await session.get_one(Refund, refund_id)).status = "failed"
        return
    point("refund.made")
    async with begin(env.sessions) as session:
        await record(session, [made], shop_url=env.resources.get(Settings).public_url)
    point("refund.noted")


async def _paid_once(gateway: StripeGateway, refund: Refund) -> ProviderRefund:
    """The refund at the provider, found in its list or created: keys are forgotten after a day, the list never is."""
    for repayment in await gateway.refunds_of(refund.payment_intent_id):
        if repayment.reference == str(refund.id):
            return repayment
    key = f"refund:{refund.id}:{refund.attempt}"
    return await gateway.refund(refund.payment_intent_id, refund.amount_cents, reference=refund.id, key=key)


async def enqueue(session: AsyncSession, refund_id: UUID) -> None:
    """Enqueues the job that pays a refund after the commit."""
    await jobs.enqueue(session, JOB, {"refund_id": str(refund_id)}, key=f"refund:{refund_id}")


async def _row_of(session: AsyncSession, repayment: ProviderRefund, order: Order | None) -> Refund | None:
    """The row of a refund, created for one made elsewhere; None when the payment is not from our checkouts."""
    ours = cast(Refund.id, Text) == (repayment.reference or "")
    known = select(Refund).where(or_(Refund.stripe_refund_id == repayment.id, ours))
    refund = await session.scalar(
        known.where(Refund.payment_intent_id == repayment.payment_intent_id).with_for_update()
    )
    if refund is None and order is not None:
        refund = Refund(
            order_id=order.id,
            payment_intent_id=repayment.payment_intent_id,
            amount_cents=repayment.amount_cents,
            reason=BY_THE_SHOP,
            status=repayment.status.value,
        )
        session.add(refund)
    return refund


async def _count(session: AsyncSession, order: Order) -> None:
    given = await session.scalar(
        select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(
            Refund.order_id == order.id, Refund.status == "succeeded"
        )
    )
    order.refunded_cents = min(int(given or 0), order.total_cents)
    if order.payment_status in HAVE_BEEN_PAID:
        order.payment_status = _payment_status(order)


def _payment_status(order: Order) -> PaymentStatus:
    if order.refunded_cents == 0:
        return PaymentStatus.PAID
    is_whole = order.refunded_cents == order.total_cents
    return PaymentStatus.REFUNDED if is_whole else PaymentStatus.PARTIALLY_REFUNDED

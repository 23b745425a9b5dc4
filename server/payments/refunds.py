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
from server.crash_points import CrashPoint
from server.orders import emails, fulfilment, reservations
from server.orders.models import Checkout, Order
from server.orders.service import ProviderPayment
from server.orders.states import HAVE_BEEN_PAID, PaymentStatus
from server.payments import disputes
from server.payments.errors import RefusedByProvider, ReplayedFailure
from server.payments.gateway import ProviderRefund, ProviderRefundStatus, StripeGateway
from server.payments.models import Refund
from server.platform.core import clock, jobs, money
from server.platform.core.db import begin
from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import InvalidInput, NotFound, StoreError

log = structlog.get_logger()

JOB, CANCELLATION_JOB = "refund", "cancellation"
SOLD_OUT = "What you ordered was sold out before your payment arrived."
BY_THE_SHOP = "The shop has paid back your order."
CANCELED = "This order was canceled."
DISPUTED = "The buyer's bank disputes this payment: the provider refunds nothing unless the shop wins"
_ORDER = ["pending", "succeeded", "failed"]


@dataclass(eq=False)
class RefundTooLarge(StoreError):
    """The amount exceeds what is left of the payment."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    left_cents: int

    def __str__(self) -> str:
        return f"Only {money.dollars(self.left_cents)} of this order can still be refunded."


async def refund_order(session: AsyncSession, order_id: UUID, amount_cents: int, reason: str) -> Refund:
    """Requests a refund of part or all of an order; a job pays it. Raises NotFound, InvalidInput or RefundTooLarge.

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
    if await disputes.block_refunds(session, order_id):
        raise InvalidInput({"amount": DISPUTED})
    refund = Refund(
        order_id=order_id, payment_intent_id=order.payment_intent_id, amount_cents=amount_cents, reason=reason
    )
    session.add(refund)
    await session.flush()
    await enqueue(session, refund.id)
    return refund


async def left(session: AsyncSession, order: Order) -> int:
    """Cents of an order that no refund has been requested for. The order must be locked for the result to last."""
    refunded_cents = await session.scalar(
        select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(
            Refund.order_id == order.id, Refund.status != "failed"
        )
    )
    return order.total_cents - int(refunded_cents or 0) if order.paid_at and order.payment_intent_id else 0


async def pay_back(
    session: AsyncSession,
    checkout: Checkout,
    payment: ProviderPayment,
    provider_refunds: Sequence[ProviderRefund],
    *,
    shop_url: str,
) -> None:
    """Refunds what is left of a payment that cannot become an order, once, and mails the buyer.

    Where the provider has paid all of it back, its last refund is stored as this one.
    """
    effective = [each for each in provider_refunds if each.status is not ProviderRefundStatus.FAILED]
    rest = payment.amount_cents - sum(each.amount_cents for each in effective)
    if payment.payment_intent_id is None or payment.amount_cents == 0:
        return
    values = {"amount_cents": rest} if rest > 0 else _stored(effective[-1])
    refund = insert(Refund).values(
        checkout_id=checkout.id, payment_intent_id=payment.payment_intent_id, reason=SOLD_OUT, **values
    )
    refund_id = await session.scalar(refund.on_conflict_do_nothing().returning(Refund.id))
    if refund_id is not None:
        await emails.send_refund(session, refund_id, checkout, payment.amount_cents, SOLD_OUT, shop_url)
        if rest > 0:
            await enqueue(session, refund_id)


def _stored(refund: ProviderRefund) -> dict[str, object]:
    succeeded_at = clock.now() if refund.status is ProviderRefundStatus.SUCCEEDED else None
    return {
        "amount_cents": refund.amount_cents,
        "status": refund.status.value,
        "stripe_refund_id": refund.id,
        "succeeded_at": succeeded_at,
    }


async def record(
    session: AsyncSession, order: Order | None, provider_refunds: Sequence[ProviderRefund], *, shop_url: str
) -> None:
    """Updates refunds and their locked order to the provider's state, those made in its dashboard included.

    A status only moves forward, so late and repeated reports are harmless. Once nothing is left of the payment, unsent
    items go back into stock; they are to be sent again if that refund fails.
    """
    for provider_refund in provider_refunds:
        refund = await _row_of(session, provider_refund, order)
        if refund is None:
            continue
        refund.stripe_refund_id = provider_refund.id
        refund.status = max(refund.status, provider_refund.status.value, key=_ORDER.index)
        if refund.status == "succeeded" and refund.succeeded_at is None:
            refund.succeeded_at = clock.now()
        await session.flush()
        if order is not None and refund.status == "succeeded":
            await emails.send_refund(session, refund.id, order, refund.amount_cents, refund.reason, shop_url)
    if order is not None and provider_refunds:
        await _follow(session, order)


async def follow_cancellation(session: AsyncSession, order: Order) -> None:
    """Enqueues the refund of what is left of a canceled order, as when a dispute ended in the shop's favor.

    Nothing while the bank decides, nor after a refund has failed: that is for an admin.
    """
    failed = select(Refund.id).where(Refund.order_id == order.id, Refund.status == "failed").limit(1)
    if await session.scalar(failed) or await disputes.block_refunds(session, order.id):
        return
    if await left(session, order) > 0:
        await enqueue_rest(session, order.id, reason=CANCELED)


async def enqueue_rest(session: AsyncSession, order_id: UUID, **payload: str) -> None:
    """Enqueues the job that refunds what is left of a canceled order."""
    payload = {"order_id": str(order_id), **payload}
    await jobs.enqueue(session, CANCELLATION_JOB, payload, key=f"cancellation:{order_id}")


async def pay(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: has the provider pay a refund, once, however often the job runs. Raises PaymentProviderDown."""
    refund_id = jobs.job_id(payload, "refund_id")
    async with env.sessions() as session:
        refund = await session.get_one(Refund, refund_id)
    if refund.stripe_refund_id is not None or refund.status == "failed":
        return
    CrashPoint.REFUND_BEFORE_CALL.reach()
    try:
        provider_refund = await _paid_once(env.resources.get(StripeGateway), refund)
    except ReplayedFailure:
        # With a new key the next attempt first checks the effect of this one.
        async with begin(env.sessions) as session:
            tried = update(Refund).where(Refund.id == refund_id, Refund.attempt == refund.attempt)
            await session.execute(tried.values(attempt=refund.attempt + 1))
        raise
    except RefusedByProvider as error:
        log.error("refund.refused", refund=str(refund_id), code=error.code)
        await _fail(env, refund)
        return
    CrashPoint.REFUND_MADE.reach()
    async with begin(env.sessions) as session:
        order = await _locked_order(session, refund)
        await record(session, order, [provider_refund], shop_url=env.resources.get(Settings).public_url)
    CrashPoint.REFUND_NOTED.reach()


async def _fail(env: jobs.JobEnvironment, refund: Refund) -> None:
    """Marks a refund that the provider refused; what it would have paid is left of its order again."""
    async with begin(env.sessions) as session:
        order = await _locked_order(session, refund)
        (await session.get_one(Refund, refund.id)).status = "failed"
        if order is not None:
            await _follow(session, order)


async def _locked_order(session: AsyncSession, refund: Refund) -> Order | None:
    return await fulfilment.locked(session, refund.order_id) if refund.order_id else None


async def _paid_once(gateway: StripeGateway, refund: Refund) -> ProviderRefund:
    """The refund at the provider, found in its list or created: keys are forgotten after a day, the list never is."""
    for provider_refund in await gateway.refunds_of(refund.payment_intent_id):
        if provider_refund.reference == str(refund.id):
            return provider_refund
    key = f"refund:{refund.id}:{refund.attempt}"
    return await gateway.refund(refund.payment_intent_id, refund.amount_cents, reference=refund.id, key=key)


async def enqueue(session: AsyncSession, refund_id: UUID) -> None:
    """Enqueues the job that pays a refund after the commit."""
    await jobs.enqueue(session, JOB, {"refund_id": str(refund_id)}, key=f"refund:{refund_id}")


async def _row_of(session: AsyncSession, provider_refund: ProviderRefund, order: Order | None) -> Refund | None:
    """The row of a refund, created for one made elsewhere; None when the payment is not of an order of ours."""
    ours = cast(Refund.id, Text) == (provider_refund.reference or "")
    query = select(Refund).where(or_(Refund.stripe_refund_id == provider_refund.id, ours))
    refund = await session.scalar(
        query.where(Refund.payment_intent_id == provider_refund.payment_intent_id).with_for_update()
    )
    if refund is None and order is not None:
        refund = Refund(
            order_id=order.id,
            payment_intent_id=provider_refund.payment_intent_id,
            amount_cents=provider_refund.amount_cents,
            reason=BY_THE_SHOP,
            status=provider_refund.status.value,
        )
        session.add(refund)
    return refund


async def _follow(session: AsyncSession, order: Order) -> None:
    """Brings a locked order's sums, status, and what is to be sent of it in line with its refunds."""
    await session.flush()
    await _count(session, order)
    await session.flush()
    if order.payment_status not in HAVE_BEEN_PAID or order.canceled_at is not None:
        return
    if await left(session, order) == 0:
        unsent = await fulfilment.call_off_refunded(session, order)
        await reservations.put_back_lines(session, order.id, unsent, "refund")
    else:
        waiting = await fulfilment.called_off_refunded(session, order)
        if waiting and await reservations.take_lines(session, order.id, waiting, "refund"):
            await fulfilment.take_up_refunded(session, order)


async def _count(session: AsyncSession, order: Order) -> None:
    refunded_cents = await session.scalar(
        select(func.coalesce(func.sum(Refund.amount_cents), 0)).where(
            Refund.order_id == order.id, Refund.status == "succeeded"
        )
    )
    order.refunded_cents = min(int(refunded_cents or 0), order.total_cents)
    if order.payment_status in HAVE_BEEN_PAID:
        order.payment_status = _payment_status(order)


def _payment_status(order: Order) -> PaymentStatus:
    if order.refunded_cents == 0:
        return PaymentStatus.PAID
    is_whole = order.refunded_cents == order.total_cents
    return PaymentStatus.REFUNDED if is_whole else PaymentStatus.PARTIALLY_REFUNDED

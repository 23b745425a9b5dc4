"""Cancellation of an order before any of it is sent."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.orders import emails, fulfilment, reservations, returns, versions
from server.orders.errors import NotCancelable
from server.orders.models import Order
from server.orders.queries import PlacedOrder
from server.orders.states import HAVE_ITEMS_SENT, PaymentStatus
from server.platform.core import clock
from server.platform.core.errors import NotFound
from server.platform.core.text import trimmed
from server.platform.core.viewer import Viewer

TOO_LATE = "The time to cancel this order is over. You can ask for a return once it is sent."
ON_ITS_WAY = "This order is on its way. You can ask for a return."
PARTLY_SENT = "Pieces of this order have been sent. What has not been sent can be refunded by line."
LONGEST_REASON = 500
NO_CANCELING: dict[str, str] = {
    PaymentStatus.REFUNDED: "This order has been paid back already.",
    PaymentStatus.PROCESSING: "The payment of this order is still on its way. It can be canceled once it has arrived.",
    PaymentStatus.FAILED: "This order was never paid for. There is nothing to cancel.",
}


def cancelable_until(order: Order | PlacedOrder, within: timedelta) -> datetime | None:
    """When the time to cancel ends or ended; None for an order that cannot be canceled at all."""
    if order.canceled_at is not None or order.payment_status in NO_CANCELING or not _is_here(order):
        return None
    return (order.paid_at or order.created_at) + within


def refusal_to_shop(order: Order | PlacedOrder) -> str | None:
    """Why an admin cannot cancel the order; None when one can."""
    return NO_CANCELING.get(order.payment_status) or (None if _is_here(order) else PARTLY_SENT)


async def cancel(
    session: AsyncSession,
    order_id: UUID,
    user_id: UUID,
    *,
    within: timedelta,
    shop_url: str,
    is_disputed: bool = False,
) -> bool:
    """Cancels the buyer's own order, releases its stock and mails the buyer; False when it was canceled before.

    Its open returns are closed. The caller refunds the payment, unless it `is_disputed`; the mail says so. Raises
    NotFound, or NotCancelable once items have been sent or `within` has passed since payment.
    """
    order = await fulfilment.locked(session, order_id)
    if order.user_id != user_id:
        raise NotFound("This order")
    if order.canceled_at is not None:
        return False
    until = cancelable_until(order, within)
    if until is None or until <= clock.now():
        sent = None if _is_here(order) else ON_ITS_WAY
        raise NotCancelable(NO_CANCELING.get(order.payment_status) or sent or TOO_LATE)
    await _call_off(session, order, actor=None, reason=None, shop_url=shop_url, is_disputed=is_disputed)
    return True


async def cancel_as_shop(
    session: AsyncSession,
    order_id: UUID,
    reason: str,
    *,
    actor: Viewer,
    shop_url: str,
    seen: str | None = None,
    is_disputed: bool = False,
) -> bool:
    """Cancels an order on behalf of an admin, at any time before items are sent; the buyer reads the `reason`.

    Raises NotFound, OrderChangedMeanwhile, NotCancelable, InvalidInput.
    """
    order = await fulfilment.locked(session, order_id)
    if order.canceled_at is not None:
        return False
    await versions.check(session, order, seen)
    words = trimmed(reason, "reason", LONGEST_REASON, missing="Say why; the buyer reads it")
    if refusal := refusal_to_shop(order):
        raise NotCancelable(refusal)
    await _call_off(session, order, actor=actor, reason=words, shop_url=shop_url, is_disputed=is_disputed)
    after = {"reason": words, "fulfilment": order.fulfilment}
    await audit.record(session, actor, "canceled", fulfilment.subject(order), after=after)
    return True


def _is_here(order: Order | PlacedOrder) -> bool:
    """Whether no item of the order has been sent."""
    return order.fulfilment not in HAVE_ITEMS_SENT


async def _call_off(
    session: AsyncSession,
    order: Order,
    *,
    actor: Viewer | None,
    reason: str | None,
    shop_url: str,
    is_disputed: bool,
) -> None:
    order.canceled_at = clock.now()
    if order.total_cents == 0:
        order.payment_status = PaymentStatus.REFUNDED
    unsent = {line.id: line.to_ship for line in (await fulfilment.lines_of(session, order.id)).values()}
    await fulfilment.call_off(session, order, unsent)
    closes_returns = await returns.close_all(session, order) > 0
    await emails.send_cancellation(
        session, order, shop_url, reason, closes_returns=closes_returns, is_disputed=is_disputed
    )
    await reservations.put_back_lines(session, order.id, unsent, "cancellation", actor=actor)

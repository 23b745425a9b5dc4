"""Calling an order off while nothing of it has been sent."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.errors import NotFound
from server.orders import letters, stock
from server.orders.errors import NotCancelable
from server.orders.models import Order
from server.orders.queries import Placed

TOO_LATE = "The time to cancel this order is over. You can still ask for a return."
NO_CANCELING = {
    "refunded": "This order has been paid back already.",
    "processing": "The payment of this order is still on its way. It can be canceled once it has arrived.",
    "failed": "This order was never paid for. There is nothing to cancel.",
}


def cancelable_until(order: Order | Placed, within: timedelta) -> datetime | None:
    """When the time to cancel ends or ended; None for an order that cannot be canceled at all."""
    if order.canceled_at is not None or order.payment_status in NO_CANCELING:
        return None
    return (order.paid_at or order.created_at) + within


async def cancel(session: AsyncSession, order_id: UUID, user_id: UUID, *, within: timedelta, shop_url: str) -> bool:
    """Cancels the buyer's own order, gives its stock back and writes so; False when it was canceled before.

    The money is the caller's to send back. Raises NotFound, or NotCancelable `within` this long after payment.
    """
    own = select(Order).where(Order.id == order_id, Order.user_id == user_id).with_for_update()
    order = await session.scalar(own.execution_options(populate_existing=True))
    if order is None:
        raise NotFound("This order")
    if order.canceled_at is not None:
        return False
    now, until = datetime.now(UTC), cancelable_until(order, within)
    if until is None or until <= now:
        raise NotCancelable(NO_CANCELING.get(order.payment_status, TOO_LATE))
    order.canceled_at = now
    if order.total_cents == 0:
        order.payment_status = "refunded"
    await session.flush()
    await letters.send_cancellation(session, order, shop_url)
    await stock.put_back(session, order.id, "cancellation")
    return True

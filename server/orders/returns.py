"""Asking to send back what was bought. The back office decides; here it is only written down."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.errors import InvalidInput, NotFound
from server.orders.errors import NotReturnable
from server.orders.models import Order, OrderLine, Return, ReturnLine

LONGEST_REASON = 1_000
NOTHING_CHOSEN = "Choose what you want to return"
TOO_LATE = "The time to return this order is over."
CANCELED = "This order was canceled. There is nothing to return."
NO_RETURNS = {
    "refunded": "This order has been paid back already.",
    "processing": "The payment of this order is still on its way.",
    "failed": "This order was never paid for. There is nothing to return.",
}


async def request(
    session: AsyncSession, order_id: UUID, user_id: UUID, pieces: Mapping[UUID, int], reason: str, *, within: timedelta
) -> None:
    """Notes a wish to return pieces, by the order's lines.

    Raises NotFound for an order or line that is not the buyer's, NotReturnable, and InvalidInput for more pieces than
    are left to return or too long a reason.
    """
    own = select(Order).where(Order.id == order_id, Order.user_id == user_id).with_for_update()
    order = await session.scalar(own.execution_options(populate_existing=True))
    if order is None:
        raise NotFound("This order")
    _check_order(order, within)
    await _check_pieces(session, order_id, pieces)
    if len(reason) > LONGEST_REASON or "\x00" in reason:
        raise InvalidInput({"reason": f"At most {LONGEST_REASON:,} characters"})
    made = Return(order_id=order_id, reason=reason.strip())
    session.add(made)
    await session.flush()
    session.add_all(ReturnLine(return_id=made.id, order_line_id=line, quantity=each) for line, each in pieces.items())


def _check_order(order: Order, within: timedelta) -> None:
    """Raises NotReturnable."""
    if order.canceled_at is not None:
        raise NotReturnable(CANCELED)
    if order.payment_status in NO_RETURNS:
        raise NotReturnable(NO_RETURNS[order.payment_status])
    if (order.paid_at or order.created_at) + within <= datetime.now(UTC):
        raise NotReturnable(TOO_LATE)


async def _check_pieces(session: AsyncSession, order_id: UUID, pieces: Mapping[UUID, int]) -> None:
    """Raises NotFound or InvalidInput."""
    if not pieces:
        raise InvalidInput({"lines": NOTHING_CHOSEN})
    asked = select(func.coalesce(func.sum(ReturnLine.quantity), 0)).where(ReturnLine.order_line_id == OrderLine.id)
    lines = select(OrderLine.id, OrderLine.name, OrderLine.quantity, asked.scalar_subquery().label("asked"))
    bought = {row.id: row for row in await session.execute(lines.where(OrderLine.order_id == order_id))}
    for line_id, quantity in pieces.items():
        if line_id not in bought:
            raise NotFound("This item")
        left = bought[line_id].quantity - bought[line_id].asked
        if not 1 <= quantity <= left:
            least = "At least 1" if quantity < 1 else f"At most {left}"
            raise InvalidInput({"lines": f"{least} of {bought[line_id].name} can be returned"})

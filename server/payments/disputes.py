"""Disputes: a buyer's bank reverses a payment, or inquires about it.

Stored as the provider reports them, for the shop to answer. While one blocks refunds, the bank decides who gets the
money: the provider refuses to pay it back, and none is promised.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders import queries as orders
from server.orders.models import Order
from server.payments.gateway import ProviderDispute
from server.payments.models import Dispute


async def record(
    session: AsyncSession, order: Order | None, disputes: Sequence[ProviderDispute], *, as_of: datetime
) -> None:
    """Updates rows to the provider's state as of a time; what was fetched later stays.

    Payments that are not from our checkouts are stored too.
    """
    for dispute in disputes:
        row = insert(Dispute).values(**vars(dispute), order_id=order.id if order else None, as_of=as_of)
        news = {
            name: row.excluded[name] for name in ("order_id", "amount_cents", "reason", "status", "answer_by", "as_of")
        }
        is_newer = Dispute.as_of <= row.excluded.as_of
        await session.execute(row.on_conflict_do_update(index_elements=[Dispute.id], set_=news, where=is_newer))


async def block_refunds(session: AsyncSession, order_id: UUID) -> bool:
    """Whether the provider refuses to refund an order's payment, because of a dispute that is open or lost."""
    return order_id in await orders.disputed_orders(session, [order_id])

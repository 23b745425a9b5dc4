"""Disputes: a buyer's bank takes a payment back, or asks to.

Stored as the provider reports them, for the shop to answer.
"""

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.models import Order
from server.payments.gateway import ProviderDispute
from server.payments.models import Dispute


async def record(session: AsyncSession, objection: ProviderDispute) -> None:
    """Updates the dispute's row to the provider's state. Payments that are not from our checkouts are stored too."""
    of_payment = select(Order.id).where(Order.payment_intent_id == objection.payment_intent_id)
    known = insert(Dispute).values(**vars(objection), order_id=await session.scalar(of_payment))
    news = {name: known.excluded[name] for name in ("amount_cents", "reason", "status", "answer_by")}
    await session.execute(known.on_conflict_do_update(index_elements=[Dispute.id], set_=news))

"""Orders that were paid, and the provider's events about their refunds."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.models import Order
from server.payments import reconciliation, refunds
from server.payments import service as payments
from server.payments.models import Refund
from server.platform.core.db import begin
from tests.payments.conftest import Till
from tests.payments.provider import Provider

REFUND_PENDING, REFUND_FAILS = "4000000000007726", "4000000000005126"
REASON = "One shirt came back."


async def bought(till: Till, provider: Provider, card: str = "4242424242424242") -> Order:
    """A paid order of $98.00."""
    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "", card)
    settled = await payments.complete_checkout(till.env, till.shopper.id, checkout.stripe_session_id or "")
    assert settled.order is not None
    return settled.order


async def refund(till: Till, order: Order, cents: int) -> Refund:
    async with begin(till.env.sessions) as own:
        return await refunds.refund_order(own, order.id, cents, REASON)


async def deliver_events(till: Till, provider: Provider, order: Order) -> None:
    for event in provider.news_of(order.payment_intent_id or ""):
        await reconciliation.handle_event(till.env, event)


async def payment_state(session: AsyncSession) -> tuple[str, int]:
    """The order's payment status and what was paid back, read anew."""
    await session.rollback()
    row = (await session.execute(select(Order.payment_status, Order.refunded_cents))).one()
    return row.payment_status, row.refunded_cents

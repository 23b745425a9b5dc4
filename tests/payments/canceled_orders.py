"""Canceling orders, and carrying out their refunds."""

from datetime import timedelta
from uuid import UUID

from server.config import Settings
from server.orders.models import Order
from server.payments import cancellations
from server.platform.core.db import begin
from tests.payments.conftest import Till


async def cancel(till: Till, order: Order, user_id: UUID | None = None) -> None:
    settings = till.env.resources.get(Settings)
    async with begin(till.env.sessions) as own:
        await cancellations.cancel_order(
            own,
            order.id,
            user_id or till.shopper.id,
            within=timedelta(minutes=settings.cancel_minutes),
            shop_url=settings.public_url,
        )


async def pay_out(till: Till, order: Order) -> None:
    await cancellations.pay_out(till.env, {"order_id": str(order.id)})

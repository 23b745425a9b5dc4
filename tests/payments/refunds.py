"""Refunds of orders and of their lines, by an admin."""

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

from sqlalchemy import select

from server.orders import fulfilment
from server.orders.models import Order, OrderLine
from server.payments import order_refunds
from server.payments.models import Refund
from server.payments.order_refunds import RefundRequest
from server.platform.core.db import begin
from server.platform.core.viewer import Role, Viewer
from tests.payments.conftest import Till

SHOP = "http://shop.test"
UPS = fulfilment.ShipmentTracking("UPS", "1Z")
ADMIN = Viewer(
    user_id=uuid4(),
    session_id=uuid4(),
    email="admin@minimal.test",
    name="Alan Admin",
    role=Role.ADMIN,
    is_primary=False,
    expires_at=datetime.now(UTC) + timedelta(hours=1),
)


async def line_of(till: Till) -> UUID:
    async with till.env.sessions() as session:
        return (await session.scalars(select(OrderLine.id))).one()


async def pay_back(till: Till, order: Order, wish: RefundRequest) -> Refund:
    async with begin(till.env.sessions) as own:
        new_refund = await order_refunds.refund(own, order.id, wish, actor=ADMIN)
        assert new_refund is not None
        return new_refund

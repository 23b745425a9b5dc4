"""Sending the pieces of an order, and taking them back."""

from datetime import timedelta

from server.orders import fulfilment, returns
from server.orders.models import Order
from server.platform.core.db import begin
from tests.payments.conftest import Till
from tests.payments.refunds import ADMIN, SHOP, UPS, line_of

MONTH = timedelta(days=30)


async def send(till: Till, order: Order, quantity: int | None = None) -> None:
    pieces = None if quantity is None else {await line_of(till): quantity}
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, pieces, UPS, actor=ADMIN, shop_url=SHOP)


async def ask_back(till: Till, order: Order, quantity: int) -> None:
    async with begin(till.env.sessions) as own:
        pieces = {await line_of(till): quantity}
        await returns.request(own, order.id, till.shopper.id, pieces, "Too small.", within=MONTH)

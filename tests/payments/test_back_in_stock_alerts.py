"""Back-in-stock alerts when a released checkout returns its items."""

from datetime import timedelta

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders import checkouts
from server.platform.core.db import begin
from server.wishlist import back_in_stock
from server.wishlist.models import StockAlert
from tests.cart.stock import make_shopper, stock_of
from tests.payments.conftest import Till


async def test_an_abandoned_payment_is_reported_while_its_items_stay_reserved(
    till: Till, session: AsyncSession
) -> None:
    waiting = await make_shopper(session)
    await till.put(5)
    checkout = await till.start()
    async with begin(till.env.sessions) as own:
        await back_in_stock.ask(own, till.goods.variant_id, till.shopper.email, user_id=waiting.id)

    async with begin(till.env.sessions) as own:
        await checkouts.release(own, checkout.id)
    await back_in_stock.sweep(till.env)
    at_once = await till.mails()
    async with begin(till.env.sessions) as own:
        await own.execute(update(StockAlert).values(back_at=StockAlert.back_at - timedelta(seconds=61)))
    await back_in_stock.sweep(till.env)

    assert await stock_of(session, till.goods.variant_id) == 5
    assert at_once == []
    assert await till.mails() == ["Oxford Shirt is back in M"]

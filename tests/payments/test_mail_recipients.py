"""Mails about an order go to the e-mail that its buyer has then, or to the order's own without an account."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.identity import service as identity
from server.identity.models import User
from server.mail.models import Mail
from server.orders import checkouts, emails, fulfilment, returns
from server.orders.models import Order, Return, ReturnLine
from server.payments import cancellations
from server.payments import service as payments
from server.platform.core.db import begin
from tests.payments.conftest import Till
from tests.payments.paid_orders import refund
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN, SHOP, UPS, line_of

NEW, LATER = "ada@new.example", "ada@later.example"


async def change_email(till: Till, email: str) -> None:
    async with begin(till.env.sessions) as own:
        await own.execute(update(User).where(User.id == till.shopper.id).values(email=email))


async def recipients(till: Till) -> list[str]:
    async with till.env.sessions() as session:
        return list(await session.scalars(select(Mail.recipient).order_by(Mail.id)))


async def paid_after_change(till: Till, provider: Provider) -> Order:
    """An order of $98.00 whose buyer changed the e-mail between the checkout and its payment."""
    checkout = await till.start()
    await change_email(till, NEW)
    provider.pay(checkout.stripe_session_id or "", "4242424242424242")
    settled = await payments.complete_checkout(till.env, till.shopper.id, checkout.stripe_session_id or "")
    assert settled.order is not None
    return settled.order


Step = Callable[[Till, Order], Awaitable[None]]


async def send(till: Till, order: Order) -> None:
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)


async def send_and_correct(till: Till, order: Order) -> None:
    async with begin(till.env.sessions) as own:
        shipment = await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)
        other = fulfilment.ShipmentTracking("UPS", "1Z2")
        await fulfilment.correct(own, shipment.id, other, actor=ADMIN, shop_url=SHOP)


async def pay_back(till: Till, order: Order) -> None:
    await refund(till, order, 1_000)
    await till.work()


async def call_off(till: Till, order: Order) -> None:
    async with begin(till.env.sessions) as own:
        await cancellations.cancel_as_shop(own, order.id, "Sold out.", actor=ADMIN, shop_url=SHOP)
    await till.work()


async def fail(till: Till, order: Order) -> None:
    async with begin(till.env.sessions) as own:
        await emails.send_failure(own, await own.get_one(Order, order.id), SHOP)


async def accept_and_receive(till: Till, order: Order) -> None:
    wish = await ask_back(till, order)
    async with begin(till.env.sessions) as own:
        await returns.accept(own, wish, "Please.", "", send_to=["Minimal"], actor=ADMIN, shop_url=SHOP)
        await returns.receive(own, wish, None, actor=ADMIN, shop_url=SHOP)


async def refuse(till: Till, order: Order) -> None:
    wish = await ask_back(till, order)
    async with begin(till.env.sessions) as own:
        await returns.refuse(own, wish, "They were worn.", actor=ADMIN, shop_url=SHOP)


async def ask_back(till: Till, order: Order) -> UUID:
    """A return of one piece, of an order that is sent, from a buyer or a former one."""
    await send(till, order)
    line = await line_of(till)
    async with begin(till.env.sessions) as own:
        wish = Return(order_id=order.id, reason="Too small.")
        own.add(wish)
        await own.flush()
        own.add(ReturnLine(return_id=wish.id, order_line_id=line, quantity=1))
    return wish.id


STEPS: list[tuple[Step, int]] = [
    (send, 1),
    (send_and_correct, 2),
    (pay_back, 1),
    (call_off, 2),
    (fail, 1),
    (accept_and_receive, 3),
    (refuse, 2),
]


@pytest.mark.parametrize(("step", "mails"), STEPS, ids=lambda value: getattr(value, "__name__", None))
@pytest.mark.parametrize("is_deleted", [False, True])
async def test_each_mail_goes_to_the_address_of_then(
    till: Till, provider: Provider, step: Step, mails: int, is_deleted: bool
) -> None:
    order = await paid_after_change(till, provider)
    await change_email(till, LATER)
    if is_deleted:
        async with begin(till.env.sessions) as own:
            await identity.erase(own, till.shopper.id)

    await step(till, order)

    assert await recipients(till) == [NEW] + [NEW if is_deleted else LATER] * mails


async def test_an_order_keeps_the_address_of_its_payment(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await paid_after_change(till, provider)
    await change_email(till, LATER)

    stored = await session.scalar(select(Order.email).where(Order.id == order.id))
    assert (stored, await recipients(till)) == (NEW, [NEW])


async def test_a_payment_that_leads_to_no_order_is_reported_to_the_address_of_then(
    till: Till, provider: Provider
) -> None:
    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "")
    async with begin(till.env.sessions) as own:
        await checkouts.release(own, checkout.id)
        await own.execute(update(Variant).values(stock=0))
    await change_email(till, NEW)

    await payments.complete_checkout(till.env, till.shopper.id, checkout.stripe_session_id or "")

    assert await recipients(till) == [NEW]

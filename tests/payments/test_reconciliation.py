"""Reconciliation: missed events are handled, and payments without a checkout are listed."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.models import Order
from server.payments import reconciliation
from server.payments.gateway import NewSession, SessionLineItem, StripeGateway
from server.payments.models import WebhookEvent
from server.payments.reconciliation import UnmatchedPayment
from server.platform.core.jobs import JobEnvironment
from tests.payments.conftest import Till
from tests.payments.provider import Provider


@pytest.fixture(autouse=True)
def own_ledger(provider: Provider) -> None:
    """Nothing that other tests paid."""
    provider.tell("/_control/reset")
    provider.quiet()


async def pay_for_nothing_we_know(env: JobEnvironment, provider: Provider, cents: int) -> str:
    """A payment of a checkout that is not in the books; its id."""
    gateway = env.resources.get(StripeGateway)
    ends = datetime.now(UTC) + timedelta(hours=1)
    new = NewSession(uuid4(), [SessionLineItem("Shirt", "Indigo, M", cents, 1)], "usd", "ada@minimal.test", ends)
    form = await gateway.create_session(new, key=str(new.reference))
    assert provider.pay(form.id) == 200
    return str((await gateway.retrieve_session(form.id)).payment_intent_id)


async def test_a_payment_that_nobody_heard_of_becomes_its_order_once(
    till: Till, env: JobEnvironment, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    provider.pay(str(checkout.stripe_session_id))

    first = await reconciliation.catch_up(env)
    again = await reconciliation.catch_up(env)

    [order] = (await session.scalars(select(Order))).all()
    assert (order.checkout_id, order.payment_status, order.total_cents) == (checkout.id, "paid", 9_800)
    assert (list(first.strays), list(again.strays)) == ([], [])
    assert await till.mails() == [f"Your order {order.quoted}"]


async def test_a_refund_that_nobody_heard_of_is_counted(
    till: Till, env: JobEnvironment, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    provider.pay(str(checkout.stripe_session_id))
    await reconciliation.catch_up(env)
    await session.execute(delete(WebhookEvent))
    await session.commit()
    intent = (await session.scalars(select(Order.payment_intent_id))).one()
    provider.tell(f"/_control/payments/{intent}/refund", amount=800)

    await reconciliation.catch_up(env)

    await session.rollback()
    assert (await session.execute(select(Order.payment_status, Order.refunded_cents))).all() == [
        ("partially_refunded", 800)
    ]


async def test_payments_without_an_order_are_listed_until_they_are_refunded(
    till: Till, env: JobEnvironment, provider: Provider
) -> None:
    payment = await pay_for_nothing_we_know(env, provider, 1_234)
    returned = await pay_for_nothing_we_know(env, provider, 5_000)
    provider.tell(f"/_control/payments/{returned}/refund")

    heard = await reconciliation.catch_up(env)

    assert heard.strays == (UnmatchedPayment(payment, 1_234),)

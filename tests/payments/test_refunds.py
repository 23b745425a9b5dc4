"""Refunds are exact to the cent and made once."""

import asyncio
from uuid import uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.orders import payment_issues
from server.orders.models import Order, OrderLine
from server.payments import reconciliation, refunds
from server.payments.errors import PaymentProviderDown
from server.payments.gateway import StripeGateway
from server.payments.models import Dispute, Refund, WebhookEvent
from server.payments.refunds import RefundTooLarge
from server.platform.core.errors import InvalidInput, NotFound
from tests.cart.stock import number_of, stock_of
from tests.payments.conftest import Till
from tests.payments.paid_orders import REFUND_PENDING, bought, deliver_events, payment_state, refund
from tests.payments.provider import Provider


async def test_a_refund_in_parts_is_counted_to_the_cent(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)

    await refund(till, order, 3333)
    await till.work()
    after_one = await payment_state(session)
    await refund(till, order, 6467)
    await till.work()

    assert after_one == ("partially_refunded", 3333)
    assert await payment_state(session) == ("refunded", 9800)
    assert provider.refunds_of(order.payment_intent_id or "") == [3333, 6467]
    assert (await till.mails())[1:] == [f"Refund for your order {order.quoted}"] * 2


async def test_no_more_is_refunded_than_was_paid_even_by_two_admins_at_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)

    results = await asyncio.gather(*(refund(till, order, 9000) for _ in range(3)), return_exceptions=True)
    await till.work()

    refusals = [result for result in results if isinstance(result, RefundTooLarge)]
    assert [str(refusal) for refusal in refusals] == ["Only $8.00 of this order can still be refunded."] * 2
    assert provider.refunds_of(order.payment_intent_id or "") == [9000]
    assert await payment_state(session) == ("partially_refunded", 9000)


async def test_a_refund_needs_an_order_and_an_amount(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)

    for cents in (0, -1):
        with pytest.raises(InvalidInput):
            await refund(till, order, cents)
    order.id = uuid4()
    with pytest.raises(NotFound):
        await refund(till, order, 100)


async def test_a_job_that_ran_twice_pays_once(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    new_refund = await refund(till, order, 1000)

    await asyncio.gather(*(refunds.pay(till.env, {"refund_id": str(new_refund.id)}) for _ in range(3)))
    await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [1000]
    assert await payment_state(session) == ("partially_refunded", 1000)


async def test_a_failure_that_the_provider_keeps_under_a_key_does_not_keep_the_money(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    new_refund = await refund(till, order, 1000)
    provider.fail("error", path="/v1/refunds", method="POST")

    with pytest.raises(PaymentProviderDown):
        await refunds.pay(till.env, {"refund_id": str(new_refund.id)})
    await asyncio.gather(*(refunds.pay(till.env, {"refund_id": str(new_refund.id)}) for _ in range(3)))

    assert provider.refunds_of(order.payment_intent_id or "") == [1000]
    assert await payment_state(session) == ("partially_refunded", 1000)


@pytest.mark.parametrize("fault", ["error_after", "lost"])
async def test_a_refund_whose_answer_was_lost_is_found_again_and_not_repeated(
    till: Till, provider: Provider, session: AsyncSession, fault: str
) -> None:
    order = await bought(till, provider)
    new_refund = await refund(till, order, 1000)
    provider.fail(fault, 3, path="/v1/refunds", method="POST")

    for _ in range(4):
        try:
            await refunds.pay(till.env, {"refund_id": str(new_refund.id)})
        except PaymentProviderDown:
            continue

    assert provider.refunds_of(order.payment_intent_id or "") == [1000]
    assert await payment_state(session) == ("partially_refunded", 1000)


async def test_refunds_from_the_providers_own_pages_come_into_the_order(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=1)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=99)

    await deliver_events(till, provider, order)
    await deliver_events(till, provider, order)

    assert await payment_state(session) == ("partially_refunded", 100)
    assert await number_of(session, Refund) == 2


async def test_news_that_overtakes_the_job_does_not_count_its_refund_twice(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    new_refund = await refund(till, order, 500)
    gateway = till.env.resources.get(StripeGateway)
    await gateway.refund(order.payment_intent_id or "", 500, reference=new_refund.id, key=f"refund:{new_refund.id}:1")

    await deliver_events(till, provider, order)
    await till.work()

    assert await number_of(session, Refund) == 1
    assert await payment_state(session) == ("partially_refunded", 500)


async def test_a_pending_refund_counts_when_it_succeeds(till: Till, provider: Provider, session: AsyncSession) -> None:
    provider.tell("/_control/settings", settle_after_ms=600_000)
    order = await bought(till, provider, REFUND_PENDING)
    await refund(till, order, 500)
    await till.work()
    assert await payment_state(session) == ("paid", 0)

    await reconcile_newest_first(till, provider, order, "settle")

    assert await payment_state(session) == ("partially_refunded", 500)


async def test_a_refund_that_fails_later_is_no_longer_counted(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await refund(till, order, 9800)
    await till.work()
    assert await payment_state(session) == ("refunded", 9800)

    await reconcile_newest_first(till, provider, order, "fail")

    assert await payment_state(session) == ("paid", 0)
    assert await session.scalar(select(Refund.status)) == "failed"


async def reconcile_newest_first(till: Till, provider: Provider, order: Order, change: str) -> None:
    """Changes the only refund at the provider; the state of before is handled after the new one."""
    gateway, intent = till.env.resources.get(StripeGateway), order.payment_intent_id or ""
    before = await gateway.snapshot_of_payment(intent)
    provider.tell(f"/_control/refunds/{before.refunds[0].id}/{change}")
    for payment in (await gateway.snapshot_of_payment(intent), before):
        await reconciliation.reconcile(till.env, payment)


async def test_a_refund_that_the_provider_refuses_is_marked_and_can_be_asked_for_again(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await refund(till, order, 9800)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=100)

    await till.work()
    await deliver_events(till, provider, order)
    await refund(till, order, 9700)
    await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [100, 9700]
    assert await payment_state(session) == ("refunded", 9800)


async def test_a_refused_refund_leaves_its_pieces_to_be_sent_again(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await refund(till, order, 9700)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=100)
    await deliver_events(till, provider, order)
    before = await session.scalar(select(OrderLine.called_off)), await stock_of(session, till.goods.variant_id)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=100)

    await till.work()

    await session.rollback()
    after = await session.scalar(select(OrderLine.called_off)), await stock_of(session, till.goods.variant_id)
    assert (before, after) == ((2, 5), (0, 3))


@pytest.mark.parametrize("is_refund_first", [True, False])
async def test_a_refund_heard_of_before_its_order_is_not_lost(
    till: Till, provider: Provider, session: AsyncSession, is_refund_first: bool
) -> None:
    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "")
    intent = provider.session(checkout.stripe_session_id or "")["payment_intent"]
    provider.tell(f"/_control/payments/{intent}/refund")

    for event in sorted(provider.news_of(intent), key=lambda event: ("refund" in event.type) != is_refund_first):
        await reconciliation.handle_event(till.env, event)

    assert await payment_state(session) == ("refunded", 9800)
    assert await session.scalar(select(Order.fulfilment)) == "canceled"
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_dispute_heard_of_before_its_order_belongs_to_it(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    checkout = await till.start()
    provider.pay(checkout.stripe_session_id or "")
    intent = provider.session(checkout.stripe_session_id or "")["payment_intent"]
    provider.tell(f"/_control/payments/{intent}/dispute")

    for event in provider.news_of(intent):
        await reconciliation.handle_event(till.env, event)

    assert await session.scalar(select(Dispute.order_id)) == await session.scalar(select(Order.id))


async def test_a_full_refund_in_the_dashboard_leaves_nothing_to_send_until_it_fails(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    new_refund = provider.tell(f"/_control/payments/{order.payment_intent_id}/refund")["refund"]
    await deliver_events(till, provider, order)
    stock, fulfilment = await stock_of(session, till.goods.variant_id), await session.scalar(select(Order.fulfilment))

    provider.tell(f"/_control/refunds/{new_refund['id']}/fail")
    await deliver_events(till, provider, order)
    after = await stock_of(session, till.goods.variant_id)
    again = await session.scalar(select(Order.fulfilment))
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund")
    await deliver_events(till, provider, order)

    assert (stock, fulfilment) == (5, "canceled")
    assert (after, again) == (3, "unfulfilled")
    assert await stock_of(session, till.goods.variant_id) == 5
    assert await payment_state(session) == ("refunded", 9800)


async def test_pieces_that_were_sold_meanwhile_are_not_to_be_sent_when_a_refund_fails(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    new_refund = provider.tell(f"/_control/payments/{order.payment_intent_id}/refund")["refund"]
    await deliver_events(till, provider, order)
    await session.execute(update(Variant).values(stock=1))
    await session.commit()

    provider.tell(f"/_control/refunds/{new_refund['id']}/fail")
    await deliver_events(till, provider, order)

    assert await payment_state(session) == ("paid", 0)
    assert await session.scalar(select(Order.fulfilment)) == "canceled"
    assert await stock_of(session, till.goods.variant_id) == 1
    [issue] = await payment_issues.troubles(session, open_only=True, limit=10)
    assert (issue.kind, issue.order_id) == ("refund_failed", order.id)


async def test_an_older_state_of_a_dispute_never_replaces_a_newer_one(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    dispute = provider.tell(f"/_control/payments/{order.payment_intent_id}/dispute")["dispute"]
    gateway = till.env.resources.get(StripeGateway)
    before = await gateway.snapshot_of_payment(order.payment_intent_id or "")
    provider.tell(f"/_control/disputes/{dispute['id']}/answer", status="won")

    for payment in (await gateway.snapshot_of_payment(order.payment_intent_id or ""), before):
        await reconciliation.reconcile(till.env, payment)

    assert await session.scalar(select(Dispute.status)) == "won"


async def test_a_dispute_is_written_down(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/dispute", reason="fraudulent")

    await deliver_events(till, provider, order)

    [noted] = (await session.scalars(select(WebhookEvent).where(WebhookEvent.type == "charge.dispute.created"))).all()
    assert noted.subject == provider.ledger("disputes")[-1]["id"]

"""Cancellation of an order: the whole payment and stock return once, also under concurrency."""

import asyncio
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.mail.models import Mail
from server.orders import payment_issues
from server.orders.errors import NotCancelable
from server.orders.models import Order
from server.payments import refunds
from server.payments.cancellations import RefundPending
from server.payments.errors import RefusedByProvider
from server.payments.models import Refund
from server.payments.refunds import RefundTooLarge
from server.platform.core.db import begin
from server.platform.core.errors import InvalidInput, NotFound
from tests.cart.stock import make_shopper, number_of, stock_of
from tests.payments.canceled_orders import cancel, pay_out
from tests.payments.conftest import Till
from tests.payments.paid_orders import bought, deliver_events, payment_state, refund
from tests.payments.provider import Provider

LATE = "The time to cancel this order is over. You can ask for a return once it is sent."
ON_ITS_WAY = "The payment of this order is still on its way. It can be canceled once it has arrived."


async def change(till: Till, **values: object) -> None:
    async with begin(till.env.sessions) as own:
        await own.execute(update(Order).values(**values))


async def test_all_the_money_and_all_the_pieces_go_back_and_mails_say_so(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)

    await cancel(till, order)
    await till.work()

    assert await payment_state(session) == ("refunded", 9800)
    assert provider.refunds_of(order.payment_intent_id or "") == [9800]
    assert await stock_of(session, till.goods.variant_id) == 5
    assert (await till.mails())[1:] == [
        f"Your order {order.quoted} is canceled",
        f"Refund for your order {order.quoted}",
    ]


async def test_many_cancels_at_once_are_one(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)

    await asyncio.gather(*(cancel(till, order) for _ in range(8)))
    await asyncio.gather(*(pay_out(till, order) for _ in range(3)), return_exceptions=True)
    await till.work()
    await cancel(till, order)
    await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [9800]
    assert await stock_of(session, till.goods.variant_id) == 5
    assert await payment_state(session) == ("refunded", 9800)
    assert len(await till.mails()) == 3


@pytest.mark.parametrize("news_first", [True, False])
async def test_a_refund_on_the_providers_pages_leaves_only_the_rest_to_send(
    till: Till, provider: Provider, session: AsyncSession, news_first: bool
) -> None:
    order = await bought(till, provider)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=3000)
    if news_first:
        await deliver_events(till, provider, order)

    await cancel(till, order)
    await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [3000, 6800]
    assert await payment_state(session) == ("refunded", 9800)
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_refund_that_overtakes_ours_makes_the_next_try_ask_for_less(
    till: Till, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = await bought(till, provider)
    await cancel(till, order)
    pay = refunds.pay

    async def overtaken(*given: object) -> None:
        monkeypatch.setattr(refunds, "pay", pay)
        provider.tell(f"/_control/payments/{order.payment_intent_id}/refund", amount=3000)
        await pay(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(refunds, "pay", overtaken)
    with pytest.raises(RefusedByProvider):
        await pay_out(till, order)
    await pay_out(till, order)
    await pay_out(till, order)

    assert provider.refunds_of(order.payment_intent_id or "") == [3000, 6800]
    assert await payment_state(session) == ("refunded", 9800)


async def test_the_shops_own_refunds_and_a_cancel_at_once_pay_back_no_more_than_was_paid(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)

    results = await asyncio.gather(
        *(refund(till, order, 9000) for _ in range(3)), cancel(till, order), return_exceptions=True
    )
    await till.work()

    assert {type(result) for result in results} == {Refund, RefundTooLarge, type(None)}
    assert sorted(provider.refunds_of(order.payment_intent_id or "")) == [800, 9000]
    assert await payment_state(session) == ("refunded", 9800)
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_a_refund_of_the_shops_that_comes_to_nothing_is_made_up_for(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    waiting = await refund(till, order, 9000)
    await cancel(till, order)

    with pytest.raises(RefundPending):
        await pay_out(till, order)
    async with begin(till.env.sessions) as own:
        await own.execute(update(Refund).where(Refund.id == waiting.id).values(status="failed"))
    await pay_out(till, order)

    assert provider.refunds_of(order.payment_intent_id or "") == [800, 9000]
    assert await payment_state(session) == ("refunded", 9800)


async def test_a_refused_refund_is_one_entry_and_not_asked_for_again(
    till: Till, provider: Provider, session: AsyncSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = await bought(till, provider)
    await cancel(till, order)

    async def refuse(*_: object) -> None:
        raise RefusedByProvider("card_unsupported")

    monkeypatch.setattr(refunds, "_paid_once", refuse)
    with pytest.raises(RefusedByProvider):
        await pay_out(till, order)
    for _ in range(4):
        await pay_out(till, order)

    assert await number_of(session, Refund) == 1
    assert await payment_state(session) == ("paid", 0)


@pytest.mark.parametrize("outcome", ["won", "lost"])
async def test_canceling_a_disputed_order_refunds_only_after_the_dispute_is_won(
    till: Till, provider: Provider, session: AsyncSession, outcome: str
) -> None:
    order = await bought(till, provider)
    dispute = provider.tell(f"/_control/payments/{order.payment_intent_id}/dispute")["dispute"]
    await deliver_events(till, provider, order)
    with pytest.raises(InvalidInput, match="bank disputes"):
        await refund(till, order, 100)

    await cancel(till, order)
    await till.work()
    text = await session.scalar(select(Mail.text_body).where(Mail.subject == f"Your order {order.quoted} is canceled"))
    unpaid = await number_of(session, Refund)
    [issue] = await payment_issues.troubles(session, open_only=True, limit=10)
    provider.tell(f"/_control/disputes/{dispute['id']}/answer", status=outcome)
    await deliver_events(till, provider, order)
    await till.work()

    assert "so the bank decides whether that goes back to you" in " ".join((text or "").split())
    assert (unpaid, issue.kind, issue.id) == (0, "disputed", dispute["id"])
    assert await stock_of(session, till.goods.variant_id) == 5
    paid_back = [9800] if outcome == "won" else []
    assert provider.refunds_of(order.payment_intent_id or "") == paid_back
    assert await payment_state(session) == (("refunded", 9800) if outcome == "won" else ("paid", 0))
    assert await payment_issues.troubles(session, open_only=True, limit=10) == []


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"paid_at": datetime(2026, 1, 1, tzinfo=UTC)}, LATE),
        ({"payment_status": "refunded"}, "This order has been paid back already."),
        ({"payment_status": "failed"}, "This order was never paid for. There is nothing to cancel."),
        ({"payment_status": "processing"}, ON_ITS_WAY),
    ],
)
async def test_what_cannot_be_called_off_says_why_and_stays(
    till: Till, provider: Provider, session: AsyncSession, values: dict[str, object], reason: str
) -> None:
    order = await bought(till, provider)
    await change(till, **values)

    with pytest.raises(NotCancelable) as refusal:
        await cancel(till, order)
    await till.work()

    assert str(refusal.value) == reason
    assert await stock_of(session, till.goods.variant_id) == 3
    assert await session.scalar(select(Order.canceled_at)) is None
    assert provider.refunds_of(order.payment_intent_id or "") == []


async def test_the_last_minute_still_counts(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    await change(till, paid_at=datetime.now(UTC) - timedelta(minutes=119))

    await cancel(till, order)

    assert await stock_of(session, till.goods.variant_id) == 5


async def test_an_order_of_nothing_has_nothing_to_send_back(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await change(till, total_cents=0, payment_intent_id=None)

    await cancel(till, order)
    await till.work()

    assert await payment_state(session) == ("refunded", 0)
    assert await stock_of(session, till.goods.variant_id) == 5


async def test_somebody_elses_order_is_not_found(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    other = await make_shopper(session)

    with pytest.raises(NotFound):
        await cancel(till, order, other.id)
    order.id = uuid4()
    with pytest.raises(NotFound):
        await cancel(till, order)

"""Refunds by line: exact to the cent, once, also under concurrency; and returns up to their refund."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.models import StockMovement
from server.mail.models import Mail
from server.orders import admin_queries, fulfilment, payment_issues, proration, returns
from server.orders.errors import NotCancelable, NotFulfillable, ReturnAnswered
from server.orders.models import Checkout, Order, OrderLine, Return
from server.orders.returns import ReceivedQuantity
from server.payments import cancellations, order_refunds, refunds
from server.payments.admin import RefundInput, RefundLineInput
from server.payments.errors import NotRetriable
from server.payments.models import Refund, RefundLine
from server.payments.order_refunds import RefundRequest
from server.payments.refunds import RefundTooLarge
from server.platform.core.db import begin
from server.platform.core.errors import InvalidInput
from tests.cart.stock import number_of, stock_of
from tests.payments.conftest import Till, until
from tests.payments.paid_orders import REFUND_FAILS, bought, deliver_events, payment_state
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN, SHOP, UPS, line_of, pay_back


async def bought_with_a_free_piece(till: Till, provider: Provider) -> tuple[Order, UUID]:
    """Two pieces of one line at $49.00, and a line of one piece at nothing; its id."""
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        names = {"name": "Tote", "color": "", "size": "", "sku": "TOTE"}
        prices = {"unit_price_cents": 0, "list_price_cents": 0}
        own.add(free := OrderLine(order_id=order.id, position=9, quantity=1, **names, **prices))
        await own.flush()
        return order, free.id


async def discounted(till: Till) -> None:
    """The same $98.00, made of two pieces less $1.01, and $1.01 for delivery."""
    async with begin(till.env.sessions) as own:
        await own.execute(update(Order).values(discount_cents=101, shipping_cents=101))
        await own.execute(update(OrderLine).values(discount_cents=101))


async def actions(session: AsyncSession) -> list[str]:
    await session.rollback()
    return list(await session.scalars(select(AuditEntry.action).order_by(AuditEntry.id)))


@given(paid=st.integers(0, 10**9), parts=st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_a_lines_pieces_paid_back_in_any_parts_are_its_money(paid: int, parts: list[int]) -> None:
    given_back, cents = 0, []
    for part in parts:
        cents.append(proration.of_pieces(paid, sum(parts), given_back, part))
        given_back += part

    assert sum(cents) == paid
    assert all(abs(each - paid * part / sum(parts)) <= 1 for each, part in zip(cents, parts, strict=True))


async def test_pieces_take_their_share_of_the_discount_and_the_last_takes_the_rest(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await discounted(till)
    line = await line_of(till)

    for wish in (RefundRequest({line: 1}), RefundRequest(shipping_cents=101), RefundRequest({line: 1})):
        await pay_back(till, order, wish)
        await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [4849, 101, 4850]
    assert await payment_state(session) == ("refunded", 9800)
    assert await actions(session) == ["refunded"] * 3


async def test_all_at_once_is_all_that_is_left_after_a_gesture(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    line = await line_of(till)

    await pay_back(till, order, RefundRequest(amount_cents=1))
    await pay_back(till, order, RefundRequest({line: 2}))
    await till.work()

    assert sorted(provider.refunds_of(order.payment_intent_id or "")) == [1, 9799]


async def test_what_was_withheld_for_a_worn_piece_stays_with_the_shop(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)

    for amount in (1000, None):
        returned = await received(till, order, 1)
        async with begin(till.env.sessions) as own:
            await order_refunds.refund_return(own, returned, RefundRequest(amount_cents=amount), actor=ADMIN)
    await till.work()

    assert sorted(provider.refunds_of(order.payment_intent_id or "")) == [1000, 4900]


async def test_delivery_after_a_withheld_amount_is_delivery_alone(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await discounted(till)
    await pay_back(till, order, RefundRequest({await line_of(till): 2}, amount_cents=1000))

    new_refund = await pay_back(till, order, RefundRequest(shipping_cents=101))

    assert (new_refund.amount_cents, new_refund.shipping_cents) == (101, 101)


async def test_goodwill_belongs_to_no_line_and_leaves_the_rest_of_the_payment(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)

    await pay_back(till, order, RefundRequest({line: 1}, amount_cents=6000))
    await pay_back(till, order, RefundRequest(amount_cents=500))
    last = await pay_back(till, order, RefundRequest({line: 1}))

    assert last.amount_cents == 9800 - 6000 - 500
    amounts = select(RefundLine.amount_cents).join(Refund).order_by(Refund.id)
    assert list(await session.scalars(amounts)) == [4900, 3300]


async def test_a_failed_refund_of_a_delivery_paid_since_is_not_repeated(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await discounted(till)
    failed = await pay_back(till, order, RefundRequest(shipping_cents=101))
    async with begin(till.env.sessions) as own:
        await own.execute(update(Refund).values(status="failed"))
    await pay_back(till, order, RefundRequest(shipping_cents=101))

    with pytest.raises(NotRetriable, match="The delivery has been paid back"):
        async with begin(till.env.sessions) as own:
            await order_refunds.retry(own, failed.id, actor=ADMIN)


async def test_a_failed_refund_is_not_repeated_while_a_bank_disputes_the_payment(
    till: Till, provider: Provider
) -> None:
    order = await bought(till, provider)
    failed = await pay_back(till, order, RefundRequest(amount_cents=101))
    async with begin(till.env.sessions) as own:
        await own.execute(update(Refund).values(status="failed"))
    provider.tell(f"/_control/payments/{order.payment_intent_id}/dispute")
    await deliver_events(till, provider, order)

    with pytest.raises(NotRetriable, match="bank disputes this payment"):
        async with begin(till.env.sessions) as own:
            await order_refunds.retry(own, failed.id, actor=ADMIN)


async def test_nothing_of_an_order_is_called_off_before_its_payment_arrives(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        await own.execute(update(Order).values(payment_status="processing", paid_at=None))

    with pytest.raises(RefundTooLarge):
        await pay_back(till, order, RefundRequest({await line_of(till): 2}))


@pytest.mark.parametrize(("restock", "shelved"), [(None, 1), (True, 1), (False, 0)])
async def test_an_unsent_line_that_cost_nothing_is_called_off_without_a_refund(
    till: Till, provider: Provider, session: AsyncSession, restock: bool | None, shelved: int
) -> None:
    order, free = await bought_with_a_free_piece(till, provider)
    async with begin(till.env.sessions) as own:
        new_refund = await order_refunds.refund(
            own, order.id, RefundRequest({free: 1}, {} if restock is None else {free: int(restock)}), actor=ADMIN
        )

    called_off = select(OrderLine.called_off).order_by(OrderLine.position)
    assert new_refund is None
    assert list(await session.scalars(called_off)) == [0, 1]
    [entry] = (await session.scalars(select(AuditEntry))).all()
    assert (entry.action, entry.after) == (
        "pieces called off",
        {"pieces": ["1 x TOTE"], **({"restocked": ["1 x TOTE"]} if shelved else {})},
    )
    with pytest.raises(InvalidInput, match="There is nothing to pay back for these pieces"):
        async with begin(till.env.sessions) as own:
            await order_refunds.refund(own, order.id, RefundRequest({free: 1}), actor=ADMIN)


async def test_two_admins_who_refund_the_same_pieces_at_once_pay_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)

    results = await asyncio.gather(
        *(pay_back(till, order, RefundRequest({line: 2})) for _ in range(4)), return_exceptions=True
    )
    await till.work()

    refusals = [str(each) for each in results if isinstance(each, InvalidInput)]
    assert refusals == ["0 of Oxford Shirt can still be refunded"] * 3
    assert provider.refunds_of(order.payment_intent_id or "") == [9800]
    assert await payment_state(session) == ("refunded", 9800)


async def test_different_wishes_at_once_never_exceed_what_was_paid(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    line = await line_of(till)
    wishes = [
        RefundRequest({line: 1}),
        RefundRequest({line: 1}),
        RefundRequest(amount_cents=4900),
        RefundRequest(amount_cents=9800),
    ]

    await asyncio.gather(*(pay_back(till, order, wish) for wish in wishes), return_exceptions=True)
    await till.work()

    assert sum(provider.refunds_of(order.payment_intent_id or "")) == 9800


async def test_a_form_sent_twice_is_one_refund(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    wish = RefundRequest({await line_of(till): 1}, key="pressed-twice")

    refunds_made = await asyncio.gather(*(pay_back(till, order, wish) for _ in range(3)))
    await till.work()

    assert len({refund.id for refund in refunds_made}) == 1
    assert provider.refunds_of(order.payment_intent_id or "") == [4900]


async def test_more_than_is_left_or_nothing_is_refused(till: Till, provider: Provider, session: AsyncSession) -> None:
    order = await bought(till, provider)
    line = await line_of(till)

    for wish in (
        RefundRequest(),
        RefundRequest({line: 0}),
        RefundRequest({line: 3}),
        RefundRequest({line: 1}, {line: 2}),
        RefundRequest(shipping_cents=1),
        RefundRequest(amount_cents=0),
        RefundRequest({line: 1}, reason="x" * 501),
    ):
        with pytest.raises(InvalidInput):
            await pay_back(till, order, wish)
    with pytest.raises(RefundTooLarge):
        await pay_back(till, order, RefundRequest(amount_cents=9801))

    assert await number_of(session, Refund) == 0


@pytest.mark.parametrize("restock", [True, False, None])
async def test_refunded_pieces_are_not_sent_and_go_on_the_shelf_unless_that_is_refused(
    till: Till, provider: Provider, session: AsyncSession, restock: bool | None
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)

    await pay_back(till, order, RefundRequest({line: 1}, {} if restock is None else {line: int(restock)}))
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)

    sold = (await session.scalars(select(OrderLine))).one()
    assert (sold.shipped, sold.called_off) == (1, 1)
    assert await stock_of(session, till.goods.variant_id) == (3 if restock is False else 4)
    moved = select(StockMovement.quantity, StockMovement.actor_email).where(StockMovement.reason == "refund")
    assert (await session.execute(moved)).all() == ([] if restock is False else [(1, ADMIN.email)])


@pytest.mark.parametrize(("restock", "shelved"), [(None, 1), (True, 2), (False, 0)])
async def test_of_refunded_pieces_those_that_were_sent_stay_with_the_buyer_unless_said(
    till: Till, provider: Provider, session: AsyncSession, restock: bool | None, shelved: int
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, {line: 1}, UPS, actor=ADMIN, shop_url=SHOP)

    of_line = RefundLineInput(line_id=strawberry.ID(str(line)), quantity=2, restock=restock)
    await pay_back(till, order, RefundInput(lines=[of_line]).wish())

    assert await stock_of(session, till.goods.variant_id) == 3 + shelved


async def test_an_order_whose_pieces_are_all_refunded_has_nothing_to_send(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await pay_back(till, order, RefundRequest({await line_of(till): 2}))

    with pytest.raises(NotFulfillable):
        async with begin(till.env.sessions) as own:
            await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)

    async with till.env.sessions() as session:
        assert await session.scalar(select(Order.fulfilment)) == "canceled"


async def test_the_shop_cancels_what_is_left_and_shelves_each_piece_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)
    await pay_back(till, order, RefundRequest({line: 1}, {line: 1}))

    for _ in range(2):
        async with begin(till.env.sessions) as own:
            await cancellations.cancel_as_shop(own, order.id, "A stain.", actor=ADMIN, shop_url=SHOP)
    await till.work()

    assert await stock_of(session, till.goods.variant_id) == 5
    assert provider.refunds_of(order.payment_intent_id or "") == [4900, 4900]
    assert await payment_state(session) == ("refunded", 9800)
    assert await actions(session) == ["refunded", "canceled"]
    assert f"Your order {order.quoted} is canceled" in await till.mails()


async def test_what_has_been_sent_cannot_be_canceled(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, {await line_of(till): 1}, UPS, actor=ADMIN, shop_url=SHOP)

    with pytest.raises(NotCancelable, match="Pieces of this order have been sent"):
        async with begin(till.env.sessions) as own:
            await cancellations.cancel_as_shop(own, order.id, "A stain.", actor=ADMIN, shop_url=SHOP)


async def test_a_refund_that_fails_late_is_shown_and_tried_again_once(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    provider.tell("/_control/settings", settle_after_ms=50)
    order = await bought(till, provider, REFUND_FAILS)
    first_refund = await pay_back(till, order, RefundRequest({await line_of(till): 2}))
    await till.work()

    async def has_failed() -> bool:
        return any(each["status"] == "failed" for each in provider.ledger("refunds") if each["amount"] == 9800)

    await until(has_failed)
    provider.tell("/_control/settings", settle_after_ms=600_000)
    await deliver_events(till, provider, order)
    [trouble] = await payment_issues.troubles(session, open_only=True, limit=9)

    async def again() -> Refund:
        async with begin(till.env.sessions) as own:
            return await order_refunds.retry(own, first_refund.id, actor=ADMIN)

    tried = await asyncio.gather(*(again() for _ in range(3)), return_exceptions=True)
    await till.work()

    assert (trouble.kind, trouble.id, trouble.amount_cents) == ("refund_failed", str(first_refund.id), 9800)
    assert [type(each) for each in tried if isinstance(each, Exception)] == [NotRetriable] * 2
    assert provider.refunds_of(order.payment_intent_id or "") == [9800, 9800]
    assert await payment_state(session) == ("refunded", 9800)
    assert await payment_issues.troubles(session, open_only=True, limit=9) == []
    assert await actions(session) == ["refunded", "refund tried again"]


async def test_a_failed_refund_that_went_another_way_is_closed(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    failed = await pay_back(till, order, RefundRequest(amount_cents=100))
    async with begin(till.env.sessions) as own:
        await own.execute(update(Refund).values(status="failed"))

    async with begin(till.env.sessions) as own:
        await order_refunds.close(own, failed.id, "By bank transfer.", actor=ADMIN)

    assert await payment_issues.troubles(session, open_only=True, limit=9) == []
    assert [each.status for each in await payment_issues.troubles(session, open_only=False, limit=9)] == ["closed"]
    with pytest.raises(NotRetriable):
        async with begin(till.env.sessions) as own:
            await order_refunds.retry(own, failed.id, actor=ADMIN)
    assert await actions(session) == ["refunded", "failed refund closed"]


async def test_a_disputed_payment_and_one_without_an_order_are_listed(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    provider.tell(f"/_control/payments/{order.payment_intent_id}/dispute", reason="fraudulent")
    await deliver_events(till, provider, order)
    async with begin(till.env.sessions) as own:
        checkout = (await own.scalars(select(Checkout))).one()
        facts = {name: getattr(checkout, name) for name in ("email", "fingerprint", "currency", "shipping_address")}
        moments = {"expires_at": checkout.expires_at, "check_at": checkout.check_at}
        own.add(Checkout(status="refunding", total_cents=700, **facts, **moments))

    listed = {trouble.kind: trouble for trouble in await payment_issues.troubles(session, open_only=True, limit=9)}

    assert set(listed) == {"disputed", "unfulfillable"}
    assert (listed["disputed"].number, listed["disputed"].amount_cents) == (order.number, 9800)
    assert (listed["disputed"].reason, listed["disputed"].status) == ("fraudulent", "needs_response")
    assert (listed["unfulfillable"].order_id, listed["unfulfillable"].amount_cents) == (None, 700)
    assert (await admin_queries.queue(session)).trouble == 2


async def received(till: Till, order: Order, pieces: int) -> UUID:
    """A return of pieces that have been sent, received."""
    async with begin(till.env.sessions) as own:
        quantities = {await line_of(till): pieces}
        await returns.request(own, order.id, till.shopper.id, quantities, "Worn.", within=timedelta(days=30))
        return_id = (await own.scalars(select(Return.id).order_by(Return.id.desc()).limit(1))).one()
        await returns.receive(own, return_id, None, actor=ADMIN, shop_url=SHOP)
        return return_id


async def asked_back(till: Till, order: Order, pieces: int) -> UUID:
    """A return of pieces of an order that has been sent."""
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP)
        quantities = {await line_of(till): pieces}
        await returns.request(own, order.id, till.shopper.id, quantities, "Too small.", within=timedelta(days=30))
        return (await own.scalars(select(Return.id))).one()


async def test_a_return_is_accepted_received_and_refunded_with_a_mail_at_each_step(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    line, wish = await line_of(till), await asked_back(till, order, 2)

    async with begin(till.env.sessions) as own:
        label = "https://labels.test/1"
        await returns.accept(own, wish, "Please.", label, send_to=["Minimal"], actor=ADMIN, shop_url=SHOP)
    async with begin(till.env.sessions) as own:
        await returns.receive(own, wish, {line: ReceivedQuantity(2, 1)}, actor=ADMIN, shop_url=SHOP)
    async with begin(till.env.sessions) as own:
        await order_refunds.refund_return(own, wish, RefundRequest(), actor=ADMIN)
    await till.work()

    assert await stock_of(session, till.goods.variant_id) == 4
    assert provider.refunds_of(order.payment_intent_id or "") == [9800]
    assert await payment_state(session) == ("refunded", 9800)
    assert await session.scalar(select(Return.status)) == "refunded"
    assert (await till.mails())[2:] == [
        f"Your return of order {order.quoted}",
        f"Your return of order {order.quoted} has arrived",
        f"Refund for your order {order.quoted}",
    ]
    assert await actions(session) == ["shipped", "return accepted", "return received", "refunded"]


async def test_a_refused_return_says_why_and_its_pieces_can_be_asked_for_again(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    wish = await asked_back(till, order, 2)

    with pytest.raises(InvalidInput):
        async with begin(till.env.sessions) as own:
            await returns.refuse(own, wish, " ", actor=ADMIN, shop_url=SHOP)
    async with begin(till.env.sessions) as own:
        await returns.refuse(own, wish, "They were worn.", actor=ADMIN, shop_url=SHOP)
        await returns.request(
            own, order.id, till.shopper.id, {await line_of(till): 2}, "No.", within=timedelta(days=30)
        )

    with pytest.raises(ReturnAnswered, match=r"This return has been refused\."):
        async with begin(till.env.sessions) as own:
            await returns.receive(own, wish, None, actor=ADMIN, shop_url=SHOP)


async def test_a_return_refunded_by_two_admins_at_once_is_paid_once(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    wish = await asked_back(till, order, 1)
    async with begin(till.env.sessions) as own:
        await returns.receive(own, wish, None, actor=ADMIN, shop_url=SHOP)

    async def pay() -> Refund | None:
        async with begin(till.env.sessions) as own:
            return await order_refunds.refund_return(own, wish, RefundRequest(), actor=ADMIN)

    paid = await asyncio.gather(*(pay() for _ in range(3)), return_exceptions=True)
    await till.work()

    assert sum(isinstance(each, ReturnAnswered) for each in paid) == 2
    assert provider.refunds_of(order.payment_intent_id or "") == [4900]


@pytest.mark.parametrize("came", [{}, {"quantity": 2, "restocked": 0}, {"quantity": 1, "restocked": 2}])
async def test_no_more_comes_back_than_was_asked_for(till: Till, provider: Provider, came: dict[str, int]) -> None:
    order = await bought(till, provider)
    wish, line = await asked_back(till, order, 1), await line_of(till)
    arrived = {line: ReceivedQuantity(**came)} if came else {}

    with pytest.raises(InvalidInput):
        async with begin(till.env.sessions) as own:
            await returns.receive(own, wish, arrived, actor=ADMIN, shop_url=SHOP)


async def test_pieces_of_a_return_that_were_paid_back_already_cost_nothing_more(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    wish = await asked_back(till, order, 2)
    await pay_back(till, order, RefundRequest({await line_of(till): 2}))
    async with begin(till.env.sessions) as own:
        await returns.receive(own, wish, None, actor=ADMIN, shop_url=SHOP)

    async with begin(till.env.sessions) as own:
        assert await order_refunds.refund_return(own, wish, RefundRequest(), actor=ADMIN) is None

    assert await session.scalar(select(Return.status)) == "refunded"
    assert await refunds.left(session, order) == 0


@pytest.mark.parametrize("by", ["code", "goodwill"])
async def test_a_received_return_with_nothing_to_pay_is_closed(
    till: Till, provider: Provider, session: AsyncSession, by: str
) -> None:
    order = await bought(till, provider)
    wish = await asked_back(till, order, 1)
    async with begin(till.env.sessions) as own:
        if by == "code":
            await own.execute(update(Order).values(total_cents=0, discount_cents=9800, payment_intent_id=None))
            await own.execute(update(OrderLine).values(discount_cents=9800))
        await returns.receive(own, wish, None, actor=ADMIN, shop_url=SHOP)
    if by == "goodwill":
        await pay_back(till, order, RefundRequest(amount_cents=9800))

    async with begin(till.env.sessions) as own:
        assert await order_refunds.refund_return(own, wish, RefundRequest(), actor=ADMIN) is None

    assert await session.scalar(select(Return.status)) == "refunded"
    assert (await actions(session))[-1] == "return closed"
    [arrived] = (await session.scalars(select(Mail).where(Mail.subject.like("%has arrived")))).all()
    assert ("refund you" in arrived.text_body) == (by == "goodwill")

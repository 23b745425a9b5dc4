"""Items that were never sent cannot be returned, and refunded items are not sent."""

import asyncio
from contextlib import suppress
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.mail.models import Mail
from server.orders import returns
from server.orders.errors import NotFulfillable, NotReturnable, ReturnAnswered
from server.orders.models import Order, OrderLine, Return, ReturnLine
from server.orders.states import HAVE_ITEMS_SENT
from server.payments import cancellations, order_refunds
from server.payments.order_refunds import RefundRequest
from server.platform.core.db import begin
from server.platform.core.errors import InvalidInput, StoreError
from tests.cart.stock import stock_of
from tests.payments.conftest import Till
from tests.payments.paid_orders import bought
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN, SHOP, line_of, pay_back
from tests.payments.sent_parcels import ask_back, send

NOT_SENT = "Nothing of this order has been sent yet. You can ask for a return once it is on its way."


async def return_of_unsent_pieces(till: Till, order: Order, status: str = "requested") -> UUID:
    """As a shop could get one before the database refused it."""
    async with begin(till.env.sessions) as own:
        await own.execute(text("SET LOCAL session_replication_role = replica"))
        return_row = Return(order_id=order.id, reason="Too small.", status=status)
        own.add(return_row)
        await own.flush()
        received = 2 if status == "received" else None
        own.add(ReturnLine(return_id=return_row.id, order_line_id=await line_of(till), quantity=2, received=received))
        return return_row.id


async def last_mail(till: Till) -> str:
    async with till.env.sessions() as session:
        return (await session.scalars(select(Mail.text_body).order_by(Mail.id.desc()).limit(1))).one()


async def test_a_return_begins_when_something_was_sent(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)

    with pytest.raises(NotReturnable) as refusal:
        await ask_back(till, order, 1)
    await send(till, order, 1)
    with pytest.raises(InvalidInput, match="At most 1 of Oxford Shirt can be returned"):
        await ask_back(till, order, 2)
    await ask_back(till, order, 1)

    assert str(refusal.value) == NOT_SENT


async def test_returns_asked_for_at_once_come_to_no_more_than_was_sent(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await send(till, order, 1)

    answers = await asyncio.gather(*(ask_back(till, order, 1) for _ in range(4)), return_exceptions=True)

    async with till.env.sessions() as session:
        assert await session.scalar(select(func.sum(ReturnLine.quantity))) == 1
    assert sum(isinstance(answer, InvalidInput) for answer in answers) == 3


@pytest.mark.parametrize("sent", [0, 1])
async def test_the_database_keeps_no_return_of_more_pieces_than_were_sent(
    till: Till, provider: Provider, sent: int
) -> None:
    order = await bought(till, provider)
    line = await line_of(till)
    async with begin(till.env.sessions) as own:
        await own.execute(update(OrderLine).values(shipped=sent))

    async with till.env.sessions() as own:
        return_row = Return(order_id=order.id, reason="")
        own.add(return_row)
        await own.flush()
        own.add(ReturnLine(return_id=return_row.id, order_line_id=line, quantity=sent + 1))
        with pytest.raises(IntegrityError, match="are to come back than were sent"):
            await own.flush()


@pytest.mark.parametrize("step", ["accept", "receive"])
async def test_a_return_of_pieces_that_were_never_sent_can_only_be_refused(
    till: Till, provider: Provider, step: str
) -> None:
    order = await bought(till, provider)
    returned = await return_of_unsent_pieces(till, order)

    async with till.env.sessions() as own:
        taken = {
            "accept": partial(returns.accept, own, returned, "", "", send_to=[]),
            "receive": partial(returns.receive, own, returned, None),
        }
        with pytest.raises(NotReturnable, match="Pieces of this return have not been sent"):
            await taken[step](actor=ADMIN, shop_url=SHOP)
    async with begin(till.env.sessions) as own:
        await returns.refuse(own, returned, "It is still here.", actor=ADMIN, shop_url=SHOP)

    assert "It is still here." in await last_mail(till)


async def test_what_was_paid_back_with_a_return_is_not_sent_afterwards(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    returned = await return_of_unsent_pieces(till, order, "received")

    async with begin(till.env.sessions) as own:
        await order_refunds.refund_return(own, returned, RefundRequest(), actor=ADMIN)
    with pytest.raises(NotFulfillable):
        await send(till, order)


@pytest.mark.parametrize("by_shop", [True, False])
async def test_canceling_an_order_closes_its_returns_and_says_so(
    till: Till, provider: Provider, session: AsyncSession, by_shop: bool
) -> None:
    order = await bought(till, provider)
    returned = await return_of_unsent_pieces(till, order)

    async with begin(till.env.sessions) as own:
        if by_shop:
            await cancellations.cancel_as_shop(own, order.id, "A stain.", actor=ADMIN, shop_url=SHOP)
        else:
            await cancellations.cancel_order(own, order.id, till.shopper.id, within=timedelta(hours=2), shop_url=SHOP)
    mail = await last_mail(till)

    assert "You asked to return pieces of it; there is nothing to send back." in mail
    assert await session.scalar(select(Return.status)) == "canceled"
    with pytest.raises(ReturnAnswered, match=r"This return ended when its order was canceled\."):
        async with begin(till.env.sessions) as own:
            await returns.accept(own, returned, "", "", send_to=[], actor=ADMIN, shop_url=SHOP)
    assert await last_mail(till) == mail


async def test_a_cancellation_without_returns_does_not_speak_of_any(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)

    async with begin(till.env.sessions) as own:
        await cancellations.cancel_as_shop(own, order.id, "A stain.", actor=ADMIN, shop_url=SHOP)

    assert "nothing to send back" not in await last_mail(till)


async def test_mails_of_a_return_promise_no_money_that_has_gone_back_already(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await send(till, order)
    await ask_back(till, order, 1)
    await pay_back(till, order, RefundRequest({await line_of(till): 2}))
    async with begin(till.env.sessions) as own:
        returned = (await own.scalars(select(Return.id))).one()
        await returns.accept(own, returned, "", "", send_to=["Minimal"], actor=ADMIN, shop_url=SHOP)
    accepted = await last_mail(till)
    async with begin(till.env.sessions) as own:
        await returns.receive(own, returned, None, actor=ADMIN, shop_url=SHOP)
    received = await last_mail(till)

    assert "We refund them once they have arrived" not in accepted
    assert "We look at them and refund you" not in received
    assert "has been paid back already" in accepted
    assert "has been paid back already" in received


async def test_a_refund_of_all_the_money_leaves_nothing_to_send(
    till: Till, provider: Provider, session: AsyncSession
) -> None:
    order = await bought(till, provider)
    await send(till, order, 1)

    await pay_back(till, order, RefundRequest(amount_cents=9800))
    with pytest.raises(NotFulfillable):
        await send(till, order)

    line = (await session.scalars(select(OrderLine))).one()
    assert (line.shipped, line.called_off) == (1, 1)
    assert await stock_of(session, till.goods.variant_id) == 4


@pytest.mark.parametrize(("said", "stock"), [(0, 4), (1, 5)])
async def test_what_is_said_of_one_refunded_piece_keeps_no_other_from_the_shelf(
    till: Till, provider: Provider, session: AsyncSession, said: int, stock: int
) -> None:
    """Five were there and two were bought: all the money goes back with one of them, so that neither is sent."""
    order = await bought(till, provider)
    line = await line_of(till)

    await pay_back(till, order, RefundRequest(pieces={line: 1}, restocked={line: said}, amount_cents=9800))

    assert await stock_of(session, till.goods.variant_id) == stock


GUARDED = frozenset[str]()
EVERY = frozenset({"service", "database", "refund"})


async def take_away(till: Till, guards: frozenset[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Plants faults: the service and the database count no sent pieces, a refund leaves its pieces to be sent."""

    async def unchecked(*_: object) -> None: ...

    if "service" in guards:
        monkeypatch.setattr(returns, "HAVE_ITEMS_SENT", ("unfulfilled", *HAVE_ITEMS_SENT))
        monkeypatch.setattr(returns, "_check_pieces", unchecked)
        monkeypatch.setattr(returns, "_check_sent", lambda *_: None)
    if "refund" in guards:
        monkeypatch.setattr(order_refunds, "_never_sent", lambda *_, **__: {})
    if "database" in guards:
        async with begin(till.env.sessions) as own:
            await own.execute(text("ALTER TABLE return_lines DISABLE TRIGGER check_returned_pieces"))


async def keep_money_and_pieces(till: Till, order: Order, provider: Provider) -> tuple[int, int]:
    """The attack: a return of pieces that are still here, paid back, and a parcel. Answers cents and pieces."""
    with suppress(StoreError, IntegrityError):
        await ask_back(till, order, 2)
        async with begin(till.env.sessions) as own:
            returned = (await own.scalars(select(Return.id))).one()
            await returns.receive(own, returned, None, actor=ADMIN, shop_url=SHOP)
            await order_refunds.refund_return(own, returned, RefundRequest(), actor=ADMIN)
    with suppress(StoreError):
        await send(till, order)
    await till.work()
    async with till.env.sessions() as session:
        line = (await session.scalars(select(OrderLine))).one()
    return sum(provider.refunds_of(order.payment_intent_id or "")), line.shipped


@pytest.mark.parametrize(
    ("missing", "taken"),
    [
        (GUARDED, (0, 2)),
        (EVERY - {"database"}, (0, 2)),
        (EVERY - {"service"}, (0, 2)),
        (EVERY - {"refund"}, (9800, 0)),
        (EVERY, (9800, 2)),
    ],
    ids=["guarded", "by the database", "by the service", "by the refund", "by nobody"],
)
async def test_nobody_gets_pieces_and_their_money(
    till: Till,
    provider: Provider,
    monkeypatch: pytest.MonkeyPatch,
    missing: frozenset[str],
    taken: tuple[int, int],
) -> None:
    order = await bought(till, provider)
    await take_away(till, missing, monkeypatch)

    assert await keep_money_and_pieces(till, order, provider) == taken

"""An admin's change of an order is refused when the order is no longer what the admin saw."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

import pytest
from graphql import GraphQLUnionType, get_named_type
from sqlalchemy import func, select, update

from server import schema as schemas
from server.orders import fulfilment, notes, returns
from server.orders.errors import OrderChangedMeanwhile
from server.orders.models import Order, OrderLine, OrderNote, Return, Shipment
from server.payments import cancellations, order_refunds
from server.payments.models import Dispute, Refund
from server.payments.order_refunds import RefundRequest
from server.platform.core.db import begin
from tests.orders.seen import version_of
from tests.payments.conftest import Till
from tests.payments.paid_orders import bought
from tests.payments.provider import Provider
from tests.payments.refunds import ADMIN, SHOP, UPS, line_of, pay_back
from tests.payments.sent_parcels import ask_back, send

Change = Callable[[Till, Order], Awaitable[object]]
LATE = fulfilment.ShipmentTracking("DHL", "2")


async def seen(till: Till, order: Order) -> str:
    return await version_of(till.env.sessions, order.id)


async def only(till: Till, table: type[Refund | Return | Shipment]) -> UUID:
    async with till.env.sessions() as session:
        return (await session.scalars(select(table.id).order_by(table.id.desc()).limit(1))).one()


async def change_row(till: Till, table: type[Refund | Order], **values: object) -> None:
    async with begin(till.env.sessions) as own:
        await own.execute(update(table).values(**values))


async def deliver(till: Till, version: str | None = None) -> None:
    shipment = await only(till, Shipment)
    async with begin(till.env.sessions) as own:
        await fulfilment.deliver(own, shipment, actor=ADMIN, seen=version)


async def correct(till: Till, version: str | None = None) -> None:
    shipment = await only(till, Shipment)
    async with begin(till.env.sessions) as own:
        await fulfilment.correct(own, shipment, LATE, actor=ADMIN, shop_url=SHOP, seen=version)


async def receive(till: Till, version: str | None = None) -> None:
    returned = await only(till, Return)
    async with begin(till.env.sessions) as own:
        await returns.receive(own, returned, None, actor=ADMIN, shop_url=SHOP, seen=version)


async def accept(till: Till, version: str | None = None) -> None:
    returned = await only(till, Return)
    async with begin(till.env.sessions) as own:
        await returns.accept(own, returned, "", "", send_to=[], actor=ADMIN, shop_url=SHOP, seen=version)


async def refuse(till: Till, version: str | None = None) -> None:
    returned = await only(till, Return)
    async with begin(till.env.sessions) as own:
        await returns.refuse(own, returned, "Worn.", actor=ADMIN, shop_url=SHOP, seen=version)


async def refund_return(till: Till, version: str | None = None) -> None:
    returned = await only(till, Return)
    async with begin(till.env.sessions) as own:
        await order_refunds.refund_return(own, returned, RefundRequest(), actor=ADMIN, seen=version)


async def retry(till: Till, version: str | None = None) -> None:
    refund = await only(till, Refund)
    async with begin(till.env.sessions) as own:
        await order_refunds.retry(own, refund, actor=ADMIN, seen=version)


async def close(till: Till, version: str | None = None) -> None:
    refund = await only(till, Refund)
    async with begin(till.env.sessions) as own:
        await order_refunds.close(own, refund, "By transfer.", actor=ADMIN, seen=version)


async def ship(till: Till, order: Order, version: str | None = None) -> None:
    async with begin(till.env.sessions) as own:
        await fulfilment.ship(own, order.id, None, UPS, actor=ADMIN, shop_url=SHOP, seen=version)


async def refund(till: Till, order: Order, version: str | None = None) -> None:
    wish = RefundRequest({await line_of(till): 2})
    async with begin(till.env.sessions) as own:
        await order_refunds.refund(own, order.id, wish, actor=ADMIN, seen=version)


async def note(till: Till, order: Order, version: str | None = None) -> None:
    async with begin(till.env.sessions) as own:
        await notes.add(own, order.id, "Wait.", actor=replace(ADMIN, user_id=till.shopper.id), seen=version)


async def cancel(till: Till, order: Order, version: str | None = None) -> None:
    async with begin(till.env.sessions) as own:
        await cancellations.cancel_as_shop(own, order.id, "A stain.", actor=ADMIN, shop_url=SHOP, seen=version)


async def dispute(till: Till, order: Order, status: str) -> None:
    async with begin(till.env.sessions) as own:
        facts = {"payment_intent_id": order.payment_intent_id or "", "amount_cents": 9800, "reason": "fraudulent"}
        await own.merge(Dispute(id="dp_1", order_id=order.id, status=status, **facts))


SENT: list[Change] = [lambda till, order: send(till, order)]
ASKED: list[Change] = [*SENT, lambda till, order: ask_back(till, order, 1)]
RECEIVED: list[Change] = [*ASKED, lambda till, _: receive(till)]
GOODWILL: Change = lambda till, order: pay_back(till, order, RefundRequest(amount_cents=100))  # noqa: E731
FAILED: list[Change] = [GOODWILL, lambda till, _: change_row(till, Refund, status="failed")]
REFUND = "A refund of $1.00 was requested by admin@minimal.test."
CHANGES: dict[str, tuple[list[Change], list[str]]] = {
    "parcel": (SENT, ["0 of 2 pieces can still be sent.", "A parcel with UPS, 2 pieces, is on its way."]),
    "arrival": ([*SENT, lambda till, _: deliver(till)], ["A parcel with UPS, 2 pieces, has arrived."]),
    "tracking": ([*SENT, lambda till, _: correct(till)], ["A parcel with DHL, 2 pieces, is on its way."]),
    "refund": ([GOODWILL], [REFUND]),
    "failure": (FAILED, ["A refund of $1.00 failed."]),
    "closing": ([*FAILED, lambda till, _: close(till)], ["A refund of $1.00 failed, and was dealt with."]),
    "retry": (
        [*FAILED, lambda till, _: retry(till)],
        ["A refund of $1.00 failed, and was dealt with.", REFUND],
    ),
    "called off": (
        [lambda till, order: pay_back(till, order, RefundRequest({}, amount_cents=9800))],
        ["0 of 2 pieces can still be sent.", "A refund of $98.00 was requested by admin@minimal.test."],
    ),
    "return": (ASKED, ["The buyer asks to return 1 piece."]),
    "accepted": ([*ASKED, lambda till, _: accept(till)], ["A return of 1 piece was accepted."]),
    "refused": ([*ASKED, lambda till, _: refuse(till)], ["A return of 1 piece was refused."]),
    "received": (RECEIVED, ["A return of 1 piece was received."]),
    "paid return": (
        [*RECEIVED, lambda till, _: refund_return(till)],
        ["A return of 1 piece was refunded or closed.", "A refund of $49.00 was requested by admin@minimal.test."],
    ),
    "dispute": (
        [lambda till, order: dispute(till, order, "needs_response")],
        ["The buyer's bank has a dispute about $98.00."],
    ),
    "end of a dispute": (
        [lambda till, order: dispute(till, order, "needs_response"), lambda till, order: dispute(till, order, "won")],
        ["A dispute about $98.00 has ended."],
    ),
    "cancellation": ([cancel], ["It was canceled.", "0 of 2 pieces can still be sent."]),
    "note": ([note], ["Alan Admin wrote a note."]),
    "payment": ([lambda till, _: change_row(till, Order, payment_status="failed")], ["Its payment has failed."]),
}
"""What changes an order, last of some steps, and how a refusal says so."""


@pytest.mark.parametrize(("steps", "changes"), CHANGES.values(), ids=CHANGES.keys())
async def test_each_change_is_another_version_and_is_told(
    till: Till, provider: Provider, steps: list[Change], changes: list[str]
) -> None:
    order = await bought(till, provider)
    for step in steps[:-1]:
        await step(till, order)
    before = await seen(till, order)
    assert await seen(till, order) == before

    await steps[-1](till, order)

    assert await seen(till, order) != before
    with pytest.raises(OrderChangedMeanwhile) as refusal:
        await note(till, order, before)
    assert list(refusal.value.changes) == changes
    await note(till, order, await seen(till, order))


ACTIONS: dict[str, tuple[list[Change], Callable[[Till, Order, str], Awaitable[None]]]] = {
    "ship": ([], ship),
    "refund": ([], refund),
    "cancel": ([], cancel),
    "note": ([], note),
    "deliver": (SENT, lambda till, _, version: deliver(till, version)),
    "correct": (SENT, lambda till, _, version: correct(till, version)),
    "accept": (ASKED, lambda till, _, version: accept(till, version)),
    "refuse": (ASKED, lambda till, _, version: refuse(till, version)),
    "receive": (ASKED, lambda till, _, version: receive(till, version)),
    "refund a return": (RECEIVED, lambda till, _, version: refund_return(till, version)),
    "retry": (FAILED, lambda till, _, version: retry(till, version)),
    "close": (FAILED, lambda till, _, version: close(till, version)),
}


@pytest.mark.parametrize(("steps", "act"), ACTIONS.values(), ids=ACTIONS.keys())
async def test_no_action_goes_through_on_what_was_seen_before_another(
    till: Till, provider: Provider, steps: list[Change], act: Callable[[Till, Order, str], Awaitable[None]]
) -> None:
    order = await bought(till, provider)
    for step in steps:
        await step(till, order)
    before = await seen(till, order)
    await note(till, order)
    now = await seen(till, order)

    with pytest.raises(OrderChangedMeanwhile):
        await act(till, order, before)

    assert await seen(till, order) == now
    await act(till, order, now)
    assert await seen(till, order) != now


@pytest.mark.parametrize("first", [ship, refund])
async def test_a_refund_and_a_parcel_of_the_same_pieces_at_once_are_one_of_them(
    till: Till, provider: Provider, first: Callable[[Till, Order, str], Awaitable[None]]
) -> None:
    order = await bought(till, provider)
    version = await seen(till, order)
    both = [first, ship if first is refund else refund]

    answers = await asyncio.gather(*(act(till, order, version) for act in both), return_exceptions=True)

    assert sorted(type(answer).__name__ for answer in answers) == ["NoneType", "OrderChangedMeanwhile"]
    async with till.env.sessions() as session:
        line = (await session.scalars(select(OrderLine))).one()
        refunds = await session.scalar(select(func.count()).select_from(Refund))
    assert (line.shipped, line.called_off, refunds) in {(2, 0, 0), (0, 2, 1)}


@pytest.mark.parametrize("act", [ship, refund, cancel, note])
async def test_of_many_admins_who_saw_the_same_one_is_served(
    till: Till, provider: Provider, act: Callable[[Till, Order, str], Awaitable[None]]
) -> None:
    order = await bought(till, provider)
    version = await seen(till, order)

    answers = await asyncio.gather(*(act(till, order, version) for _ in range(5)), return_exceptions=True)

    # To cancel what is canceled changes nothing, and is no conflict.
    refused = 0 if act is cancel else 4
    assert sum(isinstance(answer, OrderChangedMeanwhile) for answer in answers) == refused
    async with till.env.sessions() as session:
        counts = [
            await session.scalar(select(func.count()).select_from(table)) for table in (Shipment, Refund, OrderNote)
        ]
    assert sum(filter(None, counts)) == (0 if act is cancel else 1)


async def test_a_refund_that_is_paid_as_requested_is_no_change(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await GOODWILL(till, order)
    before = await seen(till, order)

    await till.work()

    assert provider.refunds_of(order.payment_intent_id or "") == [100]
    assert await seen(till, order) == before


async def test_a_known_key_is_the_same_refund_whatever_was_seen(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    wish, version = RefundRequest({await line_of(till): 1}, key="pressed-twice"), await seen(till, order)

    results = []
    for _ in range(2):
        async with begin(till.env.sessions) as own:
            results.append(await order_refunds.refund(own, order.id, wish, actor=ADMIN, seen=version))

    assert results[0] is not None
    assert results[1] is not None
    assert results[0].id == results[1].id


async def test_repeating_what_changed_nothing_is_no_conflict(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)
    await send(till, order)
    before = await seen(till, order)
    await deliver(till, before)

    await deliver(till, before)

    async with till.env.sessions() as session:
        assert await session.scalar(select(Order.fulfilment)) == "delivered"


async def test_an_unknown_version_is_refused_with_all_there_is(till: Till, provider: Provider) -> None:
    order = await bought(till, provider)

    with pytest.raises(OrderChangedMeanwhile) as refusal:
        await ship(till, order, "made up")

    assert list(refusal.value.changes) == ["Its payment has arrived.", "2 of 2 pieces can still be sent."]


def test_every_mutation_that_answers_with_the_changed_order_takes_what_was_seen() -> None:
    mutations = schemas.build()._schema.mutation_type
    assert mutations is not None
    changing = {
        name: field
        for name, field in mutations.fields.items()
        if isinstance(answer := get_named_type(field.type), GraphQLUnionType)
        and "OrderChanged" in {member.name for member in answer.types}
    }

    assert len(changing) == 12
    for name, field in changing.items():
        answer = get_named_type(field.type)
        assert isinstance(answer, GraphQLUnionType)
        assert "OrderChangedMeanwhile" in {member.name for member in answer.types}, name
        assert "version" in field.args, name

"""A buyer's view of an order, and requests about it: cancellation and returns."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, update

from server.orders.models import Order, OrderLine, Return
from server.payments.models import Dispute, Refund
from server.platform.core.db import begin
from tests.api.asking import ask
from tests.api.conftest import ADDRESS, Shop
from tests.statements import counted_statements

CACHE_DEPENDENCIES = """
query ($id: ID!) {
  viewer { order(id: $id) {
    isCanceled isDisputed canCancel cancelableUntil returnableUntil
    timeline { kind amount }
    returns { status reason lines { quantity line { id name } } }
  } }
}
"""
CANCEL = """
mutation ($id: ID!) {
  cancelOrder(id: $id) { __typename ... on Order { isCanceled canCancel } ... on UserError { message } }
}
"""
RETURN = """
mutation ($order: ID!, $lines: [ReturnLineInput!]!, $reason: String!) {
  requestReturn(orderId: $order, lines: $lines, reason: $reason) {
    __typename
    ... on Order { returns { reason lines { quantity } } }
    ... on UserError { message field }
  }
}
"""


async def shown(shop: Shop) -> Any:
    return (await ask(shop, "other", CACHE_DEPENDENCIES, id=str(shop.people.others_order)))["viewer"]["order"]


async def cancel(shop: Shop) -> Any:
    return (await ask(shop, "other", CANCEL, id=str(shop.people.others_order)))["cancelOrder"]


async def line_of(shop: Shop) -> UUID:
    async with shop.sessions() as session:
        return (await session.scalars(select(OrderLine.id))).one()


async def send(shop: Shop, pieces: int = 1) -> None:
    """Notes that pieces of the order have left."""
    async with begin(shop.sessions) as session:
        await session.execute(update(OrderLine).values(shipped=pieces))
        await session.execute(update(Order).values(fulfilment="shipped"))


async def send_back(shop: Shop, quantity: int, reason: str = "Too small.") -> Any:
    lines = [{"lineId": str(await line_of(shop)), "quantity": quantity}]
    answer = await ask(shop, "other", RETURN, order=str(shop.people.others_order), lines=lines, reason=reason)
    return answer["requestReturn"]


async def change(shop: Shop, **values: object) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(Order).values(**values))


async def test_an_order_can_be_called_off_for_two_hours_after_it_was_paid(shop: Shop) -> None:
    paid_at = datetime.now(UTC).replace(microsecond=0) - timedelta(minutes=30)
    await change(shop, paid_at=paid_at)
    early = await shown(shop)
    await change(shop, paid_at=paid_at - timedelta(minutes=91))
    late = await shown(shop)

    assert early["canCancel"] is True
    assert datetime.fromisoformat(early["cancelableUntil"]) == paid_at + timedelta(hours=2)
    assert (late["canCancel"], late["cancelableUntil"]) == (False, None)


@pytest.mark.parametrize(
    ("status", "is_disputed"),
    [("needs_response", True), ("lost", True), ("warning_needs_response", False), ("won", False)],
)
async def test_an_order_is_disputed_while_its_bank_blocks_refunds(shop: Shop, status: str, is_disputed: bool) -> None:
    async with begin(shop.sessions) as session:
        session.add(
            Dispute(
                id="dp_1",
                order_id=shop.people.others_order,
                payment_intent_id="pi_1",
                amount_cents=500,
                reason="fraudulent",
                status=status,
                as_of=datetime.now(UTC),
            )
        )

    assert (await shown(shop))["isDisputed"] is is_disputed


async def test_a_return_can_be_asked_for_until_thirty_days_after_it_was_paid(shop: Shop) -> None:
    paid_at = datetime.now(UTC).replace(microsecond=0) - timedelta(days=29)
    await change(shop, paid_at=paid_at)
    unsent = await shown(shop)
    await send(shop)
    early = await shown(shop)
    await change(shop, paid_at=paid_at - timedelta(days=1))
    late = await shown(shop)
    await change(shop, paid_at=paid_at, payment_status="refunded")
    refunded = await shown(shop)

    assert datetime.fromisoformat(early["returnableUntil"]) == paid_at + timedelta(days=30)
    assert [each["returnableUntil"] for each in (unsent, late, refunded)] == [None, None, None]


async def test_a_canceled_order_says_so_and_asking_again_changes_nothing(shop: Shop) -> None:
    first, second = await cancel(shop), await cancel(shop)

    assert first == second == {"__typename": "Order", "isCanceled": True, "canCancel": False}
    assert [each["kind"] for each in (await shown(shop))["timeline"]] == ["PLACED", "CANCELED"]


async def test_too_late_is_said_in_words(shop: Shop) -> None:
    await change(shop, paid_at=datetime.now(UTC) - timedelta(hours=3))

    assert await cancel(shop) == {
        "__typename": "OrderNotCancelable",
        "message": "The time to cancel this order is over. You can ask for a return once it is sent.",
    }


@pytest.mark.parametrize("document", [CANCEL, RETURN])
async def test_somebody_elses_order_is_not_found(shop: Shop, document: str) -> None:
    line = {"lineId": str(await line_of(shop)), "quantity": 1}
    for order in (str(shop.people.others_order), str(uuid4()), "made-up"):
        variables = {"id": order, "order": order, "lines": [line], "reason": ""}
        body = {"query": document, "variables": variables}
        answer = await shop.clients["shopper"].post("/graphql", json=body)
        assert answer.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_the_timeline_tells_what_happened_in_its_order(shop: Shop) -> None:
    placed = datetime.now(UTC) - timedelta(days=2)
    await change(
        shop, created_at=placed, failed_at=placed + timedelta(minutes=1), paid_at=placed + timedelta(minutes=2)
    )
    async with begin(shop.sessions) as session:
        for status in ("succeeded", "failed"):
            refund = Refund(order_id=shop.people.others_order, payment_intent_id="pi", amount_cents=500, reason="Late.")
            refund.status, refund.created_at = status, placed + timedelta(days=1)
            session.add(refund)
    await send(shop)
    await send_back(shop, 1)

    assert (await shown(shop))["timeline"] == [
        {"kind": "PLACED", "amount": None},
        {"kind": "PAYMENT_FAILED", "amount": None},
        {"kind": "PAID", "amount": "89.00"},
        {"kind": "REFUNDED", "amount": "5.00"},
        {"kind": "RETURN_REQUESTED", "amount": None},
    ]


async def test_a_return_is_written_down_with_its_pieces(shop: Shop) -> None:
    await send(shop)
    order = await send_back(shop, 1, "  Too small.  ")

    line = str(await line_of(shop))
    assert order == {"__typename": "Order", "returns": [{"reason": "Too small.", "lines": [{"quantity": 1}]}]}
    assert (await shown(shop))["returns"] == [
        {
            "status": "REQUESTED",
            "reason": "Too small.",
            "lines": [{"quantity": 1, "line": {"id": line, "name": "Oxford Shirt"}}],
        }
    ]
    file = (await shop.clients["other"].get("/account/data")).json()
    assert [each["reason"] for each in file["orders"][0]["returns"]] == ["Too small."]


async def test_no_more_pieces_go_back_than_were_sent_even_from_several_tabs(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(OrderLine).values(quantity=4))
    await send(shop, 3)

    answers = await asyncio.gather(*(send_back(shop, 2) for _ in range(3)))

    refused = {"__typename": "InvalidInput", "message": "At most 1 of Oxford Shirt can be returned", "field": "lines"}
    assert sorted(answer["__typename"] for answer in answers) == ["InvalidInput", "InvalidInput", "Order"]
    assert [answer for answer in answers if answer["__typename"] == "InvalidInput"] == [refused] * 2


@pytest.mark.parametrize("quantity", [0, -1, 2, 2_000_000_000])
async def test_a_wrong_number_of_pieces_is_refused(shop: Shop, quantity: int) -> None:
    await send(shop)
    refused = await send_back(shop, quantity)

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", "lines")
    assert (await shown(shop))["returns"] == []


@pytest.mark.parametrize("reason", ["x" * 1_001, "a\x00b"])
async def test_a_reason_that_cannot_be_kept_is_refused(shop: Shop, reason: str) -> None:
    await send(shop)
    refused = await send_back(shop, 1, reason)

    assert (refused["__typename"], refused["field"]) == ("InvalidInput", "reason")


async def test_nothing_chosen_is_said(shop: Shop) -> None:
    await send(shop)
    refused = (await ask(shop, "other", RETURN, order=str(shop.people.others_order), lines=[], reason=""))[
        "requestReturn"
    ]

    assert (refused["message"], refused["field"]) == ("Choose what you want to return", "lines")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"canceled_at": func.now()}, "This order was canceled. There is nothing to return."),
        ({"payment_status": "refunded"}, "This order has been paid back already."),
        ({"payment_status": "processing"}, "The payment of this order is still on its way."),
        ({"payment_status": "failed"}, "This order was never paid for. There is nothing to return."),
        ({"paid_at": datetime(2025, 1, 1, tzinfo=UTC)}, "The time to return this order is over."),
        (
            {"fulfilment": "unfulfilled"},
            "Nothing of this order has been sent yet. You can ask for a return once it is on its way.",
        ),
    ],
)
async def test_an_order_of_which_nothing_can_come_back_says_why(
    shop: Shop, values: dict[str, object], message: str
) -> None:
    await send(shop)
    await change(shop, **values)

    refused = await send_back(shop, 1)

    assert (refused["__typename"], refused["message"]) == ("NotReturnable", message)
    async with shop.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Return)) == 0


async def test_a_line_of_another_order_is_not_found(shop: Shop) -> None:
    await send(shop)
    lines = [{"lineId": str(uuid4()), "quantity": 1}]
    variables = {"order": str(shop.people.others_order), "lines": lines, "reason": ""}

    answer = await shop.clients["other"].post("/graphql", json={"query": RETURN, "variables": variables})

    assert answer.json()["errors"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_timelines_and_returns_of_a_whole_page_cost_two_statements(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        for _ in range(5):
            order = Order(
                user_id=shop.people.other,
                email="other@shop.test",
                payment_status="paid",
                total_cents=100,
                currency="USD",
                shipping_address=ADDRESS,
            )
            session.add(order)

    with counted_statements() as statements:
        page = await ask(shop, "other", "{ viewer { orders { nodes { timeline { kind } returns { id } } } } }")

    assert len(page["viewer"]["orders"]["nodes"]) == 6
    read = ("order_refunds", "returns")
    assert [sum(f"FROM {name}" in statement for statement in statements) for name in read] == [1, 1]

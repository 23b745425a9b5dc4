"""Shipments: whole or partial, mailed to the buyer, and safe against two admins at once."""

import asyncio
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, text, update

from server.audit.models import AuditEntry
from server.mail.models import Mail
from server.orders import admin_queries, fulfilment
from server.orders.errors import OrderChangedMeanwhile
from server.orders.models import Order, OrderLine, Shipment
from server.payments.models import Refund
from server.platform.core.cursors import FOREIGN_CURSOR, encode_cursor
from server.platform.core.db import begin
from tests.api.asking import ask
from tests.api.conftest import Shop
from tests.orders.seen import version_of
from tests.statements import StatementRecorder

ACTED = """
    __typename
    ... on UserError { message }
    ... on OrderChanged { order {
        fulfilment cancelRefusal
        lines { id quantity toShip shipped calledOff }
        shipments { id carrier trackingNumber trackingUrl deliveredAt lines { quantity } }
        notes { author text }
    } }
"""
SHIP = f"""
mutation ($order: ID!, $version: String!, $input: ShipmentInput!) {{
  shipOrder(id: $order, version: $version, input: $input) {{ {ACTED} }}
}}
"""
CORRECT = f"""
mutation ($id: ID!, $version: String!, $parcel: TrackingInput!) {{
  updateShipment(id: $id, version: $version, input: $parcel) {{ {ACTED} }}
}}
"""
DELIVER = f"""
mutation ($id: ID!, $version: String!) {{ markDelivered(id: $id, version: $version) {{ {ACTED} }} }}
"""
NOTE = f"""
mutation ($order: ID!, $version: String!, $text: String!) {{
  createOrderNote(orderId: $order, version: $version, text: $text) {{ {ACTED} }}
}}
"""
LIST = """
query ($filter: OrderFilter!, $sort: OrderSort!) {
  admin { orders(filter: $filter, sort: $sort) { totalCount nodes { number } } }
}
"""
UPS = {"carrier": "UPS", "trackingNumber": "1Z 9"}


async def line_of(shop: Shop) -> UUID:
    async with shop.sessions() as session:
        return (await session.scalars(select(OrderLine.id))).one()


async def change(shop: Shop, table: type[Order | OrderLine], **values: object) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(update(table).values(**values))


async def act(shop: Shop, document: str, **variables: object) -> Any:
    """What a mutation answers that is sent with the version of now."""
    [answer] = (
        await ask(
            shop, "admin", document, version=await version_of(shop.sessions, shop.people.others_order), **variables
        )
    ).values()
    return answer


async def ship(shop: Shop, quantity: int | None = None, parcel: dict[str, str] = UPS) -> Any:
    lines = None if quantity is None else [{"lineId": str(await line_of(shop)), "quantity": quantity}]
    variables = {"order": str(shop.people.others_order), "input": {**parcel, "lines": lines}}
    return await act(shop, SHIP, **variables)


async def mails(shop: Shop) -> list[tuple[str, str]]:
    async with shop.sessions() as session:
        rows = await session.execute(select(Mail.subject, Mail.text_body).order_by(Mail.id))
        return [(row.subject, row.text_body) for row in rows]


async def actions(shop: Shop) -> list[tuple[str, str]]:
    async with shop.sessions() as session:
        rows = await session.execute(select(AuditEntry.action, AuditEntry.actor_email).order_by(AuditEntry.id))
        return [(row.action, row.actor_email) for row in rows]


async def test_an_order_goes_in_parts_and_each_parcel_is_told_of(shop: Shop) -> None:
    await change(shop, OrderLine, quantity=3)

    partly = (await ship(shop, 1))["order"]
    whole = (await ship(shop, parcel={"carrier": "Bicycle"}))["order"]

    assert (partly["fulfilment"], partly["lines"][0]["toShip"]) == ("PARTLY_SHIPPED", 2)
    assert partly["shipments"][0]["trackingUrl"] == "https://www.ups.com/track?tracknum=1Z%209"
    assert (whole["fulfilment"], whole["lines"][0]["shipped"]) == ("SHIPPED", 3)
    assert [[line["quantity"] for line in each["lines"]] for each in whole["shipments"]] == [[1], [2]]
    assert (whole["shipments"][1]["trackingNumber"], whole["shipments"][1]["trackingUrl"]) == (None, None)
    (first, words), (last, _) = await mails(shop)
    assert (first, last) == ("Part of your order M-10001 is on its way", "Your order M-10001 is on its way")
    assert "https://www.ups.com/track?tracknum=1Z%209" in words
    assert "1 x Oxford Shirt, Sky, S" in words
    assert await actions(shop) == [("shipped", "admin@shop.test")] * 2


async def test_it_is_delivered_when_every_parcel_is_and_saying_so_twice_is_once(shop: Shop) -> None:
    await change(shop, OrderLine, quantity=2)
    await ship(shop, 1)
    parcels = (await ship(shop, 1))["order"]["shipments"]

    standings = [
        (await act(shop, DELIVER, id=parcel["id"]))["order"]["fulfilment"]
        for parcel in (parcels[0], parcels[0], parcels[1])
    ]

    assert standings == ["SHIPPED", "SHIPPED", "DELIVERED"]
    assert [action for action, _ in await actions(shop)] == ["shipped", "shipped", "delivered", "delivered"]


async def test_two_admins_who_send_the_same_piece_send_it_once(shop: Shop) -> None:
    lines = [{"lineId": str(await line_of(shop)), "quantity": 1}]
    order = shop.people.others_order
    seen = {"order": str(order), "version": await version_of(shop.sessions, order)}

    answers = await asyncio.gather(*(ask(shop, "admin", SHIP, **seen, input={**UPS, "lines": lines}) for _ in range(4)))

    names = sorted(answer["shipOrder"]["__typename"] for answer in answers)
    assert names == ["OrderChanged"] + ["OrderChangedMeanwhile"] * 3
    async with shop.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Shipment)) == 1
        assert await session.scalar(select(OrderLine.shipped)) == 1
    assert len(await mails(shop)) == 1


@pytest.mark.parametrize(
    ("quantity", "message"),
    [(2, "1 of Oxford Shirt can still be sent"), (-1, "1 of Oxford Shirt can still be sent"), (0, "Choose what is in")],
)
async def test_only_what_is_there_can_be_sent(shop: Shop, quantity: int, message: str) -> None:
    refused = await ship(shop, quantity)

    assert refused["__typename"] == "InvalidInput"
    assert refused["message"].startswith(message)
    assert await mails(shop) == []


@pytest.mark.parametrize(
    "parcel",
    [
        {"carrier": " "},
        {"carrier": "x" * 101},
        {"carrier": "UPS", "trackingNumber": "a\nb"},
        {"carrier": "UPS", "trackingUrl": "javascript:alert(1)"},
        {"carrier": "UPS", "trackingUrl": "https://"},
        {"carrier": "UPS", "trackingUrl": "https://a.test/ b"},
    ],
)
async def test_a_parcel_that_cannot_be_told_of_is_refused(shop: Shop, parcel: dict[str, str]) -> None:
    assert (await ship(shop, 1, parcel))["__typename"] == "InvalidInput"
    assert await mails(shop) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"payment_status": "processing"}, fulfilment.NOT_SENT["processing"]),
        ({"payment_status": "failed"}, fulfilment.NOT_SENT["failed"]),
        ({"payment_status": "refunded"}, fulfilment.NOT_SENT["refunded"]),
        ({"canceled_at": func.now()}, fulfilment.CANCELED),
    ],
)
async def test_what_is_not_paid_for_is_not_sent(shop: Shop, values: dict[str, object], message: str) -> None:
    await change(shop, Order, **values)

    assert await ship(shop) == {"__typename": "OrderConflict", "message": message}


async def test_a_corrected_parcel_is_told_of_again_and_an_unchanged_one_is_not(shop: Shop) -> None:
    parcel = (await ship(shop))["order"]["shipments"][0]["id"]

    for number in ("1Z 9", "2Z"):
        corrected = {"carrier": "UPS", "trackingNumber": number}
        answer = await act(shop, CORRECT, id=parcel, parcel=corrected)

    assert answer["order"]["shipments"][0]["trackingNumber"] == "2Z"
    assert len(await mails(shop)) == 2
    assert [action for action, _ in await actions(shop)] == ["shipped", "parcel corrected"]


async def test_its_buyer_follows_the_parcel_and_can_no_longer_cancel(shop: Shop) -> None:
    await ship(shop)
    shown = """
    { viewer { orders { nodes { id fulfilment canCancel timeline { kind } shipments { carrier trackingNumber } } } } }
    """
    cancel = "mutation ($id: ID!) { cancelOrder(id: $id) { __typename ... on UserError { message } } }"

    [order] = (await ask(shop, "other", shown))["viewer"]["orders"]["nodes"]
    refused = (await ask(shop, "other", cancel, id=order["id"]))["cancelOrder"]

    assert (order["fulfilment"], order["canCancel"]) == ("SHIPPED", False)
    assert [event["kind"] for event in order["timeline"]] == ["PLACED", "SHIPPED"]
    assert order["shipments"] == [{"carrier": "UPS", "trackingNumber": "1Z 9"}]
    assert refused == {
        "__typename": "OrderNotCancelable",
        "message": "This order is on its way. You can ask for a return.",
    }


async def test_notes_are_for_admins_alone(shop: Shop) -> None:
    variables = {"order": str(shop.people.others_order), "text": "  Calls often.  "}
    noted = (await act(shop, NOTE, **variables))["order"]["notes"]
    empty = await act(shop, NOTE, **{**variables, "text": " "})
    answer = await shop.clients["other"].get("/account/data")

    assert noted == [{"author": "Alan Turing", "text": "Calls often."}]
    assert empty["__typename"] == "InvalidInput"
    assert "Calls often" not in answer.text
    assert await actions(shop) == [("note written", "admin@shop.test")]


async def add_order(shop: Shop, email: str, name: str, cents: int, status: str = "paid") -> str:
    async with begin(shop.sessions) as session:
        order = Order(
            email=email, payment_status=status, total_cents=cents, currency="USD", shipping_address={"name": name}
        )
        session.add(order)
        await session.flush()
        return order.quoted


async def found(shop: Shop, sort: str = "NEWEST", **filter: object) -> list[str]:
    orders = (await ask(shop, "admin", LIST, filter=filter, sort=sort))["admin"]["orders"]
    assert orders["totalCount"] == len(orders["nodes"])
    return [node["number"] for node in orders["nodes"]]


async def test_orders_are_found_by_number_email_and_name(shop: Shop) -> None:
    zoe = await add_order(shop, "zoe.42@example.test", "Zoë Müller", 500)
    percent = await add_order(shop, "100%_x@example.test", "O'Neill", 900, "failed")

    assert await found(shop, search=zoe) == [zoe]
    assert await found(shop, search=f" {zoe.lower()} ") == [zoe]
    assert await found(shop, search=zoe.removeprefix("M-")) == [zoe]
    assert await found(shop, search="MULLER") == [zoe]
    assert await found(shop, search="zoe.42@") == [zoe]
    assert await found(shop, search="%_") == [percent]
    assert await found(shop, search="nobody\\") == []
    assert await found(shop, paymentStatus=["FAILED"]) == [percent]
    assert await found(shop, "HIGHEST_TOTAL") == ["M-10001", percent, zoe]
    assert await found(shop, "LOWEST_TOTAL") == [zoe, percent, "M-10001"]
    assert await found(shop, "OLDEST", fulfilment=["UNFULFILLED", "SHIPPED"]) == ["M-10001", zoe, percent]
    assert await found(shop, toShip=True) == [zoe, "M-10001"]
    assert await found(shop, to="2020-01-01") == []
    assert await found(shop, "OLDEST", **{"from": "2020-01-01"}) == ["M-10001", zoe, percent]
    assert await found(shop, buyerId=str(shop.people.other)) == ["M-10001"]


@pytest.mark.parametrize("sort", ["NEWEST", "OLDEST", "HIGHEST_TOTAL", "LOWEST_TOTAL"])
async def test_pages_follow_each_other_whatever_the_sort(shop: Shop, sort: str) -> None:
    for cents in (300, 300, 100, 700):
        await add_order(shop, "a@b.test", "Ada", cents)
    page = """
    query ($sort: OrderSort!, $first: Int!, $after: String) { admin {
      orders(sort: $sort, first: $first, after: $after) { nodes { number } pageInfo { endCursor hasNextPage } } } }
    """
    whole = (await ask(shop, "admin", page, sort=sort, first=50))["admin"]["orders"]["nodes"]

    seen: list[Any] = []
    after, more = None, True
    while more:
        orders = (await ask(shop, "admin", page, sort=sort, first=2, after=after))["admin"]["orders"]
        seen += orders["nodes"]
        after, more = orders["pageInfo"]["endCursor"], orders["pageInfo"]["hasNextPage"]

    assert seen == whole
    assert len(seen) == 5


@pytest.mark.parametrize("total", ["9223372036854775808", "-9223372036854775809", "many"])
async def test_a_cursor_that_no_order_can_have_is_refused(shop: Shop, total: str) -> None:
    query = "query ($after: String) { admin { orders(sort: HIGHEST_TOTAL, after: $after) { totalCount } } }"
    body = {"query": query, "variables": {"after": encode_cursor(total, uuid4())}}

    answer = (await shop.clients["admin"].post("/graphql", json=body)).json()

    assert answer["errors"][0]["message"] == FOREIGN_CURSOR


MANY_ORDERS = text(
    """
    INSERT INTO orders (email, payment_status, total_cents, currency, shipping_address, created_at)
    SELECT md5(n::text) || '@example.test', 'paid', 100, 'USD', jsonb_build_object('name', md5('name' || n)),
        now() - n * interval '1 minute'
    FROM generate_series(1, 4000) AS n
    """
)


async def test_a_search_among_many_orders_reads_an_index(shop: Shop) -> None:
    async with shop.sessions() as session:
        # The facts of the reports are not what is looked at, and this transaction is not committed.
        await session.execute(text("SET LOCAL session_replication_role = replica"))
        await session.execute(MANY_ORDERS)
        # As autovacuum leaves them: the rows in the index itself, and counted.
        await session.execute(text("SELECT gin_clean_pending_list('ix_orders_search')"))
        await session.execute(text("ANALYZE orders"))
        async with StatementRecorder(session, "FROM orders") as recorder:
            page = await admin_queries.page(
                session, admin_queries.AdminOrderFilter(search="ada lovel"), "newest", limit=20
            )
            counted = await admin_queries.total(session, admin_queries.AdminOrderFilter(search="ada lovel"))
        plans = await recorder.plans()

    assert (len(page), counted, len(plans)) == (1, 1, 2)
    assert all("Bitmap Index Scan on ix_orders_search" in plan for plan in plans), plans


async def test_an_order_that_is_not_there_is_null_and_cannot_be_sent(shop: Shop) -> None:
    for made_up in (str(uuid4()), "made-up"):
        query = "query ($id: ID!) { admin { order(id: $id) { id } } }"
        assert (await ask(shop, "admin", query, id=made_up))["admin"]["order"] is None
        body = {"query": SHIP, "variables": {"order": made_up, "version": "", "input": UPS}}
        answer = (await shop.clients["admin"].post("/graphql", json=body)).json()
        assert answer["errors"][0]["extensions"]["code"] == "NOT_FOUND"


REFUSED = f"""
mutation ($order: ID!, $version: String!, $input: ShipmentInput!) {{
  shipOrder(id: $order, version: $version, input: $input) {{
    ... on UserError {{ message field }}
    ... on OrderChangedMeanwhile {{ changes }}
    {ACTED}
  }}
}}
"""
TROUBLES = "{ admin { paymentTroubles { nodes { id orderVersion order: orderId } } order(id: $id) { version } } }"


async def test_what_has_changed_since_an_order_was_read_is_told(shop: Shop) -> None:
    order = shop.people.others_order
    before = await version_of(shop.sessions, order)
    await act(shop, NOTE, order=str(order), text="Wait for her call.")

    refused = (await ask(shop, "admin", REFUSED, order=str(order), version=before, input=UPS))["shipOrder"]

    assert refused == {
        "__typename": "OrderChangedMeanwhile",
        "message": str(OrderChangedMeanwhile(())),
        "field": None,
        "changes": ["Alan Turing wrote a note."],
    }
    assert await mails(shop) == []


async def test_a_failed_refund_is_listed_with_the_version_of_its_order(shop: Shop) -> None:
    order = str(shop.people.others_order)
    async with begin(shop.sessions) as session:
        session.add(Refund(order_id=order, payment_intent_id="pi_1", amount_cents=100, reason="Late.", status="failed"))
        session.add(Refund(payment_intent_id="pi_2", amount_cents=100, reason="Sold out.", status="failed"))

    shown = (await ask(shop, "admin", f"query ($id: ID!) {TROUBLES}", id=order))["admin"]
    close = """
    mutation ($id: ID!, $version: String) { settleRefund(id: $id, version: $version, words: "By transfer.") {
      __typename
    } }
    """
    answers = [
        (await ask(shop, "primary", close, id=trouble["id"], version=version))["settleRefund"]["__typename"]
        for trouble in sorted(shown["paymentTroubles"]["nodes"], key=lambda each: each["order"] is None)
        for version in ([None, trouble["orderVersion"]] if trouble["order"] else [trouble["orderVersion"]])
    ]

    versions = {trouble["orderVersion"] for trouble in shown["paymentTroubles"]["nodes"]}
    assert versions == {shown["order"]["version"], None}
    assert answers == ["OrderChangedMeanwhile", "OrderChanged", "RefundSettled"]

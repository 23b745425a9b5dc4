"""Live events for admins, and refused subscriptions."""

import asyncio
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import text, update
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.applications import Starlette
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, ConnectionClosedError, InvalidStatus
from websockets.typing import Origin, Subprotocol

from server import socket as live_socket
from server.catalog.models import Variant
from server.config import Settings
from server.identity import service as identity
from server.identity.models import Session, User
from server.identity.sessions import viewer_of_token
from server.live.service import EventHub, EventStream, MissedEvents, OrderPlaced
from server.orders import service as orders
from server.orders.models import Checkout, CheckoutLine
from server.orders.service import PaymentState, ProviderPayment
from server.platform.core.db import Sessions, begin
from server.platform.core.error_codes import ErrorCode
from server.platform.core.security import cookie_name
from server.platform.core.viewer import Viewer
from server.socket import MAX_CONNECTIONS_PER_ACCOUNT
from tests.cart.stock import make_product
from tests.live.conftest import EVENTS, OWN_ORIGIN, Listen
from tests.session_tokens import session_token

ADDRESS = dict.fromkeys(("name", "address1", "address2", "city", "country", "postal_code", "phone"), "x")


async def ask_for_access(sessions: Sessions, user_id: UUID) -> None:
    async with begin(sessions) as session:
        await identity.request_admin_access(session, user_id)


async def checkout_of(session: AsyncSession, user_id: UUID) -> Checkout:
    """Ready to be paid."""
    goods = await make_product(session)
    checkout = Checkout(
        user_id=user_id,
        email="shopper@minimal.test",
        fingerprint="",
        total_cents=4900,
        currency="usd",
        shipping_address=ADDRESS,
        stripe_session_id="cs_test_1",
        expires_at=datetime.now(UTC) + timedelta(minutes=30),
        check_at=datetime.now(UTC) + timedelta(minutes=30),
    )
    session.add(checkout)
    await session.flush()
    session.add(
        CheckoutLine(
            checkout_id=checkout.id,
            variant_id=goods.variant_id,
            product_id=goods.product_id,
            position=0,
            quantity=1,
            unit_price_cents=4900,
            list_price_cents=4900,
            name="Oxford Shirt",
            color="Indigo",
            size="M",
            sku="OX",
        )
    )
    await session.commit()
    return checkout


@pytest.mark.usefixtures("second_server")
async def test_an_order_is_told_to_the_admins_of_every_server_once_it_is_committed(
    listen: Listen, session: AsyncSession, people: dict[str, UUID]
) -> None:
    here, there = await listen("admin"), await listen("owner", server=1)
    checkout = await checkout_of(session, people["shopper"])
    paid = ProviderPayment("cs_test_1", checkout.id, PaymentState.PAID, 4900, "usd", "pi_1")

    settled = await orders.settle(session, paid, shop_url="http://localhost")
    untold = await here.is_silent()
    await session.commit()

    assert untold
    assert settled.order is not None
    event = {"__typename": "OrderPlaced", "order": {"number": settled.order.quoted, "totalAmount": "49.00"}}
    assert (await here.event(), await there.event()) == (event, event)
    await orders.settle(session, paid, shop_url="http://localhost")
    await session.commit()
    assert await here.is_silent()


async def test_a_request_for_access_is_told_once_and_never_when_it_is_rolled_back(
    listen: Listen, sessions: Sessions, session: AsyncSession, people: dict[str, UUID]
) -> None:
    ear = await listen("admin")

    await identity.request_admin_access(session, people["shopper"])
    await session.rollback()
    untold = await ear.is_silent()
    await ask_for_access(sessions, people["shopper"])
    await ask_for_access(sessions, people["shopper"])

    assert untold
    user = {"email": "shopper@minimal.test", "adminRequest": True}
    assert await ear.event() == {"__typename": "AdminRequested", "user": user}
    assert await ear.is_silent()


async def test_low_stock_is_told_when_it_becomes_so_by_whatever_statement(
    listen: Listen, session: AsyncSession, people: dict[str, UUID]
) -> None:
    goods = await make_product(session, sizes=("S", "M"), stock=9)
    small = goods.variants["Indigo", "S"]
    ear = await listen("admin")

    events = []
    for stocks in ((8, 6, 5), (4, 9, 2)):
        for stock in stocks:
            await session.execute(update(Variant).where(Variant.id == small).values(stock=stock))
            await session.commit()
        # What is low is read when it is told: by then the next sale must not have come.
        events.append(await ear.event())
    await session.execute(text("UPDATE variants SET stock = 1"))
    await session.commit()
    third = await ear.event()

    low = {"name": "Oxford Shirt", "color": "Indigo"}
    assert events == [
        {"__typename": "StockLow", "variants": [{**low, "size": "S", "stock": 5}]},
        {"__typename": "StockLow", "variants": [{**low, "size": "S", "stock": 2}]},
    ]
    assert third == {"__typename": "StockLow", "variants": [{**low, "size": "M", "stock": 1}]}
    assert await ear.is_silent()


async def test_a_demoted_admin_hears_nothing_more(listen: Listen, sessions: Sessions, people: dict[str, UUID]) -> None:
    demoted, other = await listen("admin"), await listen("owner")
    async with begin(sessions) as session:
        await identity.toggle_admin(session, None, people["admin"])

    await ask_for_access(sessions, people["shopper"])

    assert (await other.event())["__typename"] == "AdminRequested"
    last = await demoted.hear()
    assert last["payload"]["data"] is None
    assert [error["extensions"]["code"] for error in last["payload"]["errors"]] == ["FORBIDDEN"]
    assert await demoted.hear() == {"type": "complete", "id": "1"}
    await demoted.subscribe(id="2")
    refused = await demoted.hear()
    assert (refused["type"], refused["payload"][0]["extensions"]["code"]) == ("error", "FORBIDDEN")


@pytest.mark.parametrize("how", ["signed out", "expired", "deleted"])
async def test_a_session_that_ended_hears_nothing_more(
    listen: Listen, sessions: Sessions, people: dict[str, UUID], how: str
) -> None:
    ear = await listen("admin")
    async with begin(sessions) as session:
        if how == "signed out":
            owner = await viewer_of_token(session, await session_token(session, people["owner"]))  # fmt: skip
            assert owner is not None
            await identity.sign_out_user(session, owner, people["admin"])
        elif how == "expired":
            await session.execute(update(Session).values(expires_at=datetime.now(UTC)))
        else:
            await identity.delete_user(session, None, people["admin"])

    await ask_for_access(sessions, people["shopper"])

    last = await ear.hear()
    assert last["payload"]["data"] is None
    assert [error["extensions"]["code"] for error in last["payload"]["errors"]] == ["UNAUTHENTICATED"]


@pytest.mark.parametrize(
    ("role", "origin"),
    [
        (None, OWN_ORIGIN),
        ("shopper", OWN_ORIGIN),
        ("admin", "https://evil.example"),
        ("admin", "null"),
        ("admin", None),
    ],
)
async def test_a_visitor_a_shopper_and_another_sites_page_are_refused_at_the_handshake(
    listen: Listen, role: str | None, origin: str | None
) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        await listen(role, origin=origin)

    assert refusal.value.response.status_code == 403


async def test_only_so_many_connections_of_one_account_are_open(listen: Listen) -> None:
    ears = [await listen("admin", subscribed=False) for _ in range(MAX_CONNECTIONS_PER_ACCOUNT)]

    with pytest.raises(InvalidStatus):
        await listen("admin", subscribed=False)

    assert await listen("owner", subscribed=False)
    await ears[0].socket.close()
    async with asyncio.timeout(20):
        while True:
            with suppress(InvalidStatus):
                await listen("admin", subscribed=False)
                break


async def test_a_connection_without_a_subscription_ends_and_one_with_it_stays(
    listen: Listen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_socket, "IDLE_SECONDS", 0.4)
    idle, listening = await listen("admin", subscribed=False), await listen("owner")

    with pytest.raises(ConnectionClosed) as closing:
        await idle.hear()
    silent = await listening.is_silent(0.6)
    await listening.say(type="complete", id="1")
    with pytest.raises(ConnectionClosed):
        await listening.hear()

    assert (closing.value.rcvd and closing.value.rcvd.code, closing.value.rcvd and closing.value.rcvd.reason) == (
        1000,
        "No subscription",
    )
    assert silent


async def fill(listen: Listen, sessions: Sessions, settings: Settings) -> tuple[int, bool]:
    """Two accounts open ten connections each. Returns how many they got, and whether the owner still gets one."""
    async with begin(sessions) as session:
        strangers = [User(email=f"{n}@evil.test", name="Stranger") for n in range(2)]
        session.add_all(strangers)
        await session.flush()
        tokens = [await session_token(session, each.id) for each in strangers]
    opened = 0
    async with AsyncExitStack() as connections:
        for token in tokens * 10:
            with suppress(InvalidStatus):
                await connections.enter_async_context(
                    connect(
                        f"ws://127.0.0.1:{settings.port}/graphql",
                        subprotocols=[Subprotocol("graphql-transport-ws")],
                        additional_headers={"cookie": f"{cookie_name(settings)}={token}"},
                        origin=Origin(settings.public_url),
                    )
                )
                opened += 1
        try:
            await listen("owner")
        except InvalidStatus:
            return opened, False
    return opened, True


async def test_shoppers_take_admins_no_places(
    listen: Listen, sessions: Sessions, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_socket, "MAX_CONNECTIONS", 20)

    assert await fill(listen, sessions, settings) == (0, True)


async def test_where_every_account_gets_ten_connections_some_of_them_take_all_places(
    listen: Listen, sessions: Sessions, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_socket, "MAX_CONNECTIONS", 20)
    monkeypatch.setattr(live_socket, "MAX_CONNECTIONS_PER_ACCOUNT", 10)
    monkeypatch.setattr(Viewer, "is_admin", True)

    assert await fill(listen, sessions, settings) == (20, False)


@pytest.mark.parametrize("document", ["{ admin { users { totalCount } } }", "mutation { signOut { ok } }"])
async def test_queries_and_mutations_do_not_go_through_the_socket(listen: Listen, document: str) -> None:
    ear = await listen("owner", subscribed=False)

    await ear.subscribe(document)

    refused = await ear.hear()
    assert (refused["type"], refused["payload"][0]["extensions"]) == ("error", {"code": "BAD_USER_INPUT"})
    assert "subscriptions go through graphql-transport-ws" in refused["payload"][0]["message"]


async def test_subscriptions_are_not_posted(settings: Settings, shop: Starlette) -> None:
    async with httpx.AsyncClient(base_url=settings.public_url, headers={"sec-fetch-site": "same-origin"}) as client:
        answer = await client.post("/graphql", json={"query": EVENTS})
        unnamed = await client.post("/graphql", json={"query": "query A { shop { name } }", "operationName": "B"})

    for each in (answer, unnamed):
        assert each.status_code == 200
        assert each.json()["errors"][0]["extensions"] == {"code": "BAD_USER_INPUT"}


@pytest.mark.parametrize(
    ("selection", "words"),
    [
        ("... on AdminRequested { user { " + "orderCount " * 1_600 + "} }", "tokens"),
        ("... on AdminRequested { user { " + " ".join(f"a{n}: email" for n in range(31)) + " } }", "aliases"),
        ("secret", "Cannot query field"),
    ],
)
async def test_the_limits_of_documents_hold_here_too(listen: Listen, selection: str, words: str) -> None:
    ear = await listen("owner", subscribed=False)

    await ear.subscribe(f"subscription {{ adminEvents {{ {selection} }} }}")

    refused = await ear.hear()
    assert refused["type"] == "error"
    assert words in refused["payload"][0]["message"]
    assert refused["payload"][0]["extensions"]["code"] in set(ErrorCode)


async def test_after_a_gap_in_listening_all_is_read_anew(
    listen: Listen, session: AsyncSession, people: dict[str, UUID], sessions: Sessions
) -> None:
    ear = await listen("admin")

    await session.execute(
        text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' OR query LIKE 'SELECT 1'"
        )
    )
    await session.rollback()

    assert await ear.event() == {"__typename": "EventsMissed"}
    await ask_for_access(sessions, people["shopper"])
    assert (await ear.event())["__typename"] == "AdminRequested"


async def test_a_listener_who_is_too_slow_is_told_so_instead_of_everything() -> None:
    hub = EventHub()
    handle = hub.channels["order_placed"]
    with hub.listen() as slow:
        for _ in range(101):
            handle(str(uuid4()))
        last = uuid4()
        handle(str(last))

        events = [await slow.next(0.01) for _ in range(3)]

    assert events == [MissedEvents(), OrderPlaced(last), None]


async def test_gaps_one_after_the_other_are_told_once() -> None:
    listening = EventStream()
    for _ in range(3):
        listening.put(MissedEvents())

    assert [await listening.next(0.01) for _ in range(2)] == [MissedEvents(), None]


@pytest.mark.parametrize("levels", [60, 900, 5_000, 50_000])
async def test_a_message_nested_without_end_closes_the_connection_in_words(listen: Listen, levels: int) -> None:
    ear = await listen("admin", subscribed=False)
    deep = "[" * levels + "]" * levels

    await ear.socket.send(f'{{"type": "subscribe", "id": "1", "payload": {{"query": "", "variables": {deep}}}}}')

    with pytest.raises(ConnectionClosedError) as closed:
        await ear.hear()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4400, "WebSocket message must be valid JSON")


@pytest.mark.parametrize("document", ["", " ", "query { shop { name } }", f"{EVENTS} query B {{ shop {{ name }} }}"])
async def test_what_is_no_subscription_is_an_error_of_its_own(listen: Listen, document: str) -> None:
    ear = await listen("admin")

    await ear.subscribe(document, id="2")

    message = await ear.hear()
    assert (message["type"], message["id"]) == ("error", "2")
    assert await ear.is_silent(0.1)

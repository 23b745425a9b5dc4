"""A request that waits for a scarcer worker holds no slot, and takes one again for the rest of its work."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Hashable
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from server.identity import sessions as tokens
from server.identity.models import PasswordReset, User
from server.identity.passwords import PasswordHashing
from server.platform.core import clock
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Unavailable
from server.platform.core.slots import without_slot
from server.platform.web.load_shedding import ConcurrencyLimiter
from server.platform.web.queues import Priority
from tests.api.conftest import Shop
from tests.hashes import CHEAP
from tests.platform.web.limited_app import COOKIE, limited, settled, token, until
from tests.statements import counted_statements

PASSWORD, NEW_PASSWORD = "Linen&Shirt4", "Denim&Jacket5"
RESET_TOKEN = "r" * 43
REQUESTS = 6


def graphql(document: str) -> tuple[str, str, Any]:
    return "POST", "/graphql", {"query": document}


CASES: dict[str, tuple[str, Callable[[int], tuple[str, str, Any]]]] = {
    "sign in": (
        "visitor",
        lambda n: ("POST", "/api/auth/signin", {"email": f"ann{n}@minimal.test", "password": PASSWORD}),
    ),
    "sign in by GraphQL": (
        "visitor",
        lambda n: graphql(
            f'mutation {{ signIn(email: "ann{n}@minimal.test", password: "{PASSWORD}") {{ __typename }} }}'
        ),
    ),
    "sign up": (
        "visitor",
        lambda n: (
            "POST",
            "/api/auth/signup",
            {"name": "Ann Shopper", "email": f"ann{n}@minimal.test", "password": PASSWORD},
        ),
    ),
    "reset": (
        "visitor",
        lambda _: ("POST", "/api/auth/reset-password", {"resetToken": RESET_TOKEN, "newPassword": NEW_PASSWORD}),
    ),
    "profile": ("shopper", lambda _: ("PUT", "/api/user/profile", {"password": NEW_PASSWORD})),
    "sign in again": (
        "shopper",
        lambda _: graphql(f'mutation {{ reauthenticate(input: {{ password: "{PASSWORD}" }}) {{ __typename }} }}'),
    ),
}


@pytest.fixture
def passwords(shop: Shop) -> PasswordHashing:
    hashing: PasswordHashing = shop.app.state.shop.resources.get(PasswordHashing)
    return hashing


@pytest.fixture
async def credentials(shop: Shop, sessions: Sessions) -> None:
    """A password and a reset link of the shopper."""
    async with begin(sessions) as session:
        user = await session.get(User, shop.people.shopper)
        assert user is not None
        user.password_hash = CHEAP.hash(PASSWORD)
        until_then = clock.now() + timedelta(hours=1)
        session.add(PasswordReset(user_id=user.id, token_hash=tokens.token_hash(RESET_TOKEN), expires_at=until_then))


def client_of(shop: Shop, limiter: ConcurrencyLimiter, role: str) -> httpx.AsyncClient:
    client = shop.clients[role]
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(limiter), base_url=client.base_url, headers=client.headers, cookies=client.cookies
    )


async def occupied(passwords: PasswordHashing, gate: Event) -> list[asyncio.Task[bool]]:
    """Keeps every thread at work until the gate opens."""
    tasks = [asyncio.create_task(passwords._run(gate.wait, "another")) for _ in range(passwords._idle)]
    await until(lambda: not passwords._idle)
    return tasks


@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("credentials")
async def test_waiting_for_hash_holds_no_slot(shop: Shop, passwords: PasswordHashing, case: str) -> None:
    limiter = ConcurrencyLimiter(shop.app, shop.app.state.shop.visitors, max_concurrent=2, read_queue_timeout=60)
    role, request = CASES[case]
    gate = Event()
    at_work = await occupied(passwords, gate)
    try:
        async with client_of(shop, limiter, role) as client, client_of(shop, limiter, "visitor") as visitor:
            requests = [request(number) for number in range(REQUESTS)]
            waiting = [asyncio.create_task(client.request(method, path, json=body)) for method, path, body in requests]
            await until(lambda: len(passwords._queue) == REQUESTS or any(task.done() for task in waiting))
            held, queued = list(limiter._held), len(passwords._queue)
            page = await visitor.post("/graphql", content=json.dumps({"query": "{ products { nodes { name } } }"}))
            gate.set()
            answers = await asyncio.gather(*waiting)
    finally:
        gate.set()
    await asyncio.gather(*at_work)

    assert (queued, held) == (REQUESTS, [0] * len(Priority))
    assert page.status_code == 200
    assert [each.status_code for each in answers if each.status_code >= 500] == []
    assert limiter._held == [0] * len(Priority)


async def test_full_queue_of_hashes_refuses_before_any_statement(shop: Shop, passwords: PasswordHashing) -> None:
    gate = Event()
    at_work = await occupied(passwords, gate)
    passwords._queue._max = 0
    try:
        with counted_statements() as statements:
            answer = await shop.clients["visitor"].post("/api/auth/signin", json=CASES["sign in"][1](0)[2])
    finally:
        gate.set()
    await asyncio.gather(*at_work)

    assert (answer.status_code, "retry-after" in answer.headers) == (503, True)
    assert statements == []


async def test_clients_take_turns_at_the_hasher() -> None:
    passwords, gate, served = PasswordHashing(threads=1), Event(), list[Hashable]()
    at_work = await occupied(passwords, gate)
    clients = [*["crowd"] * 5, "alone"]
    waiting = [asyncio.create_task(passwords._run(partial(served.append, each), each)) for each in clients]
    await until(lambda: len(passwords._queue) == len(clients))

    gate.set()
    await asyncio.gather(*waiting, *at_work)

    assert served == ["crowd", "alone", "crowd", "crowd", "crowd", "crowd"]


async def test_full_queue_of_hashes_makes_room_for_another_client() -> None:
    passwords, gate = PasswordHashing(threads=1, most_waiting=3), Event()
    at_work = await occupied(passwords, gate)
    crowd = [asyncio.create_task(passwords.hash(PASSWORD, "crowd")) for _ in range(4)]
    await settled()
    alone = asyncio.create_task(passwords.hash(PASSWORD, "alone"))
    await settled()

    gate.set()
    results = await asyncio.gather(*crowd, alone, *at_work, return_exceptions=True)

    assert [isinstance(each, Unavailable) for each in results] == [False, False, True, True, False, False]


async def test_cancelled_request_passes_its_turn_on() -> None:
    passwords, gate = PasswordHashing(threads=1), Event()
    at_work = await occupied(passwords, gate)
    first, second = (asyncio.create_task(passwords.hash(PASSWORD, name)) for name in ("first", "second"))
    await until(lambda: len(passwords._queue) == 2)
    first.cancel()
    at_work[0].cancel()
    await settled()

    gate.set()
    await second
    await until(lambda: passwords._idle == 1)

    assert first.cancelled()


def waiting_app(may_go_on: asyncio.Event, reached: Callable[[], Awaitable[None]]) -> Any:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/waits":
            async with without_slot():
                await may_go_on.wait()
        await reached()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return app


async def test_slot_is_taken_again_after_the_wait() -> None:
    may_go_on, doors = asyncio.Event(), asyncio.Event()
    inside = 0

    async def reached() -> None:
        nonlocal inside
        inside += 1
        await doors.wait()

    limiter = limited(waiting_app(may_go_on, reached), max_concurrent=1, read_queue_timeout=60)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        tasks = [asyncio.create_task(client.get("/waits")) for _ in range(3)]
        await until(lambda: not any(limiter._held))
        await settled()
        may_go_on.set()
        await until(lambda: inside == 1)
        await settled()
        at_once, held = inside, sum(limiter._held)
        doors.set()
        answers = await asyncio.gather(*tasks)

    assert (at_once, held) == (1, 1)
    assert [each.status_code for each in answers] == [200] * 3
    assert sum(limiter._held) == 0


async def test_begun_request_goes_before_new_ones_of_its_client() -> None:
    may_go_on, doors, served = asyncio.Event(), asyncio.Event(), list[str]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/begun":
            async with without_slot():
                await may_go_on.wait()
        if scope["path"] == "/first":
            await doors.wait()
        served.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    limiter = limited(app, max_concurrent=1, read_queue_timeout=60)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        tasks = []
        for path in ("/begun", "/first", "/new", "/new"):
            tasks.append(asyncio.create_task(client.get(path)))
            await settled()
        may_go_on.set()
        await settled()
        doors.set()
        await asyncio.gather(*tasks)

    assert served == ["/first", "/begun", "/new", "/new"]


async def test_request_without_a_slot_in_time_is_unavailable() -> None:
    may_go_on, doors, refusals = asyncio.Event(), asyncio.Event(), list[Unavailable]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/waits":
            try:
                async with without_slot():
                    await may_go_on.wait()
            except Unavailable as refusal:
                refusals.append(refusal)
        else:
            await doors.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    limiter = limited(app, max_concurrent=1, write_queue_timeout=0.01)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        waits = asyncio.create_task(client.get("/waits"))
        await settled()
        other = asyncio.create_task(client.get("/"))
        await until(lambda: sum(limiter._held) == 1)
        may_go_on.set()
        await waits
        doors.set()
        await other

    assert len(refusals) == 1
    assert sum(limiter._held) == 0


async def test_visitors_writes_leave_slots_to_visitors_reads() -> None:
    doors, arrived = asyncio.Event(), list[str]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        arrived.append(scope["method"])
        await doors.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    limiter = limited(app, max_concurrent=12, read_queue_timeout=60)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        buyer = {"cookie": f"{COOKIE}={token('buyer1')}"}
        tasks = [asyncio.create_task(client.put("/")) for _ in range(12)]
        await until(lambda: len(arrived) == 3)
        await settled()
        writes = len(arrived)
        tasks += [asyncio.create_task(client.get("/")) for _ in range(12)]
        await until(lambda: len(arrived) == 6)
        await settled()
        reads = len(arrived) - writes
        tasks.append(asyncio.create_task(client.get("/", headers=buyer)))
        await until(lambda: len(arrived) == 7)
        doors.set()
        answers = await asyncio.gather(*tasks)

    assert (writes, reads) == (3, 3)
    assert {each.status_code for each in answers} == {200}

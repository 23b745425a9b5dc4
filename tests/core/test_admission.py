"""Who is let in, who waits, and who is asked to come back."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from server.core.admission import Admission, step_aside
from server.core.rest import OF_A_STRANGER

MOST, WAITING = 2, 3


@dataclass
class Kitchen:
    """An app that answers, with what it was sent, when it is told to."""

    doors: asyncio.Event = field(default_factory=asyncio.Event)
    inside: int = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.inside += 1
        try:
            body = b""
            message = await receive()
            while message.get("more_body"):
                body += message["body"]
                message = await receive()
            body += message.get("body", b"")
            await self.doors.wait()
        finally:
            self.inside -= 1
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen()


def guarded(kitchen: Kitchen, patience: float = 5, place_seconds: float = 60) -> httpx.AsyncClient:
    app = Admission(kitchen, most_at_once=MOST, most_waiting=WAITING, patience=patience, place_seconds=place_seconds)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


async def test_so_many_are_let_in_some_wait_and_the_rest_is_told_at_once_when_to_come_back(kitchen: Kitchen) -> None:
    async with guarded(kitchen) as client:
        asked = [asyncio.create_task(client.get("/")) for _ in range(10)]
        await settled()
        refused = [task.result() for task in asked if task.done()]
        inside = kitchen.inside
        kitchen.doors.set()
        answers = await asyncio.gather(*asked)

    assert inside == MOST
    assert statuses(refused) == {503: 10 - MOST - WAITING}
    assert {int(answer.headers["retry-after"]) for answer in refused} <= {1, 2, 3}
    assert refused[0].json() == {"message": "The shop cannot answer right now. Please try again in a moment."}
    assert statuses(answers) == {200: MOST + WAITING, 503: 5}


async def test_whoever_waited_long_enough_is_told_too_and_holds_no_place(kitchen: Kitchen) -> None:
    async with guarded(kitchen, patience=0.05) as client:
        asked = [asyncio.create_task(client.get("/")) for _ in range(MOST + WAITING)]
        await asyncio.sleep(0.2)
        told = statuses([task.result() for task in asked if task.done()])
        kitchen.doors.set()
        await asyncio.gather(*asked)
        later = await asyncio.gather(*(client.get("/") for _ in range(MOST)))

    assert told == {503: WAITING}
    assert statuses(later) == {200: MOST}


async def test_whoever_is_stuck_makes_room(kitchen: Kitchen) -> None:
    async with guarded(kitchen, place_seconds=0.05) as client:
        asked = [asyncio.create_task(client.get("/")) for _ in range(MOST + 1)]
        await asyncio.sleep(0.2)
        inside = kitchen.inside
        kitchen.doors.set()
        await asyncio.gather(*asked)

    assert inside == MOST + 1


async def test_whoever_steps_aside_makes_room_once(kitchen: Kitchen) -> None:
    async def waits_elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
        step_aside()
        step_aside()
        await kitchen(scope, receive, send)

    app = Admission(waits_elsewhere, most_at_once=1, most_waiting=0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        asked = []
        for _ in range(5):
            asked.append(asyncio.create_task(client.get("/")))
            await settled()
        inside = kitchen.inside
        kitchen.doors.set()

        assert statuses(await asyncio.gather(*asked)) == {200: 5}
    assert inside == 5


async def test_a_place_is_given_back_once_even_by_those_who_took_long(kitchen: Kitchen) -> None:
    async with guarded(kitchen, place_seconds=0.05) as client:
        slow = [asyncio.create_task(client.get("/")) for _ in range(MOST)]
        await asyncio.sleep(0.1)
        kitchen.doors.set()
        await asyncio.gather(*slow)
        kitchen.doors.clear()
        asked = [asyncio.create_task(client.get("/")) for _ in range(MOST + 1)]
        await settled()
        inside = kitchen.inside
        kitchen.doors.set()
        await asyncio.gather(*asked)

    assert inside == MOST


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/api/payment/webhook"])
async def test_watchers_and_the_payment_provider_are_never_refused(kitchen: Kitchen, path: str) -> None:
    async with guarded(kitchen) as client:
        asked = [asyncio.create_task(client.post(path, content=b"{}")) for _ in range(20)]
        await settled()
        inside = kitchen.inside
        kitchen.doors.set()

        assert statuses(await asyncio.gather(*asked)) == {200: 20}
    assert inside == 20


@pytest.mark.parametrize(
    ("method", "path", "body", "waits"),
    [
        ("GET", "/", b"", False),
        ("HEAD", "/api/cart", b"", False),
        ("PUT", "/api/cart/1", b"{}", True),
        ("DELETE", "/api/cart/1", b"", True),
        ("POST", "/graphql", b'{"query":"query Cart { viewer { name } }"}', False),
        ("POST", "/graphql", b'{"variables":{"text":"mutation"},"query":"{ viewer { name } }"}', False),
        ("POST", "/graphql", b'{"operationName":"Buy","query":"mutation Buy { startCheckout }"}', True),
        ("POST", "/graphql", b'{"query" : "\\n  mutation { startCheckout }"}', True),
    ],
)
async def test_whoever_does_something_waits_on_where_a_looker_is_sent_away(
    kitchen: Kitchen, method: str, path: str, body: bytes, waits: bool
) -> None:
    async with guarded(kitchen, patience=0.05) as client:
        first = [asyncio.create_task(client.get("/")) for _ in range(MOST)]
        await settled()
        asked = asyncio.create_task(client.request(method, path, content=body))
        await asyncio.sleep(0.2)
        kitchen.doors.set()
        await asyncio.gather(*first)

        assert (await asked).status_code == (200 if waits else 503)


async def test_a_crowd_that_acts_leaves_every_fourth_place_to_those_who_look(kitchen: Kitchen) -> None:
    kitchen.doors.set()
    served: list[str] = []

    async def slowly(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope["method"])
        await asyncio.sleep(0.01)
        await kitchen(scope, receive, send)

    app = Admission(slowly, most_at_once=1, patience=5)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        asked = [client.request(method, "/") for method in ("PUT",) * 7 + ("GET",) * 2]

        assert statuses(await asyncio.gather(*asked)) == {200: 9}
    assert served == ["PUT", "PUT", "PUT", "PUT", "GET", "PUT", "PUT", "PUT", "GET"]


async def test_somebody_who_leaves_the_line_takes_nobodys_turn(kitchen: Kitchen) -> None:
    async with guarded(kitchen) as client:
        first = [asyncio.create_task(client.get("/")) for _ in range(MOST)]
        await settled()
        leaver, stayer = asyncio.create_task(client.get("/")), asyncio.create_task(client.get("/"))
        await settled()
        leaver.cancel()
        await settled()
        kitchen.doors.set()

        assert statuses(await asyncio.gather(*first, stayer)) == {200: MOST + 1}


@pytest.mark.parametrize("size", [1, 100_000, OF_A_STRANGER, OF_A_STRANGER + 1, 3 * OF_A_STRANGER])
@pytest.mark.parametrize("is_chunked", [False, True])
async def test_a_body_arrives_whole(kitchen: Kitchen, size: int, is_chunked: bool) -> None:
    kitchen.doors.set()
    body = bytes(each % 251 for each in range(size))

    async def parts() -> AsyncIterator[bytes]:
        for first in range(0, size, 50_000):
            yield body[first : first + 50_000]

    async with guarded(kitchen) as client:
        answer = await client.post("/", content=parts() if is_chunked else body)

    assert answer.content == body


async def test_a_body_that_comes_slowly_holds_no_place(kitchen: Kitchen) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow_body() -> Message:
        if not begun.is_set():
            begun.set()
            return {"type": "http.request", "body": b"a", "more_body": True}
        await go_on.wait()
        return {"type": "http.request", "body": b"b", "more_body": False}

    async def nowhere(_message: Message) -> None:
        return None

    app = Admission(kitchen, most_at_once=1)
    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"transfer-encoding", b"chunked")]}
    slow = asyncio.create_task(_called(app, scope, slow_body, nowhere))
    await begun.wait()
    await settled()
    kitchen.doors.set()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        answer = await client.get("/")
    go_on.set()
    await slow

    assert answer.status_code == 200


async def test_a_client_that_leaves_before_its_body_is_whole_is_not_served(kitchen: Kitchen) -> None:
    async def gone() -> Message:
        return {"type": "http.disconnect"}

    async def nowhere(_message: Message) -> None:
        raise AssertionError("There is nobody to answer.")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-length", b"5")]}

    await Admission(kitchen)(scope, gone, nowhere)


async def _called(app: Admission, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    await app(scope, receive, send)

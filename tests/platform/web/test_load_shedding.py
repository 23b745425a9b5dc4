"""Load shedding: which requests are served, queued and refused."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import httpx
import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.platform.core.slots import release_slot
from server.platform.web.load_shedding import WEBHOOK_BYTES, ConcurrencyLimiter
from server.platform.web.rest import MAX_BODY
from tests.attacks.calls import signed
from tests.platform.web.limited_app import COOKIE, WEBHOOK, Kitchen, Shoppers, limited, settled, token, until

MOST, WAITING = 2, 3


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen()


def guarded(kitchen: Kitchen, patience: float = 60, place_seconds: float = 60) -> httpx.AsyncClient:
    app = limited(
        kitchen,
        max_concurrent=2 * MOST,  # Half of them are for buyers, and for those with an account.
        max_queued=WAITING,
        read_queue_timeout=patience,
        slot_seconds=place_seconds,
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")


async def one_by_one(client: httpx.AsyncClient, number: int) -> list[asyncio.Task[httpx.Response]]:
    """They come so close to each other that none is answered meanwhile, but not in one iteration of the event loop."""
    tasks = []
    for _ in range(number):
        tasks.append(asyncio.create_task(client.get("/")))
        await settled()
    return tasks


def ended(tasks: Sequence[asyncio.Task[httpx.Response]]) -> int:
    return sum(task.done() for task in tasks)


def statuses(answers: list[httpx.Response]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


async def test_requests_beyond_slots_wait_and_beyond_the_queue_are_refused_at_once(kitchen: Kitchen) -> None:
    async with guarded(kitchen) as client:
        tasks = await one_by_one(client, 10)
        refused = [task.result() for task in tasks if task.done()]
        inside = kitchen.inside
        kitchen.doors.set()
        answers = await asyncio.gather(*tasks)

    assert inside == MOST
    assert statuses(refused) == {503: 10 - MOST - WAITING}
    assert {int(answer.headers["retry-after"]) for answer in refused} <= {1, 2, 3}
    assert refused[0].json() == {"message": "The shop cannot answer right now. Please try again in a moment."}
    assert statuses(answers) == {200: MOST + WAITING, 503: 5}


async def test_whoever_waited_long_enough_is_told_too_and_holds_no_place(kitchen: Kitchen) -> None:
    async with guarded(kitchen, patience=0.05) as client:
        tasks = [asyncio.create_task(client.get("/")) for _ in range(MOST + WAITING)]
        await until(lambda: ended(tasks) == WAITING)
        counts = statuses([task.result() for task in tasks if task.done()])
        kitchen.doors.set()
        await asyncio.gather(*tasks)
        later = await asyncio.gather(*(client.get("/") for _ in range(MOST)))

    assert counts == {503: WAITING}
    assert statuses(later) == {200: MOST}


async def test_whoever_is_stuck_makes_room(kitchen: Kitchen) -> None:
    async with guarded(kitchen, place_seconds=0.05) as client:
        tasks = [asyncio.create_task(client.get("/")) for _ in range(MOST + 1)]
        await until(lambda: kitchen.inside > MOST)
        inside = kitchen.inside
        kitchen.doors.set()
        await asyncio.gather(*tasks)

    assert inside == MOST + 1


async def test_whoever_steps_aside_makes_room_once(kitchen: Kitchen) -> None:
    async def waits_elsewhere(scope: Scope, receive: Receive, send: Send) -> None:
        release_slot()
        release_slot()
        await kitchen(scope, receive, send)

    app = limited(waits_elsewhere, max_concurrent=1, max_queued=0)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        tasks = []
        for _ in range(5):
            tasks.append(asyncio.create_task(client.get("/")))
            await settled()
        inside = kitchen.inside
        kitchen.doors.set()

        assert statuses(await asyncio.gather(*tasks)) == {200: 5}
    assert inside == 5


async def test_a_place_is_given_back_once_even_by_those_who_took_long(kitchen: Kitchen) -> None:
    async with guarded(kitchen, place_seconds=0.05) as client:
        slow = [asyncio.create_task(client.get("/")) for _ in range(MOST)]
        await asyncio.sleep(0.1)
        kitchen.doors.set()
        await asyncio.gather(*slow)
        kitchen.doors.clear()
        tasks = [asyncio.create_task(client.get("/")) for _ in range(MOST + 1)]
        await settled()
        inside = kitchen.inside
        kitchen.doors.set()
        await asyncio.gather(*tasks)

    assert inside == MOST


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
async def test_probes_are_never_refused(kitchen: Kitchen, path: str) -> None:
    async with guarded(kitchen) as client:
        tasks = [asyncio.create_task(client.get(path)) for _ in range(20)]
        await settled()
        inside = kitchen.inside
        kitchen.doors.set()

        assert statuses(await asyncio.gather(*tasks)) == {200: 20}
    assert inside == 20


async def test_a_webhook_without_the_providers_signature_is_refused_at_once(kitchen: Kitchen) -> None:
    body = b'{"id":"evt_1"}'
    async with guarded(kitchen) as client:
        blocking = await one_by_one(client, MOST + WAITING)
        unsigned = await client.post(WEBHOOK, content=body)
        empty = await client.post(WEBHOOK)
        forged = await client.post(WEBHOOK, content=body, headers=signed(b"{}"))
        huge = await client.post(WEBHOOK, content=b" " * (WEBHOOK_BYTES + 1))
        hello = asyncio.create_task(client.post(WEBHOOK, content=body, headers=signed(body)))
        await settled()
        inside = kitchen.inside
        kitchen.doors.set()
        answers = await asyncio.gather(hello, *blocking)

    assert [each.status_code for each in (unsigned, empty, forged, huge)] == [400, 400, 400, 413]
    assert unsigned.json() == {"message": "The signature does not fit."}
    assert inside == MOST + 1
    assert statuses(answers) == {200: 1 + MOST + WAITING}


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
        task = asyncio.create_task(client.request(method, path, content=body))
        if waits:
            await asyncio.sleep(0.2)
        else:
            await until(task.done)
        kitchen.doors.set()
        await asyncio.gather(*first)

        assert (await task).status_code == (200 if waits else 503)


@dataclass
class Counting:
    """An app that takes a moment, and notes whom it served, in order. The first is served until all `have_come`."""

    served: list[str] = field(default_factory=list)
    have_come: Callable[[], bool] = lambda: True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.served.append(scope["path"].strip("/"))
        if len(self.served) == 1:
            await until(self.have_come)
        await asyncio.sleep(0.001)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def queued(limiter: ConcurrencyLimiter) -> int:
    return sum(map(len, limiter._queues.values()))


async def ask(
    app: ASGIApp,
    names: Sequence[str],
    *,
    addresses: Sequence[str] = ("127.0.0.1",),
    meanwhile: Callable[[Sequence[asyncio.Task[httpx.Response]]], Awaitable[None]] | None = None,
) -> Counter[int]:
    """A write of each by the session of that name, at once and in this order; who has no session is anonymous.

    Readers, who have none either, read.
    """
    async with AsyncExitStack() as stack:
        asking = []
        for number, name in enumerate(names):
            peer = (addresses[number % len(addresses)], 50_000)
            client = httpx.AsyncClient(transport=httpx.ASGITransport(app, client=peer), base_url="http://localhost")
            await stack.enter_async_context(client)
            headers = {"cookie": f"{COOKIE}={token(name)}"} if name.startswith(("buyer", "member", "made")) else {}
            method = "GET" if name.startswith("reader") else "PUT"
            asking.append(asyncio.create_task(client.request(method, f"/{name}", headers=headers)))
            await asyncio.sleep(0)
        if meanwhile:
            await meanwhile(asking)
        return statuses(await asyncio.gather(*asking))


async def test_buyers_go_first_and_nobody_starves() -> None:
    app = Counting()
    members, buyers = [f"member{n}" for n in range(4)], [f"buyer{n}" for n in range(10)]
    names = ["first", *["nobody"] * 4, *["reader"] * 4, *members, *buyers]

    limiter = limited(app, max_concurrent=1, read_queue_timeout=60)
    app.have_come = lambda: queued(limiter) == len(names) - 1

    counts = await ask(limiter, names)

    kinds = [re.sub(r"[0-9]", "", name) for name in app.served]
    buyer, member, reader, nobody = "buyer", "member", "reader", "nobody"
    once_round = [buyer, buyer, member, buyer, buyer, reader]
    assert counts == {200: len(names)}
    assert kinds[:14] == ["first", *once_round, *once_round, nobody]
    assert Counter(kinds) == {"first": 1, buyer: 10, member: 4, reader: 4, nobody: 4}


async def test_those_of_lower_priority_leave_slots_free() -> None:
    kitchen = Kitchen()
    limiter = limited(kitchen, max_concurrent=12, read_queue_timeout=60)
    asking = []
    inside = []
    async with httpx.AsyncClient(transport=httpx.ASGITransport(limiter), base_url="http://localhost") as client:
        for name in ("", "member1", "buyer1"):
            own = {"cookie": f"{COOKIE}={token(name)}"} if name else {}
            asking += [asyncio.create_task(client.get("/", headers=own)) for _ in range(12)]
            async with asyncio.timeout(30):
                await asyncio.gather(*(kitchen.arrived.acquire() for _ in range(3 if name else 6)))
            await asyncio.sleep(0.03)
            inside.append(kitchen.inside)
        kitchen.doors.set()
        await asyncio.gather(*asking)

    assert inside == [6, 9, 12]


async def test_a_client_with_many_requests_delays_nobody_but_itself() -> None:
    app = Counting()
    crowd = [f"crowd{number}" for number in range(20)]
    limiter = limited(app, max_concurrent=1)
    app.have_come = lambda: queued(limiter) == len(crowd)

    counts = await ask(limiter, [*crowd, "alone"], addresses=["192.0.2.1"] * 20 + ["192.0.2.2"])

    assert counts == {200: 21}
    assert app.served.index("alone") <= 2


async def test_a_full_queue_makes_room_for_a_client_that_has_less_in_it(kitchen: Kitchen) -> None:
    app = limited(kitchen, max_concurrent=1, max_queued=4)

    async def open_the_doors(asking: Sequence[asyncio.Task[httpx.Response]]) -> None:
        await until(lambda: ended(asking) == 3)
        kitchen.doors.set()

    counts = await ask(
        app,
        ["first", *["crowd"] * 6, "alone"],
        addresses=["192.0.2.1"] * 7 + ["192.0.2.2"],
        meanwhile=open_the_doors,
    )

    assert counts == {200: 5, 503: 3}


async def test_sessions_are_looked_up_in_batches_only_while_requests_wait() -> None:
    app, shoppers = Counting(), Shoppers()
    limiter = limited(app, shoppers, max_concurrent=2)

    await ask(limiter, ["buyer1"])
    quiet = list(shoppers.lookups)
    shoppers.may_answer.clear()

    async def answer(_: Sequence[asyncio.Task[httpx.Response]]) -> None:
        shoppers.may_answer.set()

    await ask(limiter, [f"made{n}up" for n in range(300)] + ["buyer2"] * 5, meanwhile=answer)

    assert quiet == []
    assert sum(shoppers.lookups) <= 301
    assert len(shoppers.lookups) <= 20


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


@pytest.mark.parametrize("size", [1, 100_000, MAX_BODY, MAX_BODY + 1, 3 * MAX_BODY])
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

    app = limited(kitchen, max_concurrent=1)
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

    await limited(kitchen)(scope, gone, nowhere)


async def _called(app: ConcurrencyLimiter, scope: Scope, receive: Callable[[], Awaitable[Message]], send: Send) -> None:
    await app(scope, receive, send)


async def test_the_log_says_how_many_were_refused(
    kitchen: Kitchen, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, later = asyncio.get_running_loop(), []
    async with guarded(kitchen, patience=0.05) as client:
        with monkeypatch.context() as clock:
            call_later = loop.call_later
            clock.setattr(
                loop, "call_later", lambda s, f, *a, **k: later.append(f) if s == 1 else call_later(s, f, *a, **k)
            )
            asking = [asyncio.create_task(client.get("/")) for _ in range(MOST + WAITING + 4)]
            await until(lambda: ended(asking) == WAITING + 4)
        kitchen.doors.set()
        answers = await asyncio.gather(*asking)
        capsys.readouterr()
        for tell in later:
            tell()

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if '"overload"' in line]
    assert statuses(answers)[503] == WAITING + 4
    assert [line["refused"] for line in lines] == [WAITING + 4]

"""Overload: three times as many requests as the shop can serve."""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import httpx
import pytest

from server.cart import service as cart
from server.platform.core.db import Sessions, begin
from server.platform.processes.slow_clients import allow_files
from server.platform.web import load_shedding
from tests.cart.stock import make_product, make_shopper
from tests.ports import free_port
from tests.session_tokens import session_token
from tests.siege.load import OVERLOAD, Load, load, longest, p99, request
from tests.siege.servers import LONG, Server, serving
from tests.siege.sockets import Bad, crowd, head
from tests.siege.visitor import Visitors

pytestmark = pytest.mark.timed

SECONDS = 30.0 if LONG else 3.0


@pytest.fixture(scope="module")
async def cookie(books: Sessions) -> Callable[[int], str]:
    """The session cookie of a shopper with something in the cart, for a shop on that port."""
    async with books() as session:
        shopper, goods = await make_shopper(session), await make_product(session, pictures=True)
    async with begin(books) as session:
        await cart.add_line(session, shopper.id, goods.variant_id)
        token = await session_token(session, shopper.id)
    return lambda port: f"accessToken-{port}={token}"


@pytest.fixture(scope="module")
def shop(database: str, folder: Path) -> Iterator[Server]:
    with serving(database, folder, free_port()) as server:
        yield server


async def overload(server: Server, cookie: str, seconds: float = SECONDS) -> tuple[Load, Load]:
    """At its capacity, and at three times that."""
    allow_files(5_000)
    await load(server.url, cookie, 1)
    capacity = await load(server.url, cookie, 2)
    crowd = await load(server.url, cookie, seconds, rate=OVERLOAD * capacity.per_second)
    sys.stdout.write(f"capacity: {capacity.per_second:.0f} a second ({capacity})\nthree times that: {crowd}\n")
    return capacity, crowd


async def health(server: Server) -> list[int]:
    """What whoever watches over the process is told meanwhile."""
    statuses = []
    async with httpx.AsyncClient(base_url=server.url, timeout=5) as client:
        while True:
            try:
                statuses.append((await client.get("/livez")).status_code)
                await asyncio.sleep(0.2)
            except asyncio.CancelledError:
                return statuses


async def test_admitted_requests_are_answered_within_a_second_and_others_refused_at_once(
    shop: Server, cookie: Callable[[int], str]
) -> None:
    with Visitors(shop.url, cookie(shop.port)) as visitors:
        # The first page of a process takes as long as its renderer takes to start, flood or not.
        await asyncio.sleep(1)
        assert (await asyncio.to_thread(visitors.visits)).failed == []
    watching = asyncio.create_task(health(shop))

    capacity, crowd = await overload(shop, cookie(shop.port))
    watching.cancel()
    await asyncio.sleep(2)
    with Visitors(shop.url, cookie(shop.port)) as visitors:
        await asyncio.sleep(2)
        afterwards = await asyncio.to_thread(visitors.visits)

    sys.stdout.write(f"afterwards: {afterwards}\n")
    quiet = longest(p99(capacity.accepted))
    most = load_shedding.READ_QUEUE_TIMEOUT + quiet
    assert capacity.lost == 0
    assert capacity.refused == []
    assert crowd.lost == 0
    assert len(crowd.refused) > len(crowd.answers) / 4
    assert p99(crowd.accepted) < most
    assert p99(crowd.refused) < most
    assert crowd.per_second > capacity.per_second / 2
    assert set(await watching) == {200}
    assert afterwards.failed == []
    assert afterwards.p99 < quiet


async def test_five_hundred_who_act_at_the_same_moment_all_get_their_turn(
    shop: Server, cookie: Callable[[int], str]
) -> None:
    act = b'{"query":"mutation { requestAdminAccess { name } }"}'
    message = head("POST", "/graphql", f"localhost:{shop.port}", cookie=cookie(shop.port), content_length=str(len(act)))

    async with crowd(shop.port) as people:
        statuses = await asyncio.gather(*(each.answer(60) for each in await people.join(500, message + act)))

    assert Counter(statuses) == {200: 500}


SIGN_OUT = json.dumps({"query": f"mutation {{ {' '.join(f'a{n}: signOut {{ ok }}' for n in range(20))} }}"})
COOKIES = [f"accessToken-{{port}}={number:043}" for number in range(150)]
FLOODS = {
    "anonymous mutations": ("POST", "/graphql", SIGN_OUT, [""] * 150),
    "made-up cookies": ("POST", "/graphql", SIGN_OUT, COOKIES),
    "unsigned webhooks": ("POST", "/api/payment/webhook", '{"id":"evt_1"}', COOKIES),
}


async def met(server: Server, flood: str, cookie: str) -> tuple[float, float]:
    """How long a buyer who comes just after a flood waits for the cart, and how long the last of the flood."""
    host = f"127.0.0.1:{server.port}"
    method, path, body, cookies = FLOODS[flood]
    async with crowd(server.port) as strangers, crowd(server.port) as buyers:
        [buyer] = await buyers.join(1)
        many = await strangers.join(len(cookies))
        took: list[float] = []
        for _ in range(3):
            began = time.perf_counter()
            for stranger, own in zip(many, cookies, strict=True):
                stranger.writer.write(request(method, path, body, host, own.format(port=server.port)))
            answers = [asyncio.create_task(whole(each)) for each in many]
            await buyer.send(request("GET", "/api/cart", "", host, cookie))
            assert await whole(buyer) == 200, server.said()[-3000:]
            took.append(time.perf_counter() - began)
            counts = Counter(await asyncio.gather(*answers))
            took.append(time.perf_counter() - began)
    waited, lasted = median(took[::2]), median(took[1::2])
    sys.stdout.write(f"{flood}: a buyer waits {waited * 1000:.0f} ms; all {dict(counts)} in {lasted * 1000:.0f} ms\n")
    return waited, lasted


async def whole(client: Bad) -> int:
    """The status of an answer that is read to its end."""
    status = await client.answer(60)
    rest = (await client.reader.readuntil(b"\r\n\r\n")).lower()
    await client.reader.readexactly(int(rest.split(b"content-length: ")[1].split(b"\r\n")[0]))
    return status


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_of_strangers_keeps_no_buyer_waiting(
    shop: Server, cookie: Callable[[int], str], flood: str
) -> None:
    waited, lasted = await met(shop, flood, cookie(shop.port))

    assert waited < max(0.3, lasted / 3)


async def test_in_one_queue_a_buyer_waits_for_the_whole_flood(
    database: str, folder: Path, cookie: Callable[[int], str]
) -> None:
    with serving(database, folder, free_port(), without="priorities") as server:
        waited, lasted = await met(server, "anonymous mutations", cookie(server.port))

    assert waited > lasted * 2 / 3


async def test_without_a_door_everybody_is_let_in_and_waits(
    database: str, folder: Path, cookie: Callable[[int], str]
) -> None:
    with serving(database, folder, free_port(), without="admission") as server:
        capacity, crowd = await overload(server, cookie(server.port), 2)

    assert p99(crowd.accepted) > load_shedding.READ_QUEUE_TIMEOUT + longest(p99(capacity.accepted))

"""Slow, silent and endless connections and oversized bodies do not affect other clients or memory."""

import asyncio
import struct
import sys
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from PIL import Image

from server.identity.models import User
from server.platform.core.db import Sessions, begin
from server.platform.processes.slow_clients import HEAD_SECONDS, LOOK_SECONDS, MOST_CONNECTIONS, allow_files
from tests.cart.stock import make_product
from tests.media.drawings import drawn, png_claiming, webp_claiming
from tests.ports import free_port
from tests.session_tokens import session_token
from tests.siege.load import longest
from tests.siege.servers import LONG, Server, browser, serving
from tests.siege.sockets import CHUNK, Bad, Crowd, chunked, crowd, dribble, head
from tests.siege.visitor import Visitors, Visits

pytestmark = pytest.mark.timed

MB = 1_000_000
MOST_GROWTH = 100 * MB
UNNOTICED = 20 * MB
HEAD, LOOK = (HEAD_SECONDS, LOOK_SECONDS) if LONG else (2.0, 0.5)
"""How long a head is waited for here, and how often it is looked: the shop's times, or less where time is short."""
DIST = Path(__file__).parents[2] / "client/dist"


@pytest.fixture(scope="module")
async def cookie(books: Sessions) -> Callable[[int], str]:
    """The session cookie of a primary admin, for a shop on that port; there is something to buy."""
    async with begin(books) as session:
        user = User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True)
        session.add(user)
        await session.flush()
        token = await session_token(session, user.id)
    async with books() as session:
        for number in range(24):
            await make_product(session, name=f"Shirt {number}", pictures=True)
    return lambda port: f"accessToken-{port}={token}"


@pytest.fixture(scope="module")
def shop(database: str, folder: Path) -> Iterator[Server]:
    with serving(database, folder, free_port(), without="" if LONG else "leisure") as server:
        yield server


@pytest.fixture(scope="module")
def quiet(shop: Server, cookie: Callable[[int], str]) -> Visits:
    """What visitors meet when nobody attacks."""
    with Visitors(shop.url, cookie(shop.port)) as visitors:
        time.sleep(2)
        visits = visitors.visits()
    assert visits.failed == []
    return visits


@pytest.fixture(scope="module")
def unguarded(database: str, folder: Path) -> Iterator[Server]:
    """The HTTP implementation as it comes, with bodies read to their end."""
    with serving(database, folder, free_port(), without="patience") as server:
        yield server


class Watch:
    """How much memory a server took at most."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._before = self._most = server.memory()

    @property
    def growth(self) -> int:
        return self._most - self._before

    async def grows_by(self, most: int, seconds: float = 20) -> None:
        """Fails when it has not within so long."""
        for _ in range(int(seconds / 0.1)):
            if self.growth >= most:
                return
            await asyncio.sleep(0.1)
        raise AssertionError(f"It grew by {self.growth / MB:.1f} MB only.")

    async def run(self) -> None:
        while True:
            self._most = max(self._most, self._server.memory())
            await asyncio.sleep(0.05)


@asynccontextmanager
async def watched(server: Server) -> AsyncIterator[Watch]:
    watch = Watch(server)
    running = asyncio.create_task(watch.run())
    try:
        yield watch
    finally:
        running.cancel()


@dataclass(frozen=True)
class Siege:
    """What visitors met before and during an attack, and by how many bytes the server grew."""

    quiet: Visits
    under_attack: Visits
    growth: int

    def __str__(self) -> str:
        return f"before: {self.quiet}\nduring: {self.under_attack}\nmemory +{self.growth / MB:.1f} MB"

    def is_noticed_by_nobody(self) -> bool:
        """Visitors wait no longer than a few times as long as before."""
        most = longest(self.quiet.p99)
        return not self.under_attack.failed and self.under_attack.p99 < most and self.growth < MOST_GROWTH


async def besieged(server: Server, cookie: str, quiet: Visits, attack: Callable[[Crowd], Awaitable[None]]) -> Siege:
    async with watched(server) as watch, crowd(server.port) as attackers:
        with Visitors(server.url, cookie) as visitors:
            await attack(attackers)
            under_attack = await asyncio.to_thread(visitors.visits)
    siege = Siege(quiet, under_attack, watch.growth)
    sys.stdout.write(f"{siege}\n")
    return siege


async def slow_ones(attackers: Crowd) -> None:
    """300 connections of every slow kind, for longer than any of them is waited for."""
    host = f"localhost:{attackers.port}"
    loop = asyncio.get_running_loop()
    began = loop.time()
    silent = await attackers.join(50)
    heads = await attackers.join(50, b"GET / HTTP/1.1\r\nhost: x\r\n")
    upload = head("POST", "/graphql", host, content_length="120000")
    bodies = await attackers.join(75, upload + b'{"query":"' + b" " * 110_000)
    hook = head("POST", "/api/payment/webhook", host, content_length="250000", stripe_signature="t=1,v1=1")
    hooks = await attackers.join(25, hook + b" " * 240_000)
    await attackers.join(100, head("GET", f"/assets/{largest_asset()}", host), deaf=True)
    tasks = [asyncio.create_task(dribble(heads, b"x-a: b\r\n", 1)), asyncio.create_task(dribble(bodies, b" ", 1))]
    due = HEAD + LOOK + (60 if LONG else 2)
    await asyncio.sleep(due - (loop.time() - began))
    assert await closed(silent) == len(silent)
    assert await closed(heads) == len(heads)
    assert await closed(hooks) == 0 or LONG
    for task in tasks:
        task.cancel()


async def closed(members: list[Bad]) -> int:
    """How many of them the server has hung up on."""
    return sum(await asyncio.gather(*(each.is_closed(0.5) for each in members)))


def largest_asset() -> str:
    return max((DIST / "assets").glob("*.js"), key=lambda file: file.stat().st_size).name


async def test_three_hundred_slow_connections_are_noticed_by_nobody_and_hung_up_on(
    shop: Server, cookie: Callable[[int], str], quiet: Visits
) -> None:
    siege = await besieged(shop, cookie(shop.port), quiet, slow_ones)

    assert siege.is_noticed_by_nobody()


async def too_many(attackers: Crowd) -> None:
    """More connections than the shop has, all of them silent."""
    allow_files(2 * MOST_CONNECTIONS)
    await attackers.join(MOST_CONNECTIONS + 100)
    await asyncio.sleep(2)


async def test_more_silent_connections_than_there_are_shut_nobody_out(
    shop: Server, cookie: Callable[[int], str], quiet: Visits
) -> None:
    siege = await besieged(shop, cookie(shop.port), quiet, too_many)

    assert siege.is_noticed_by_nobody()


def call(port: int) -> int:
    """A shopper's first call, whose words follow the connection at once; returns its status."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request("GET", "/livez")
        return connection.getresponse().status


async def test_silent_connections_end_neither_a_shoppers_own_nor_one_that_comes_amid_them(shop: Server) -> None:
    allow_files(2 * MOST_CONNECTIONS)
    message = head("GET", "/livez", f"localhost:{shop.port}")

    async with crowd(shop.port) as attackers, crowd(shop.port) as shoppers:
        own = await shoppers.join(20, message)
        for each in own:
            await each.reader.readuntil(b"alive")
        for _ in range(8):
            flood = asyncio.create_task(attackers.join(MOST_CONNECTIONS // 2))
            while not flood.done():
                assert await asyncio.to_thread(call, shop.port) == 200
        for each in own:
            await each.send(message)

        assert await asyncio.gather(*(each.answer() for each in own)) == [200] * 20


async def test_the_http_implementation_as_it_comes_is_shut_by_them_for_ever(
    unguarded: Server, cookie: Callable[[int], str]
) -> None:
    async with crowd(unguarded.port) as attackers:
        await too_many(attackers)
        with Visitors(unguarded.url, cookie(unguarded.port)) as visitors:
            await asyncio.sleep(1)
            during = visitors.visits()
        assert await closed(attackers.members[:20]) == 0

    assert during.statuses != []
    assert set(during.statuses) <= {0, 503}


async def endless_head(attackers: Crowd) -> list[int]:
    """60 MB of headers; returns what it was told."""
    [endless] = await attackers.join(1, b"GET / HTTP/1.1\r\n")
    line = b"x-more: " + CHUNK + b"\r\n"
    for _ in range(60 * MB // len(line)):
        if not await endless.send(line):
            break
    return [await endless.answer(2)]


async def pipelined(attackers: Crowd) -> list[int]:
    """Ten thousand requests at once on each of a hundred connections, with answers that nobody takes."""
    members = await attackers.join(100, deaf=True)
    flood = b"GET /livez HTTP/1.1\r\n\r\n" * 10_000
    await asyncio.gather(*(asyncio.wait_for(each.send(flood), 3) for each in members), return_exceptions=True)
    await asyncio.sleep(1)
    return []


@pytest.mark.parametrize("attack", [endless_head, pipelined])
async def test_what_is_sent_before_a_request_is_whole_is_not_kept(
    shop: Server, attack: Callable[[Crowd], Awaitable[list[int]]]
) -> None:
    async with watched(shop) as watch, crowd(shop.port) as attackers:
        statuses = await attack(attackers)

    assert set(statuses) <= {0, 431}
    assert watch.growth < UNNOTICED


@pytest.mark.parametrize("attack", [endless_head, pipelined])
async def test_the_http_implementation_as_it_comes_keeps_all_of_it(
    unguarded: Server, attack: Callable[[Crowd], Awaitable[list[int]]]
) -> None:
    async with watched(unguarded) as watch, crowd(unguarded.port) as attackers:
        await attack(attackers)
        await watch.grows_by(2 * UNNOTICED)


TWO_HUNDRED_MB, ROUNDS = 200 * MB, 5
OPEN_TO_ALL = [("POST", "/graphql"), ("POST", "/api/auth/signin"), ("POST", "/api/payment/webhook"), ("GET", "/livez")]
FOR_ADMINS = [("POST", "/uploads/images"), ("POST", "/uploads/products"), ("POST", "/api/product")]


async def send_too_much(attackers: Crowd, method: str, path: str, cookie: str = "", *, is_announced: bool) -> int:
    """200 MB, unless the server hangs up before; returns what it said."""
    size = {"content_length": str(TWO_HUNDRED_MB)} if is_announced else {"transfer_encoding": "chunked"}
    message = head(method, path, f"localhost:{attackers.port}", **size, **({"cookie": cookie} if cookie else {}))
    [greedy] = await attackers.join(1, message)
    answer = asyncio.create_task(greedy.answer(60))
    part = CHUNK if is_announced else chunked(CHUNK)
    for _ in range(TWO_HUNDRED_MB // len(CHUNK)):
        if not await greedy.send(part):
            break
    else:
        await greedy.send(b"" if is_announced else b"0\r\n\r\n")
    return await answer


@pytest.mark.parametrize("is_announced", [True, False], ids=["announced", "chunked"])
async def test_bodies_of_200_mb_are_refused_unread_and_noticed_by_nobody(
    shop: Server, cookie: Callable[[int], str], quiet: Visits, is_announced: bool
) -> None:
    statuses: list[int] = []

    async def attack(attackers: Crowd) -> None:
        # Strangers all at once, the admin one after the other: only admins may send much.
        for _ in range(ROUNDS):
            attempts = (send_too_much(attackers, *each, is_announced=is_announced) for each in OPEN_TO_ALL)
            statuses[:] = await asyncio.gather(*attempts)
        for each in FOR_ADMINS:
            statuses.append(await send_too_much(attackers, *each, cookie(shop.port), is_announced=is_announced))

    siege = await besieged(shop, cookie(shop.port), quiet, attack)

    assert statuses == [413, 413, 413, 200, 400, 413, 413]
    assert siege.is_noticed_by_nobody()


async def test_read_to_its_end_a_body_of_200_mb_is_noticed(unguarded: Server) -> None:
    async with watched(unguarded) as watch, crowd(unguarded.port) as attackers:
        await send_too_much(attackers, "POST", "/graphql", is_announced=False)

    assert watch.growth > MOST_GROWTH


HIDDEN = b"<script>alert(document.cookie)</script>"


def noise() -> bytes:
    """Some 80 MB of text in a chunk of a small PNG."""
    picture = drawn("PNG")
    packed = zlib.compress(b"x" * 80 * MB, 1)
    chunk = b"zTXtComment\x00\x00" + packed
    framed = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return picture[:33] + framed + picture[33:]


def photograph() -> bytes:
    """With a camera's notes, a script among them."""
    exif = Image.Exif()
    exif[0x010F] = HIDDEN.decode()
    return drawn("JPEG", exif=exif.tobytes())


@cache
def costly() -> bytes:
    """A PNG of 80 kB, within the limits, that takes 300 MB to decode and encode."""
    return drawn("PNG", (5_000, 4_000), mode="RGBA")


BOMBS: list[tuple[Callable[[], bytes], int]] = [
    (lambda: png_claiming(100_000, 100_000), 400),
    (lambda: webp_claiming(16_383, 16_383), 400),
    (lambda: png_claiming(9_000, 9_000), 400),
    (noise, 400),
    (lambda: b"GIF89a/*" + HIDDEN + b"*/=1;", 400),
    (lambda: b'<svg xmlns="http://www.w3.org/2000/svg">' + HIDDEN + b"</svg>", 400),
    (lambda: b"%PDF-1.7\n" + drawn("JPEG"), 400),
    (lambda: HIDDEN + drawn("JPEG"), 400),
    (lambda: drawn("JPEG") + HIDDEN + b"PK\x03\x04", 201),
    (photograph, 201),
    (costly, 201),
]


async def upload(client: httpx.AsyncClient, cookie: str, picture: bytes) -> httpx.Response:
    return await client.post("/uploads/images", content=picture, headers={"cookie": cookie})


async def shown(client: httpx.AsyncClient, kept: httpx.Response) -> list[bytes]:
    """The picture in every format, made for the first time."""
    image = kept.json()
    width = min(image["width"], 96)
    paths = [f"/images/{image['id']}/{width}.{kind}" for kind in ("avif", "webp", "jpg")]
    return [answer.content for answer in await asyncio.gather(*map(client.get, paths))]


async def test_bombs_and_polyglots_are_refused_or_made_harmless_and_noticed_by_nobody(
    shop: Server, cookie: Callable[[int], str], quiet: Visits
) -> None:
    bombs = [await asyncio.to_thread(make) for make, _ in BOMBS]
    answers: list[httpx.Response] = []
    served: list[bytes] = []
    async with browser(shop, address="127.0.0.1") as admin:
        # What making the first ordinary pictures takes is no attacker's doing.
        await shown(admin, await upload(admin, cookie(shop.port), drawn("JPEG", (2_000, 1_600))))

    async def attack(attackers: Crowd) -> None:
        async with browser(shop, address="127.0.0.1") as admin:
            answers.extend(await asyncio.gather(*(upload(admin, cookie(shop.port), bomb) for bomb in bombs)))
            for answer in answers:
                if answer.status_code == 201:
                    served.extend(await shown(admin, answer))

    siege = await besieged(shop, cookie(shop.port), quiet, attack)

    assert [answer.status_code for answer in answers] == [status for _, status in BOMBS]
    assert len(served) == 9
    assert [picture for picture in served if not picture or HIDDEN in picture] == []
    assert siege.is_noticed_by_nobody()


async def test_decoded_beside_the_shoppers_a_large_picture_is_noticed(
    database: str, folder: Path, cookie: Callable[[int], str]
) -> None:
    with serving(database, folder, free_port(), without="apart") as naive:
        async with watched(naive) as watch, browser(naive, address="127.0.0.1") as admin:
            answer = await upload(admin, cookie(naive.port), costly())

    assert answer.status_code == 201
    assert watch.growth > MOST_GROWTH

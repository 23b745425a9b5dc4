"""A flood of sign-ins and the people beside it: `python -m tests.siege.sign_ins URL FLOODERS COOKIE` until input ends.

Each flooder has an address of its own and sends one sign-in a second, without waiting for the answers. Beside them
visitors ask for what no cache has and for what one has, and a buyer, where there is a cookie, for the cart.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Self
from urllib.parse import urlsplit

from tests.siege.load import p50, p99, request

ROOT = Path(__file__).resolve().parents[2]
SIGN_INS_PER_SECOND = 1.0
VISITORS = 4
PAUSE = 0.05
SECONDS_TO_ANSWER = 30
UNCACHED, CACHED, BUYER, FLOODER = "uncached", "cached", "buyer", "flooder"
SEARCH = "query Search($words: String!) { search(query: $words) { products { nodes { id name } } } }"

_words = count()
Answers = dict[str, list[tuple[int, float]]]
"""Status and seconds of each answer, by whose request it was."""


@dataclass
class Flood:
    """What came back, by kind of request."""

    answers: Answers

    def statuses(self, kind: str) -> Counter[int]:
        return Counter(status for status, _ in self.answers[kind])

    def seconds(self, kind: str) -> list[float]:
        return [seconds for _, seconds in self.answers[kind]]

    def refused(self, *kinds: str) -> int:
        return sum(status != 200 for kind in kinds for status, _ in self.answers[kind])

    def __str__(self) -> str:
        return "; ".join(
            f"{kind} {dict(self.statuses(kind))} p50 {p50(seconds) * 1000:.0f} p99 {p99(seconds) * 1000:.0f} ms"
            for kind in self.answers
            if (seconds := self.seconds(kind))
        )


@dataclass
class FloodOfSignIns:
    """The flood and its visitors, from now until `ended` is asked for."""

    url: str
    flooders: int
    cookie: str = ""
    _process: Popen[str] = field(init=False)

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", "tests.siege.sign_ins", self.url, str(self.flooders), self.cookie]
        self._process = Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, text=True)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def ended(self) -> Flood:
        """What came back so far."""
        output, _ = self._process.communicate("", timeout=120)
        return Flood(json.loads(output))


@dataclass
class Client:
    """One address, and its free connections."""

    host: str
    port: int
    address: str
    answers: list[tuple[int, float]]
    free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)

    async def ask(self, data: bytes) -> None:
        began, status = time.perf_counter(), 0
        with suppress(OSError, asyncio.IncompleteReadError, ValueError, TimeoutError):
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                reader, writer = self.free.pop() if self.free else await self._connect()
                writer.write(data)
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                body = await reader.readexactly(int(head.split(b"\r\ncontent-length: ")[1].split(b"\r\n")[0]))
                status = int(head[9:12]) if b'"errors":[' not in body else 0
                self.free.append((reader, writer))
        self.answers.append((status, time.perf_counter() - began))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.host, self.port, local_addr=(self.address, 0))


def sign_in(host: str) -> bytes:
    body = json.dumps({"email": f"stranger{next(_words)}@minimal.test", "password": "Denim&Jacket5"})
    return request("POST", "/api/auth/signin", body, host, "")


def uncached(host: str) -> Iterator[bytes]:
    """A list and a page that were never asked for before."""
    while True:
        words = f"shirt {next(_words)}"
        body = json.dumps({"query": SEARCH, "variables": {"words": words}})
        yield request("POST", "/graphql", body, host, "")
        yield request("GET", f"/search?q=shirt+{next(_words)}", "", host, "")


def cached(host: str) -> Iterator[bytes]:
    while True:
        for path in ("/", "/category/men/shirts"):
            yield request("GET", path, "", host, "")


def carts(host: str, cookie: str) -> Iterator[bytes]:
    while True:
        yield request("GET", "/api/cart", "", host, cookie)


async def flood(client: Client, host: str, first_after: float) -> None:
    await asyncio.sleep(first_after)
    async with asyncio.TaskGroup() as group:
        while True:
            group.create_task(client.ask(sign_in(host)))
            await asyncio.sleep(1 / SIGN_INS_PER_SECOND)


async def visit(client: Client, requests: Iterator[bytes], pause: float) -> None:
    for each in requests:
        await client.ask(each)
        await asyncio.sleep(pause)


async def main(url: str, flooders: int, cookie: str) -> None:
    place = urlsplit(url)
    answers: Answers = {kind: [] for kind in (UNCACHED, CACHED, BUYER, FLOODER)}

    def client(kind: str, address: str) -> Client:
        return Client(str(place.hostname), place.port or 80, address, answers[kind])

    host = place.netloc
    work = [
        *(flood(client(FLOODER, f"127.0.1.{n}"), host, n / max(flooders, 1)) for n in range(1, flooders + 1)),
        *(visit(client(UNCACHED, f"127.0.2.{n}"), uncached(host), PAUSE) for n in range(1, VISITORS + 1)),
        *(visit(client(CACHED, f"127.0.3.{n}"), cached(host), PAUSE) for n in range(1, VISITORS + 1)),
        *(visit(client(BUYER, "127.0.4.1"), carts(host, cookie), 0) for _ in range(2 * bool(cookie))),
    ]
    tasks = [asyncio.create_task(each) for each in work]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    sys.stdout.write(json.dumps(answers))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))

"""Continuous load over kept or new connections, with a count of errors."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from time import monotonic

PAUSE = 0.05
PATIENCE = 120.0
"""Seconds for a response: a process that restarts keeps requests waiting, and a busy machine starts one in 30 s."""


@dataclass(frozen=True)
class Request:
    """`GET` of a path, or a GraphQL document posted."""

    path: str = "/graphql"
    document: Mapping[str, object] | None = None
    cookie: str = ""

    def head_and_body(self, host: str) -> bytes:
        body = json.dumps(self.document).encode() if self.document else b""
        lines = [
            f"{'POST' if self.document else 'GET'} {self.path} HTTP/1.1",
            f"host: {host}",
            f"origin: http://{host}",
            "sec-fetch-site: same-origin",
            *([f"cookie: {self.cookie}"] if self.cookie else []),
            *(["content-type: application/json", f"content-length: {len(body)}"] if self.document else []),
        ]
        return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass
class Caller:
    """One client. It takes `Connection: close` at its word and notices a connection that was closed while idle."""

    port: int
    request: Request
    keeps_open: bool = True
    pause: float = PAUSE
    told: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    @property
    def succeeded(self) -> int:
        return self.told["200"]

    async def call(self) -> None:
        """Until cancelled."""
        while True:
            began = monotonic()
            try:
                async with asyncio.timeout(PATIENCE):
                    self.told[await self._ask()] += 1
            except (OSError, EOFError) as error:
                self.told[type(error).__name__] += 1
                self.hang_up()
            self.longest = max(self.longest, monotonic() - began)
            await asyncio.sleep(self.pause)

    async def _ask(self) -> str:
        reader, writer = await self._connected()
        writer.write(self.request.head_and_body(f"localhost:{self.port}"))
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        status, _, fields = head.partition("\r\n")
        headers = dict(line.split(": ", 1) for line in fields.split("\r\n") if ": " in line)
        body = await reader.readexactly(int(headers["content-length"]))
        if not self.keeps_open or headers.get("connection") == "close":
            self.hang_up()
        return "errors" if b'"errors"' in body and self.request.document else status.split()[1]

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is not None and self._streams[0].at_eof():
            self.hang_up()
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port)
        return self._streams

    def hang_up(self) -> None:
        """A server that ends would wait for a connection that is still open."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@asynccontextmanager
async def under_load(
    port: int, *requests: Request, pause: float = PAUSE, both_ways: bool = True
) -> AsyncIterator[list[Caller]]:
    """Of each request one caller who keeps the connection and one who does not, or each kind by turns."""
    callers = [
        Caller(port, request, keeps_open, pause)
        for place, request in enumerate(requests)
        for keeps_open in ((True, False) if both_ways else (place % 2 == 0,))
    ]
    tasks = [asyncio.create_task(caller.call()) for caller in callers]
    try:
        yield callers
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        for caller in callers:
            caller.hang_up()


def failures(callers: list[Caller]) -> Counter[str]:
    """Everything that was no success, over all callers."""
    counts: Counter[str] = sum((caller.told for caller in callers), Counter())
    del counts["200"]
    return counts

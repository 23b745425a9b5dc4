"""As many requests as are answered, on keep-alive connections, from a process of its own: `python -m tests.bench.load`.

It reads one JSON document and writes one. Requests are bytes; `NUMBER` in one becomes another number each time, so that
no cache has heard of it.
"""

import asyncio
import sys
import time
from dataclasses import asdict, dataclass
from statistics import quantiles
from typing import cast

import orjson
import uvloop

NUMBER = b"000000000007"
"""Twelve digits, so that a request stays as long as it says."""
FIRST_NUMBER = 100_000_000_000


def request(method: str, path: str, body: object = None, **headers: str) -> str:
    """One request as it goes over the wire."""
    content = "" if body is None else orjson.dumps(body).decode()
    fields = {"host": "localhost", "accept-encoding": "gzip", "sec-fetch-site": "same-origin", **headers}
    if body is not None:
        fields |= {"content-type": "application/json", "content-length": str(len(content.encode()))}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n{content}"


@dataclass(frozen=True)
class Order:
    """What to ask: one list of requests for each connection, asked in turn."""

    port: int
    seconds: float
    requests: list[list[str]]
    first_number: int


@dataclass(frozen=True)
class Answered:
    """What came of it; times in milliseconds."""

    count: int
    seconds: float
    refused: int
    refusal: str
    """One of them."""
    p50: float
    p95: float
    p99: float

    @property
    def per_second(self) -> float:
        """What was answered as it should be."""
        return (self.count - self.refused) / self.seconds


class Connection(asyncio.Protocol):
    """Asks again as soon as it is answered."""

    def __init__(self, requests: list[bytes], number: int, step: int) -> None:
        self._parts = [request.partition(NUMBER) for request in requests]
        self._number, self._step, self._next = number, step, 0
        self._buffer = bytearray()
        self._transport: asyncio.Transport | None = None
        self.times: list[float] = []
        self.refused = 0
        self.refusal = ""
        self.lost = asyncio.get_running_loop().create_future()
        self.is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is none by its class.
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.lost.done():
            self.lost.set_result(None)

    def _ask(self) -> None:
        before, number, after = self._parts[self._next]
        self._next = (self._next + 1) % len(self._parts)
        if number:
            number = b"%012d" % self._number
            self._number += self._step
        self._began = time.perf_counter()
        assert self._transport
        self._transport.write(before + number + after)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self._buffer[:end]).lower()
        length = int(head.partition(b"\r\ncontent-length: ")[2].partition(b"\r\n")[0])
        if len(self._buffer) < end + 4 + length:
            return
        self.times.append(time.perf_counter() - self._began)
        if head[9:12] != b"200" or b'"errors"' in self._buffer[end + 4 : end + 40]:
            self.refused += 1
            self.refusal = self._buffer[:600].decode(errors="replace")
        self._buffer.clear()
        if self.is_over:
            assert self._transport
            self._transport.close()
        else:
            self._ask()


async def ask(order: Order) -> Answered:
    loop = asyncio.get_running_loop()
    step = len(order.requests)
    asking: list[Connection] = []
    for place, requests in enumerate(order.requests):
        encoded = [request.encode() for request in requests]
        _, protocol = await loop.create_connection(
            lambda encoded=encoded, place=place: Connection(encoded, order.first_number + place, step),  # type: ignore[misc]
            "127.0.0.1",
            order.port,
        )
        asking.append(protocol)
    began = time.perf_counter()
    await asyncio.sleep(order.seconds)
    for connection in asking:
        connection.is_over = True
    took = time.perf_counter() - began
    times = [each for connection in asking for each in connection.times]
    refused = sum(connection.refused for connection in asking)
    await asyncio.wait([connection.lost for connection in asking], timeout=30)
    percentiles = quantiles(times, n=100) if len(times) > 1 else [0.0] * 99
    p50, p95, p99 = (percentiles[each - 1] * 1000 for each in (50, 95, 99))
    refusal = next((connection.refusal for connection in asking if connection.refusal), "")
    return Answered(len(times), took, refused, refusal, p50, p95, p99)


def main() -> None:
    order = orjson.loads(sys.stdin.buffer.read())
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        answered = runner.run(ask(Order(**order)))
    sys.stdout.buffer.write(orjson.dumps(asdict(answered)))


if __name__ == "__main__":
    main()

"""Shoppers who look at a category's page, by themselves and while analysts wait for their reports.

They are a process of their own, as they come from elsewhere, and analysts take their answers without looking into them:
what a browser does with an answer takes no core of the server's machine. For the same reason a page has come when the
system has all of it, and not when a shopper here gets a core to see it; only Linux tells that.
"""

import asyncio
import json
import random
import re
import socket
import struct
import sys
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

PAGE = "/category/women"
SHOPPERS = 4
PAUSE = 0.02
"""Seconds that a shopper takes between two pages, on average."""
SECONDS, WINDOWS = 5.0, 6
"""Windows alone and beside reports take turns, so that what else the machine does weighs on both."""
SO_TIMESTAMPNS = 35
"""Linux's; Python has no name for it."""


async def windows(url: str, cookie: str, documents: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each page: those alone, those beside `documents` asked all at once, again and again.

    `cookie` is an analyst's.
    """
    alone: list[float] = []
    beside: list[float] = []
    await _window(url)
    for _ in range(WINDOWS):
        alone += await _window(url)
        over = asyncio.Event()
        analysts = [asyncio.create_task(_analyst(url, cookie, document, over)) for document in documents]
        await asyncio.sleep(0.2)
        beside += await _window(url)
        over.set()
        await asyncio.gather(*analysts)
    return alone, beside


async def _analyst(url: str, cookie: str, document: str, over: asyncio.Event) -> None:
    """Who is asked to come back does, when the server says."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    body = json.dumps({"query": document}).encode()
    head = (
        f"POST /graphql HTTP/1.1\r\nhost: {where.netloc}\r\ncookie: {cookie}\r\nsec-fetch-site: same-origin\r\n"
        f"accept-encoding: gzip\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    while not over.is_set():
        writer.write(head.encode() + body)
        status, headers = await _answer(reader)
        assert status in (200, 503), status
        if status == 503:
            await asyncio.sleep(float(headers[b"retry-after"]))
    writer.close()
    await writer.wait_closed()


async def _window(url: str) -> list[float]:
    command = (sys.executable, "-m", "tests.analytics.bench.shoppers", url, str(SECONDS))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    assert process.returncode == 0
    milliseconds: list[float] = json.loads(output)
    return milliseconds


async def _look(url: str, seconds: float) -> list[float]:
    until = time.perf_counter() + seconds
    samples = await asyncio.gather(*(_shopper(url, until) for _ in range(SHOPPERS)))
    return [took for each in samples for took in each]


async def _shopper(url: str, until: float) -> list[float]:
    """One connection that is kept, as a browser keeps it."""
    where = urlsplit(url)
    request = f"GET {PAGE} HTTP/1.1\r\nhost: {where.netloc}\r\naccept-encoding: gzip\r\n\r\n".encode()
    milliseconds = []
    with socket.socket() as connection:
        connection.setblocking(False)
        if sys.platform == "linux":
            connection.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        await asyncio.get_running_loop().sock_connect(connection, (where.hostname, where.port))
        while time.perf_counter() < until:
            await asyncio.sleep(random.expovariate(1 / PAUSE))
            milliseconds.append(await _milliseconds(connection, request))
    return milliseconds


async def _milliseconds(connection: socket.socket, request: bytes) -> float:
    """From the moment of asking to the one in which the last of the answer came in."""
    began, came, answer = time.time_ns(), 0, b""
    connection.send(request)
    while not _is_whole(answer):
        await _readable(connection)
        data, ancillary, _, _ = connection.recvmsg(65_536, 64)
        assert data, "The shop has hung up."
        answer += data
        came = next((_nanoseconds(value) for _, kind, value in ancillary if kind == SO_TIMESTAMPNS), time.time_ns())
    assert answer.startswith(b"HTTP/1.1 200 "), answer[:80]
    return (came - began) / 1_000_000


def _is_whole(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return length is not None and len(body) >= int(length[1])


def _nanoseconds(timespec: bytes) -> int:
    seconds, rest = struct.unpack("qq", timespec)
    return int(seconds * 1_000_000_000 + rest)


async def _readable(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    came = loop.create_future()
    loop.add_reader(connection, came.set_result, None)
    try:
        await came
    finally:
        loop.remove_reader(connection)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, dict[bytes, bytes]]:
    """Status and headers of the next answer, once its body has come as well."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
    headers = {name: value for name, _, value in (line.partition(b": ") for line in lines)}
    await reader.readexactly(int(headers[b"content-length"]))
    return int(first.split()[1]), headers


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_look(sys.argv[1], float(sys.argv[2])))))

"""Shoppers who look at a category's page, by themselves and while analysts wait for their reports.

They are a process of their own, as they come from elsewhere: whoever takes an analyst's answer apart on the same event
loop holds up the clock that a shopper's page is measured by, and no server has anything to do with that.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

PAGE = "/category/women"
SHOPPERS = 4
PAUSE = 0.02
"""Seconds that a shopper takes between two pages, on average."""
SECONDS, WINDOWS = 5.0, 6
"""Windows alone and beside reports take turns, so that what else the machine does weighs on both."""

Ask = Callable[[str], Awaitable[tuple[float, Any]]]


async def windows(url: str, ask: Ask, documents: Sequence[str]) -> tuple[list[float], list[float]]:
    """Milliseconds of each page: those alone, those beside `documents` asked all at once, again and again."""
    alone: list[float] = []
    beside: list[float] = []
    await _window(url)
    for _ in range(WINDOWS):
        alone += await _window(url)
        over = asyncio.Event()
        analysts = [asyncio.create_task(_analyst(ask, document, over)) for document in documents]
        await asyncio.sleep(0.2)
        beside += await _window(url)
        over.set()
        await asyncio.gather(*analysts)
    return alone, beside


async def _analyst(ask: Ask, document: str, over: asyncio.Event) -> None:
    while not over.is_set():
        await ask(document)


async def _window(url: str) -> list[float]:
    command = (sys.executable, "-m", "tests.analytics.bench.shoppers", url, str(SECONDS))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    told, _ = await process.communicate()
    assert process.returncode == 0
    found: list[float] = json.loads(told)
    return found


async def _look(url: str, seconds: float) -> list[float]:
    until = time.perf_counter() + seconds
    found = await asyncio.gather(*(_shopper(url, until) for _ in range(SHOPPERS)))
    return [took for each in found for took in each]


async def _shopper(url: str, until: float) -> list[float]:
    """One connection that is kept, as a browser keeps it."""
    where = urlsplit(url)
    reader, writer = await asyncio.open_connection(where.hostname, where.port)
    wanted = f"GET {PAGE} HTTP/1.1\r\nhost: {where.netloc}\r\naccept-encoding: gzip\r\n\r\n".encode()
    found = []
    while time.perf_counter() < until:
        await asyncio.sleep(random.expovariate(1 / PAUSE))
        began = time.perf_counter()
        writer.write(wanted)
        await _body(reader)
        found.append((time.perf_counter() - began) * 1000)
    writer.close()
    await writer.wait_closed()
    return found


async def _body(reader: asyncio.StreamReader) -> bytes:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    assert head.startswith(b"http/1.1 200"), head
    [length] = [int(line.split(b":")[1]) for line in head.splitlines() if line.startswith(b"content-length:")]
    return await reader.readexactly(length)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(_look(sys.argv[1], float(sys.argv[2])))))

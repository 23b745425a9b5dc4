"""More requests than a shop can answer: `python -m tests.siege.load` sends them from a process of its own.

At a rate it waits for no answer before it asks again, as a crowd does; without one it asks as fast as it is answered,
which is how capacity is measured.
"""

import asyncio
import json
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_GIVE_UP = 30
RATIO, FLOOR = 3, 0.25
OVERLOAD = 3
"""How many times its capacity a shop is asked for."""
ASKED = (
    ("POST", "/graphql", json.dumps({"query": "{ viewer { name cart { count subtotal lines { quantity } } } }"})),
    ("GET", "/api/cart", ""),
    ("GET", "/api/user/profile", ""),
)
"""What only the database can answer, and no cache."""

Answers = list[tuple[int, float, bool]]
"""Status (0 when there was none), seconds, whether it said when to come back."""


@dataclass(frozen=True)
class Load:
    """What came back of it."""

    answers: Answers
    seconds: float

    @property
    def accepted(self) -> list[float]:
        return [seconds for status, seconds, _ in self.answers if status == 200]

    @property
    def refused(self) -> list[float]:
        return [seconds for status, seconds, says_when in self.answers if status == 503 and says_when]

    @property
    def lost(self) -> int:
        """Neither answered nor told when to come back."""
        return len(self.answers) - len(self.accepted) - len(self.refused)

    @property
    def per_second(self) -> float:
        return len(self.accepted) / self.seconds

    def __str__(self) -> str:
        kinds = {"accepted": self.accepted, "refused": self.refused}
        ms = {name: [round(most(each) * 1000) for most in (p50, p99)] for name, each in kinds.items()}
        return (
            f"{len(self.answers)} asked in {self.seconds:.1f} s, {len(self.accepted)} accepted, "
            f"{len(self.refused)} refused, {self.lost} lost; p50 and p99 in ms: {ms}"
        )


def p50(seconds: list[float]) -> float:
    return median(seconds) if seconds else 0.0


def p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[98] if len(seconds) > 1 else 0.0


def longest(quiet: float) -> float:
    """Seconds that 99 of 100 may take under attack, where they take `quiet` seconds without: so many times that.

    The floor is for a machine on which the quiet time is so short that the system's own pauses are many times it.
    """
    return max(FLOOR, RATIO * quiet)


async def load(url: str, cookie: str, seconds: float, *, rate: float = 0) -> Load:
    """So many requests a second, or as many as are answered, from another process."""
    command = [sys.executable, "-m", "tests.siege.load", url, cookie, str(seconds), str(rate)]
    process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    assert process.returncode == 0
    return Load([(status, took, when) for status, took, when in json.loads(said)], seconds)


@dataclass
class Crowd:
    """People who share connections that are free, and open another when none is."""

    host: str
    port: int
    requests: list[bytes]
    free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    answers: Answers

    async def ask(self, number: int) -> None:
        began = time.perf_counter()
        status, says_when = 0, False
        with suppress(OSError, asyncio.IncompleteReadError, ValueError, TimeoutError):
            async with asyncio.timeout(SECONDS_TO_GIVE_UP):
                reader, writer, head = await self._head_of_answer(self.requests[number % len(self.requests)])
                status, says_when = int(head[9:12]), b"\r\nretry-after: " in head
                await reader.readexactly(int(head.split(b"\r\ncontent-length: ")[1].split(b"\r\n")[0]))
                self.free.append((reader, writer))
        self.answers.append((status, time.perf_counter() - began, says_when))

    async def _head_of_answer(self, request: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]:
        """As any client of HTTP, asks again where a free connection has been closed meanwhile (RFC 9112, 9.3.1)."""
        if self.free:
            reader, writer = self.free.pop()
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                writer.write(request)
                return reader, writer, (await reader.readuntil(b"\r\n\r\n")).lower()
        reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(request)
        return reader, writer, (await reader.readuntil(b"\r\n\r\n")).lower()

    async def at_a_rate(self, rate: float, seconds: float) -> None:
        """At the rate, or OVERLOAD times what was accepted in the last second, where that is more.

        A machine that has become quicker since its capacity was measured is overloaded as well.
        """
        began, number, due = time.perf_counter(), 0, 0.0
        last, at_second, seen = began, began, 0
        asking = set()
        while (now := time.perf_counter()) - began < seconds:
            due, last = due + (now - last) * rate, now
            if now - at_second >= 1:
                rate = max(rate, OVERLOAD * self._accepted_since(seen) / (now - at_second))
                at_second, seen = now, len(self.answers)
            while number < due:
                task = asyncio.create_task(self.ask(number))
                asking.add(task)
                task.add_done_callback(asking.discard)
                number += 1
            await asyncio.sleep(0.002)
        await asyncio.gather(*asking)

    def _accepted_since(self, seen: int) -> int:
        return sum(status == 200 for status, _, _ in self.answers[seen:])

    async def as_fast_as_answered(self, seconds: float, at_once: int = 12) -> None:
        end = time.perf_counter() + seconds

        async def again_and_again(number: int) -> None:
            while time.perf_counter() < end:
                await self.ask(number)
                number += 1

        await asyncio.gather(*(again_and_again(number) for number in range(at_once)))


def request(method: str, path: str, body: str, host: str, cookie: str) -> bytes:
    head = (
        f"{method} {path} HTTP/1.1\r\nhost: {host}\r\ncookie: {cookie}\r\nsec-fetch-site: same-origin\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return (head + body).encode()


async def main(url: str, cookie: str, seconds: float, rate: float) -> None:
    place = urlsplit(url)
    host, port = str(place.hostname), place.port or 80
    crowd = Crowd(host, port, [request(*each, place.netloc, cookie) for each in ASKED], [], [])
    await (crowd.at_a_rate(rate, seconds) if rate else crowd.as_fast_as_answered(seconds))
    for _, writer in crowd.free:
        writer.close()
    sys.stdout.write(json.dumps(crowd.answers))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])))

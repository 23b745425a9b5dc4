"""Misbehaving clients: slow, endless, not reading, greedy. Each keeps its connection until `close`."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

CHUNK = b"x" * 65_536
GONE = (ConnectionError, asyncio.IncompleteReadError, TimeoutError, BrokenPipeError)


@dataclass
class Bad:
    """One connection, and how many bytes it has got and sent."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    sent: int = 0

    async def send(self, data: bytes) -> bool:
        """False when the server has hung up."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except GONE:
            return False
        await asyncio.sleep(0)  # `drain` goes on at once while all is taken, and an answer would not be seen.
        self.sent += len(data)
        return not self.writer.is_closing()

    async def answer(self, seconds: float = 10) -> int:
        """The status of the next answer; 0 when the connection ended without one."""
        try:
            line = await asyncio.wait_for(self.reader.readline(), seconds)
        except GONE:
            return 0
        return int(line.split()[1]) if line else 0

    async def is_closed(self, seconds: float) -> bool:
        """Whether the server hangs up within so long."""
        try:
            async with asyncio.timeout(seconds):
                while await self.reader.read(65_536):
                    pass
        except TimeoutError:
            return False
        except ConnectionError:
            return True
        return True

    def close(self) -> None:
        with suppress(RuntimeError):
            self.writer.transport.abort()


@dataclass
class Crowd:
    """Many of them, opened together and closed together."""

    port: int
    members: list[Bad] = field(default_factory=list)

    async def join(self, number: int, first_words: bytes = b"", *, deaf: bool = False) -> list[Bad]:
        """New members that say something once they are connected; deaf ones take next to nothing of an answer."""
        came = await asyncio.gather(*(self._connect(deaf) for _ in range(number)))
        self.members += came
        if first_words:
            await asyncio.gather(*(asyncio.wait_for(each.send(first_words), 20) for each in came))
        return came

    async def _connect(self, deaf: bool) -> Bad:
        own = socket.socket()
        own.setblocking(False)
        if deaf:
            own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        await asyncio.get_running_loop().sock_connect(own, ("127.0.0.1", self.port))
        reader, writer = await asyncio.open_connection(sock=own, limit=1_024 if deaf else 65_536)
        return Bad(reader, writer)


@asynccontextmanager
async def crowd(port: int) -> AsyncIterator[Crowd]:
    members = Crowd(port)
    try:
        yield members
    finally:
        for each in members.members:
            each.close()


async def dribble(members: Iterable[Bad], word: bytes, every: float) -> None:
    """One word of each, again and again."""
    members = list(members)
    while True:
        await asyncio.sleep(every)
        for each in members:
            if not each.writer.is_closing():
                each.writer.write(word)


def head(method: str, path: str, host: str, **headers: str) -> bytes:
    """A whole head, as one of the shop's own pages would send it."""
    fields = {"host": host, "sec-fetch-site": "same-origin", "content-type": "application/json"}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()


def chunked(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)

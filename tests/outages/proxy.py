"""A TCP proxy to PostgreSQL that can be closed, slow or silent."""

import asyncio
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from server.platform.processes.postgres import DATABASE, ROLE, Postgres

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Listens in a folder of its own, where clients find it as they find PostgreSQL.

    Refused connections fail at once. Silence neither passes anything on nor breaks a connection; what was sent
    meanwhile never arrives, like on a network that was cut.
    """

    def __init__(self, postgres: Postgres, folder: Path) -> None:
        self._target = postgres.socket_folder / SOCKET
        self._folder = folder
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._silent = False
        self._delay = 0.0
        self._quick = asyncio.Event()
        self._hangs_up = asyncio.Event()
        self._hangs_up.set()

    @property
    def url(self) -> str:
        return f"postgresql://{ROLE}@/{DATABASE}?host={quote(str(self._folder))}"

    def lead_to(self, postgres: Postgres) -> None:
        """New connections; those that there are stay where they are."""
        self._target = postgres.socket_folder / SOCKET

    async def open(self) -> None:
        self._silent = False
        if self._server is None:
            self._server = await asyncio.start_unix_server(self._pass, self._folder / SOCKET)

    async def refuse(self) -> None:
        """Nobody listens any more, and who was connected is not."""
        if self._server is not None:
            self._server.close()
            (self._folder / SOCKET).unlink(missing_ok=True)
            self._server = None
        self._cut()

    def fall_silent(self) -> None:
        self._silent = True

    def slow_down(self, seconds: float) -> None:
        """From now on everything takes so long, in each direction."""
        self._delay = seconds
        self._quick.clear()

    def speed_up(self) -> None:
        """What is on its way arrives now."""
        self._delay = 0.0
        self._quick.set()

    def hold_the_line(self) -> None:
        """From now on the last word of a connection arrives, and its end does not."""
        self._hangs_up.clear()

    def hang_up(self) -> None:
        """Who has heard the last word hears the end as well."""
        self._hangs_up.set()

    async def come_back(self) -> None:
        """Connections that lost something in the silence are beyond use."""
        if self._silent:
            self._cut()
        await self.open()

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError):
            far_reader, far_writer = await asyncio.open_unix_connection(self._target)
            self._writers.add(far_writer)
            await asyncio.gather(self._copy(reader, far_writer), self._copy(far_reader, writer))
            self._writers.discard(far_writer)
        writer.close()
        self._writers.discard(writer)

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                if self._delay:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._quick.wait(), self._delay)
                if not self._silent:
                    writer.write(data)
                    await writer.drain()
        await self._hangs_up.wait()
        if not self._silent:
            writer.close()

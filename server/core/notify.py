"""LISTEN and NOTIFY: how processes of the shop hear of each other's commits."""

import asyncio
import contextlib
from collections.abc import Callable

import asyncpg
import structlog
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession

from server.core.db import asyncpg_url

log = structlog.get_logger()

RECONNECT_SECONDS = 0.5
HEARTBEAT_SECONDS = 5.0


async def announce(session: AsyncSession, channel: str, payload: str = "") -> None:
    """Tells every process when the transaction commits, and nobody when it does not. At most 8,000 bytes."""
    await session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": channel, "payload": payload})


class Listener:
    """One LISTEN connection that comes back by itself.

    `is_connected` tells whether news can be missed right now. After a gap every callback is called once, since
    what happened meanwhile is unknown.
    """

    def __init__(self, url: str) -> None:
        parsed = make_url(asyncpg_url(url)).set(drivername="postgresql")
        self._dsn = parsed.render_as_string(hide_password=False)
        self._callbacks: dict[str, list[Callable[[str], None]]] = {}
        self._lost: list[Callable[[], None]] = []
        self.is_connected = False

    def on(self, channel: str, callback: Callable[[str], None], lost: Callable[[], None] | None = None) -> None:
        """Calls back with each payload; `lost` when the connection breaks. Register before `run`."""
        self._callbacks.setdefault(channel, []).append(callback)
        if lost:
            self._lost.append(lost)

    async def run(self) -> None:
        """Listens until cancelled."""
        while True:
            try:
                await self._listen()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, TimeoutError) as error:
                log.warning("listen.lost", error=type(error).__name__)
            finally:
                if self.is_connected:
                    self.is_connected = False
                    for lost in self._lost:
                        lost()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen(self) -> None:
        connection = await asyncpg.connect(self._dsn, timeout=5)
        try:
            for channel in self._callbacks:
                await connection.add_listener(channel, self._heard)
            self.is_connected = True
            for channel in self._callbacks:
                self._call(channel, "")
            while True:
                await asyncio.sleep(HEARTBEAT_SECONDS)
                await connection.execute("SELECT 1", timeout=5)
        finally:
            with contextlib.suppress(Exception):
                await connection.close(timeout=1)

    def _heard(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        self._call(channel, str(payload))

    def _call(self, channel: str, payload: str) -> None:
        for callback in self._callbacks[channel]:
            callback(payload)

"""LISTEN and NOTIFY: how processes learn of each other's commits."""

import asyncio
import contextlib
from collections.abc import Callable

import asyncpg
import structlog
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.db import CircuitBreaker, asyncpg_url, is_away
from server.platform.core.locks import TRY_TO_LEAD, Lock

log = structlog.get_logger()

RETRY_SECONDS = 0.2
CONNECT_SECONDS = 2.0
HEARTBEAT_SECONDS = 1.0
RESPONSE_SECONDS = 3.0
KEEPALIVE = {"tcp_keepalives_idle": "5", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "2"}
"""Seconds, so that PostgreSQL releases the locks of a host that disappeared."""
SILENCES = 2
"""After this many connection attempts in a row without any response the database counts as unavailable."""
_IS_DEMOTED = "SELECT current_setting('transaction_read_only')::boolean"
"""A server that has become a standby, or is about to, announces nothing any more."""
CONNECTION_ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""Errors of a lost connection.

InternalClientError is raised by a statement sent while PostgreSQL closes the connection.
"""


async def announce(session: AsyncSession, channel: str, payload: str = "") -> None:
    """Notifies every process when the transaction commits; none when it rolls back. At most 8,000 bytes."""
    await session.execute(text("SELECT pg_notify(:channel, :payload)"), {"channel": channel, "payload": payload})


class Listener:
    """A LISTEN connection that reconnects by itself, and that reports whether the database is available.

    `is_connected` is False while notifications can be missed. After a gap every callback is called once, because
    changes may have been missed. The circuit breaker is tripped while no connection can be made, and reset afterwards.

    With `leads`, `is_leader` is True while this connection holds that lock: in one process at a time, in another within
    seconds of its death. For a moment two may believe it, so what a leader does must be safe to do twice. The database
    shows the connection under `name`.
    """

    def __init__(
        self, url: str, breaker: CircuitBreaker | None = None, leads: Lock | None = None, *, name: str = "minimal"
    ) -> None:
        """`name` is what the database calls the connection."""
        parsed = make_url(asyncpg_url(url)).set(drivername="postgresql")
        self._dsn = parsed.render_as_string(hide_password=False)
        self._breaker = breaker or CircuitBreaker()
        self._callbacks: dict[str, list[Callable[[str], None]]] = {}
        self._lost: list[Callable[[], None]] = []
        self._leads = leads
        self._options = {**KEEPALIVE, "application_name": name}
        self.is_connected = False
        self.is_leader = False

    def on(self, channel: str, callback: Callable[[str], None], lost: Callable[[], None] | None = None) -> None:
        """Registers a callback for each payload, and `lost` for a broken connection. Call it before `run`."""
        self._callbacks.setdefault(channel, []).append(callback)
        if lost:
            self._lost.append(lost)

    async def run(self) -> None:
        """Listens until cancelled; survives every error."""
        while True:
            try:
                await self._listen(await self._connect())
            except CONNECTION_ERRORS as error:
                log.warning("listen.lost", error=type(error).__name__)
            except Exception as error:
                log.error("listen.failed", error=type(error).__name__, exc_info=True)
                await asyncio.sleep(RETRY_SECONDS)

    async def _connect(self) -> asyncpg.Connection:
        """A connection that receives every notification from now on; retries until there is one."""
        silences = 0
        while True:
            try:
                return await self._subscribe()
            except CONNECTION_ERRORS as error:
                silences += isinstance(error, TimeoutError)
                if silences >= SILENCES or is_away(error):
                    self._report_unavailable(error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _subscribe(self) -> asyncpg.Connection:
        connection = await asyncpg.connect(self._dsn, timeout=CONNECT_SECONDS, server_settings=self._options)
        try:
            async with asyncio.timeout(RESPONSE_SECONDS):
                for channel in self._callbacks:
                    await connection.add_listener(channel, self._heard)
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _listen(self, connection: asyncpg.Connection) -> None:
        """Returns, or raises one of CONNECTION_ERRORS, when the connection is lost or the server stops responding."""
        gone = asyncio.Event()
        connection.add_termination_listener(lambda _: gone.set())
        try:
            self.is_connected = True
            for channel in self._callbacks:
                self._call(channel, "")
            self._report_available()
            while not gone.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(gone.wait(), HEARTBEAT_SECONDS)
                await self._beat(connection)
        finally:
            self.is_leader = False
            connection.terminate()
            self._lose()

    async def _beat(self, connection: asyncpg.Connection) -> None:
        if await connection.fetchval(_IS_DEMOTED, timeout=RESPONSE_SECONDS):
            raise ConnectionError
        if self._leads is None or self.is_leader:
            return
        self.is_leader = await connection.fetchval(TRY_TO_LEAD, self._leads.value, timeout=RESPONSE_SECONDS)

    def _lose(self) -> None:
        if self.is_connected:
            self.is_connected = False
            for lost in self._lost:
                lost()

    def _report_unavailable(self, error: Exception) -> None:
        if self._breaker.is_closed:
            log.warning("database.away", error=type(error).__name__)
            self._breaker.trip()

    def _report_available(self) -> None:
        if not self._breaker.is_closed:
            log.info("database.back")
            self._breaker.reset()

    def _heard(self, _connection: object, _pid: int, channel: str, payload: object) -> None:
        self._call(channel, str(payload))

    def _call(self, channel: str, payload: str) -> None:
        for callback in self._callbacks[channel]:
            callback(payload)

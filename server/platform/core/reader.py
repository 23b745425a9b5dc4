"""Reads that may be a second old, from a read replica (DATABASE_READER_URL).

Announcements come from the primary, and the replica may not have what they announce. So this process notes the
primary's WAL position every so often, and a read that must see everything committed before a moment goes to the
replica only on a connection whose server has replayed a position that was noted after that moment.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import NamedTuple, TypeVar

import asyncpg
import structlog
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.db import (
    CircuitBreaker,
    DatabaseUnavailable,
    Sessions,
    asyncpg_url,
    autocommit,
    create_engine,
    is_unavailable,
    sessionmaker,
)

log = structlog.get_logger()

T = TypeVar("T")

MOST_LAG = 1.0
"""Seconds; a replica that is further behind is left out."""
SAMPLE_SECONDS = 0.25
RESPONSE_SECONDS = 1.0
"""A replica that takes longer to report its position counts as away."""
POOL_SIZE = 5
ALWAYS = float("-inf")
"""The moment before which nothing was committed: for reads that may be as old as MOST_LAG in any case."""
_ERRORS = (SQLAlchemyError, OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
_POSITION = text("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
_REPLAYED = """
SELECT pg_wal_lsn_diff(
    CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END, '0/0'
)::bigint
"""


class _Sample(NamedTuple):
    """Everything committed before the moment `at`, by `monotonic`, is within the primary's WAL up to `position`."""

    at: float
    position: int


class Reader:
    """A replica with its lag, or none: then every read goes to the primary.

    While it is away or lags it is left out, and taken back by itself. Behind a balancer of several replicas each
    connection is checked for itself; a pooler, which sends a connection's statements to different servers, is no place
    for it.
    """

    def __init__(self, url: str = "") -> None:
        self._breaker = CircuitBreaker()
        self._engine = create_engine(url, pool_size=POOL_SIZE, max_overflow=0, breaker=self._breaker) if url else None
        self._sessions = sessionmaker(self._engine) if self._engine else None
        self._dsn = make_url(asyncpg_url(url)).set(drivername="postgresql") if url else None
        self._samples: deque[_Sample] = deque(maxlen=2 * int(MOST_LAG / SAMPLE_SECONDS))
        self._has_been_told = False
        self.lag = float("inf")
        """Seconds by which it was behind at the last check, as measured by this process."""

    @property
    def exists(self) -> bool:
        """Whether there is a replica at all."""
        return self._engine is not None

    @property
    def is_used(self) -> bool:
        """Whether reads go there at present."""
        return self.lag <= MOST_LAG and self._breaker.is_closed

    async def read(
        self, primary: Sessions, since: float, work: Callable[[AsyncSession], Awaitable[T]]
    ) -> tuple[T, float]:
        """What `work` reads, with everything committed before `since`, and the moment as of which it is.

        Both moments are by `monotonic`. What fails on the replica is read from the primary.
        """
        sample = self._sample(since)
        if sample is not None and self._sessions is not None:
            try:
                async with autocommit(self._sessions) as session:
                    if await _has_replayed(session, sample.position):
                        return await work(session), sample.at
            except _ERRORS as error:
                log.warning("reader.failed", error=type(error).__name__)
                if is_unavailable(error):
                    self.lag = float("inf")
        now = monotonic()
        async with autocommit(primary) as session:
            return await work(session), now

    async def wait(self, since: float, seconds: float) -> None:
        """Waits until a read since that moment can go to the replica; not at all without one, nor for longer."""
        deadline = monotonic() + seconds
        while self.exists and self._sample(since) is None and monotonic() < deadline:  # noqa: ASYNC110 - it is a moment
            await asyncio.sleep(SAMPLE_SECONDS / 5)

    async def follow(self, primary: Sessions) -> None:
        """Measures the lag until cancelled; survives every error."""
        while self._dsn is not None:
            try:
                await self._watch(primary, self._dsn.render_as_string(hide_password=False))
            except _ERRORS as error:
                self._lose(error)
            await asyncio.sleep(SAMPLE_SECONDS)

    async def close(self) -> None:
        """Closes the connections."""
        if self._engine is not None:
            await self._engine.dispose()

    def _sample(self, since: float) -> _Sample | None:
        """The oldest position that contains what is wanted: the likeliest to have been replayed."""
        if not self.is_used:
            return None
        oldest = max(since, monotonic() - MOST_LAG)
        return next((each for each in self._samples if each.at >= oldest), None)

    async def _watch(self, primary: Sessions, dsn: str) -> None:
        options = {"application_name": "minimal reader"}
        connection = await asyncpg.connect(dsn, timeout=RESPONSE_SECONDS, server_settings=options)
        try:
            self._breaker.reset()
            while True:
                with suppress(*_ERRORS):
                    await self._note(primary)
                self._judge(await connection.fetchval(_REPLAYED, timeout=RESPONSE_SECONDS))
                await asyncio.sleep(SAMPLE_SECONDS)
        finally:
            connection.terminate()

    async def _note(self, primary: Sessions) -> None:
        at = monotonic()
        async with autocommit(primary) as session:
            position = await session.scalar(_POSITION)
        self._samples.append(_Sample(at, position or 0))

    def _judge(self, replayed: int | None) -> None:
        reached = [each.at for each in self._samples if each.position <= (replayed or 0)]
        self.lag = monotonic() - reached[-1] if reached else float("inf")
        self._tell()

    def _lose(self, error: Exception) -> None:
        self.lag = float("inf")
        if self._breaker.is_closed:
            self._breaker.trip()
        self._tell(error)

    def _tell(self, error: Exception | None = None) -> None:
        """Logs each change: left out, and used again."""
        if self.is_used == self._has_been_told:
            return
        self._has_been_told = self.is_used
        if self.is_used:
            log.info("reader.used")
        else:
            log.warning("reader.left_out", error=type(error or TimeoutError()).__name__)


async def _has_replayed(session: AsyncSession, position: int) -> bool:
    """Whether the connection's server has. It is queried only for a position beyond the last known one."""
    raw = (await session.connection()).sync_connection
    if raw is None:
        raise DatabaseUnavailable
    if raw.info.get("replayed", -1) < position:
        raw.info["replayed"] = await session.scalar(text(_REPLAYED)) or 0
    return bool(raw.info["replayed"] >= position)

"""The database connections of reports, so that an expensive report never takes a shopper's connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import event, func, make_url, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession
from sqlalchemy.pool import ConnectionPoolEntry

from server.analytics import facts
from server.platform.core import process_priority
from server.platform.core.db import CircuitBreaker, create_engine, sessionmaker
from server.platform.core.reader import Reader
from server.platform.core.slots import release_slot

CONNECTIONS = 1
SETTINGS = {
    "statement_timeout": "15s",
    "work_mem": "64MB",
    "jit": "off",
    "plan_cache_mode": "force_custom_plan",
    "max_parallel_workers_per_gather": "0",
}
_HOLD = text(f"LOCK TABLE {facts.TABLES} IN ACCESS SHARE MODE")
_BEGIN = select(func.now(), *(func.set_config(name, value, True) for name, value in SETTINGS.items()))


class ReportsPool:
    """Runs one report at a time, with low CPU priority; on the replica while that is used, else on the primary."""

    def __init__(
        self,
        database_url: str,
        breaker: CircuitBreaker | None = None,
        reader_url: str = "",
        reader: Reader | None = None,
        **pooling: bool,
    ) -> None:
        self._primary = _engine(database_url, breaker, **pooling)
        self._replica = _engine(reader_url) if reader_url else None
        self._reader = reader or Reader()

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[tuple[AsyncSession, datetime]]:
        """A read-only REPEATABLE READ transaction, and its time. Waiting for it occupies no shopper's connection.

        The facts are locked before the snapshot is taken, since a snapshot does not preserve rows that are truncated
        later.
        """
        release_slot()
        async with self._session() as session, session.begin():
            await session.execute(_HOLD)
            as_of = (await session.execute(_BEGIN)).scalar_one()
            yield session, as_of

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """As `snapshot`, for reads without facts, which need not wait for a rebuild."""
        async with self._session() as session, session.begin():
            await session.execute(_BEGIN)
            yield session

    async def close(self) -> None:
        """Closes the connections."""
        for engine in filter(None, (self._primary, self._replica)):
            await engine.dispose()

    def _session(self) -> AsyncSession:
        replica = self._replica if self._reader.is_used else None
        return sessionmaker(replica or self._primary)()


def _engine(url: str, breaker: CircuitBreaker | None = None, **pooling: bool) -> AsyncEngine:
    engine = create_engine(url, pool_size=CONNECTIONS, max_overflow=0, breaker=breaker, **pooling)
    if _is_of_this_machine(url):
        event.listen(engine.sync_engine, "connect", _step_back)
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _is_of_this_machine(database_url: str) -> bool:
    """Whether the database is reached through a Unix socket, so that its process ids are ours."""
    return str(make_url(database_url).query.get("host", "")).startswith("/")


def _step_back(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Lowers the backend's priority; otherwise each statement takes a shopper's CPU for milliseconds."""
    process_priority.lower_priority(connection.driver_connection.get_server_pid(), "postgres")

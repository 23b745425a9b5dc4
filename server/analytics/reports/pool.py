"""The analysts' own way to the database, so that a heavy report never takes a shopper's connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import event, func, make_url, select, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.pool import ConnectionPoolEntry

from server.analytics import facts
from server.core import process_priority
from server.core.db import CircuitBreaker, create_engine, sessionmaker
from server.web.load_shedding import release_slot

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
    """Reports wait for each other here, and the one that runs has what shoppers leave of this machine's processors."""

    def __init__(self, database_url: str, breaker: CircuitBreaker | None = None) -> None:
        engine = create_engine(database_url, pool_size=CONNECTIONS, max_overflow=0, breaker=breaker)
        if _is_of_this_machine(database_url):
            event.listen(engine.sync_engine, "connect", _step_back)
        self._engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._sessions = sessionmaker(self._engine)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[tuple[AsyncSession, datetime]]:
        """A read-only transaction in which nothing changes, and its moment. Who waits for it keeps no shopper out.

        The facts are held before the moment is: a snapshot does not keep what is truncated after it.
        """
        release_slot()
        async with self._sessions() as session, session.begin():
            await session.execute(_HOLD)
            as_of = (await session.execute(_BEGIN)).scalar_one()
            yield session, as_of

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """As `snapshot`, for who reads none of the facts and therefore waits for nobody who makes them anew."""
        async with self._sessions() as session, session.begin():
            await session.execute(_BEGIN)
            yield session

    async def close(self) -> None:
        await self._engine.dispose()


def _is_of_this_machine(database_url: str) -> bool:
    """Whether it is reached through a socket in a folder, so that its processes are numbered as ours."""
    return str(make_url(database_url).query.get("host", "")).startswith("/")


def _step_back(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Otherwise the database wins a shopper's core for milliseconds each time that it is asked something."""
    process_priority.lower_priority(connection.driver_connection.get_server_pid(), "postgres")

"""The analysts' own way to the database, so that a heavy report never takes a shopper's connection."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.core.admission import step_aside
from server.core.db import Gate, create_engine, sessionmaker

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


class Warehouse:
    """Reports wait for each other here: one at a time leaves the other core to the shoppers."""

    def __init__(self, database_url: str, gate: Gate | None = None) -> None:
        engine = create_engine(database_url, pool_size=CONNECTIONS, max_overflow=0, gate=gate)
        self._engine = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._sessions = sessionmaker(self._engine)

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[tuple[AsyncSession, datetime]]:
        """A read-only transaction in which nothing changes, and its moment. Who waits for it keeps no shopper out.

        The facts are held before the moment is: a snapshot does not keep what is truncated after it.
        """
        step_aside()
        async with self._sessions() as session, session.begin():
            await session.execute(_HOLD)
            as_of = (await session.execute(_BEGIN)).scalar_one()
            yield session, as_of

    async def close(self) -> None:
        await self._engine.dispose()

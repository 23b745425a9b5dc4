"""What each process of the shop has, whatever its role: database, gateways, and news of other processes' commits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from server import wiring
from server.analytics.reports import pool as reports_pool
from server.analytics.reports.pool import ReportsPool
from server.config import Settings
from server.core import connection_budget, gc_tuning
from server.core.connection_budget import ConnectionBudget
from server.core.db import CircuitBreaker, Sessions, create_engine, sessionmaker
from server.core.jobs import JobEnvironment, every
from server.core.locks import Lock
from server.core.notify import Listener
from server.core.reader import Reader
from server.core.resources import Resources
from server.media import service as media

DRAIN_SECONDS = 10
"""How long work that is ending may take."""
LOCK_SECONDS = 8.0
"""A request or job that waits longer for another transaction's lock is refused."""


class ShopProcess:
    """One process of the shop. Its role is a subclass: web, background work, reports."""

    def __init__(self, settings: Settings, leads: Lock | None = None, pictures: str = "") -> None:
        self.settings = settings
        media.serve_from(settings.media_base_url)
        breaker = CircuitBreaker()
        self.engine = create_engine(
            settings.database_url,
            pool_size=settings.database_pool_size,
            max_overflow=settings.database_max_overflow,
            breaker=breaker,
            lock_seconds=LOCK_SECONDS,
            **settings.pooling,
        )
        self.sessions: Sessions = sessionmaker(self.engine)
        self.resources: Resources = wiring.resources(settings, breaker)
        self.reader = self.resources.get(Reader)
        name = connection_budget.name_of(_connections(settings), pictures)
        self.listener = Listener(settings.direct_url, breaker, leads, name=name)
        self.env = JobEnvironment(self.sessions, self.resources)
        wiring.follow_settings(self.listener, self.resources)

    @contextlib.asynccontextmanager
    async def doing(self, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Listens and does `work` until the end of the block; then the database's connections are closed."""
        own = (
            self.listener.run(),
            self.reader.follow(self.sessions),
            every(gc_tuning.SECONDS, self.env, gc_tuning.collect),
            every(connection_budget.SECONDS, self.env, ConnectionBudget().check),
        )
        tasks = [asyncio.create_task(each) for each in (*own, *work)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            await self.resources.get(ReportsPool).close()
            await self.reader.close()
            await self.engine.dispose()


def _connections(settings: Settings) -> int:
    """The most that a process opens to the database itself: one for LISTEN, and without a pooler the pools."""
    if settings.database_transaction_pooler:
        return 1
    return 1 + settings.database_pool_size + settings.database_max_overflow + reports_pool.CONNECTIONS

"""What each process of the shop has, whatever its role: database, gateways, and news of other processes' commits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from server import wiring
from server.analytics.reports.pool import ReportsPool
from server.config import Settings
from server.core import gc_tuning
from server.core.db import CircuitBreaker, Sessions, create_engine, sessionmaker
from server.core.jobs import JobEnvironment, every
from server.core.locks import Lock
from server.core.notify import Listener
from server.core.resources import Resources

DRAIN_SECONDS = 10
"""How long work that is ending may take."""
LOCK_SECONDS = 8.0
"""A request or job that waits longer for another transaction's lock is refused."""


class ShopProcess:
    """One process of the shop. Its role is a subclass: web, background work, reports."""

    def __init__(self, settings: Settings, leads: Lock | None = None) -> None:
        self.settings = settings
        breaker = CircuitBreaker()
        self.engine = create_engine(settings.database_url, breaker=breaker, lock_seconds=LOCK_SECONDS)
        self.sessions: Sessions = sessionmaker(self.engine)
        self.resources: Resources = wiring.resources(settings, breaker)
        self.listener = Listener(settings.database_url, breaker, leads)
        self.env = JobEnvironment(self.sessions, self.resources)
        wiring.follow_settings(self.listener, self.resources)

    @contextlib.asynccontextmanager
    async def doing(self, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Listens and does `work` until the end of the block; then the database's connections are closed."""
        own = (self.listener.run(), every(gc_tuning.SECONDS, self.env, gc_tuning.collect))
        tasks = [asyncio.create_task(each) for each in (*own, *work)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            await self.resources.get(ReportsPool).close()
            await self.engine.dispose()

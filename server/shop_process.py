"""What each process of the shop has, whatever its role: database, gateways, and news of other processes' commits."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any, ClassVar

import structlog

from server import wiring
from server.analytics.reports import pool as reports_pool
from server.analytics.reports.pool import ReportsPool
from server.catalog.follower import CatalogFollower
from server.config import Settings
from server.media import service as media
from server.operations import heartbeats
from server.operations.archive_status import Backups
from server.operations.heartbeats import ProcessHealth, Pulse
from server.platform.core import clock, connection_budget, gc_tuning
from server.platform.core.connection_budget import ConnectionBudget
from server.platform.core.db import CircuitBreaker, Sessions, create_engine, is_unavailable, sessionmaker
from server.platform.core.jobs import JobEnvironment, every
from server.platform.core.locks import Lock
from server.platform.core.notify import Listener
from server.platform.core.reader import Reader
from server.platform.core.resources import Resources

log = structlog.get_logger()

DRAIN_SECONDS = 10
"""How long work that is ending may take."""
LEAVE_SECONDS = 2.0
"""How long a process that ends may take to say so."""
LOCK_SECONDS = 8.0
"""A request or job that waits longer for another transaction's lock is refused."""


class ShopProcess:
    """One process of the shop. Its role is a subclass: web, background work, reports."""

    role: ClassVar[str]

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
        self._pulse = Pulse(self.role, self._health)

    @contextlib.asynccontextmanager
    async def doing(self, *work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Listens and does `work` until the end of the block; then the database's connections are closed."""
        own = (
            self.listener.run(),
            self.reader.follow(self.sessions),
            every(clock.SECONDS, self.env, clock.compare),
            every(gc_tuning.SECONDS, self.env, gc_tuning.collect),
            every(connection_budget.SECONDS, self.env, ConnectionBudget().check),
            every(heartbeats.SECONDS, self.env, self._pulse.beat),
        )
        tasks = [asyncio.create_task(each) for each in (*own, *work)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            await self._leave()
            await self.resources.get(ReportsPool).close()
            await self.reader.close()
            await self.engine.dispose()

    async def _leave(self) -> None:
        try:
            async with asyncio.timeout(LEAVE_SECONDS):
                await self._pulse.end(self.env)
        except Exception as error:
            # The list says that it fell silent, then.
            log.warning("heartbeat.not_ended", error=type(error).__name__, exc_info=not is_unavailable(error))

    def _health(self) -> ProcessHealth:
        follower = self.resources.find(CatalogFollower)
        backups = self.resources.find(Backups)
        status = backups.seen if backups else None
        verified = backups.verification if backups else None
        return ProcessHealth(
            is_leader=self.listener.is_leader,
            index_age=follower.age if follower and follower.is_wanted else None,
            replica_lag=self.reader.lag if self.reader.exists else None,
            archived_until=(status.covered_until or backups.since) if backups and status else None,
            base_backup_at=status.base_at if status else None,
            backup_verified_at=verified.at if verified else None,
            restorable_from=verified.restorable_from if verified else None,
            restorable_until=verified.restorable_until if verified else None,
            backup_problem=verified.problem if verified else None,
        )


def _connections(settings: Settings) -> int:
    """The most that a process opens to the database itself: one for LISTEN, and without a pooler the pools."""
    if settings.database_transaction_pooler:
        return 1
    return 1 + settings.database_pool_size + settings.database_max_overflow + reports_pool.CONNECTIONS

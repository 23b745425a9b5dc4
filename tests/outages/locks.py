"""Samples lock waits in PostgreSQL many times a second."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

import asyncpg

EVERY = 0.02
_STRONG = """
    SELECT pid, relation FROM pg_locks
    WHERE granted AND relation = ANY ($1)
        AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""
_WAITING = """
    SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)), 0)::float FROM pg_locks
    WHERE NOT granted AND locktype = 'relation'
"""
_TABLES = "SELECT array_agg(oid) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"


@dataclass
class Watch:
    """Tables that are there when it begins; seconds."""

    tables: list[int]
    longest_wait: float = 0.0
    longest_hold: float = 0.0
    """Of a lock that keeps writers out."""
    _since: dict[tuple[int, int], float] = field(default_factory=dict)

    async def look(self, connection: asyncpg.Connection) -> None:
        while True:
            self.longest_wait = max(self.longest_wait, await connection.fetchval(_WAITING))
            held = {tuple(row) for row in await connection.fetch(_STRONG, self.tables)}
            now = monotonic()
            self._since = {lock: self._since.get(lock, now) for lock in held}
            self.longest_hold = max([self.longest_hold, *(now - since for since in self._since.values())])
            await asyncio.sleep(EVERY)


@asynccontextmanager
async def watched(url: str) -> AsyncIterator[Watch]:
    connection = await asyncpg.connect(url)
    watch = Watch(await connection.fetchval(_TABLES))
    task = asyncio.create_task(watch.look(connection))
    try:
        yield watch
    finally:
        task.cancel()
        await asyncio.wait([task])
        connection.terminate()
        assert task.cancelled()

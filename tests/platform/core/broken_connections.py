"""Connections to a database that break at a chosen moment."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from server.platform.core.db import (
    CircuitBreaker,
    create_engine,
)


@asynccontextmanager
async def behind_a_wire(database_url: str) -> AsyncIterator[tuple[AsyncEngine, list[asyncpg.Connection]]]:
    """An engine, and its connections as the driver knows them."""
    connections: list[asyncpg.Connection] = []

    class Noting(CircuitBreaker):
        async def connect(self, *address: Any, **options: Any) -> asyncpg.Connection:
            connections.append(await super().connect(*address, **options))
            return connections[-1]

    engine = create_engine(database_url, breaker=Noting(), pool_size=1, max_overflow=0)
    yield engine, connections
    await engine.dispose()


async def break_off(connection: asyncpg.Connection) -> None:
    """As the operating system does when a cable is pulled: the driver is told an OSError and nothing else."""
    connection._protocol.connection_lost(ConnectionResetError(104, "Connection reset by peer"))

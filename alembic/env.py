"""Runs migrations on the database of the settings, or on `sqlalchemy.url` when a caller sets it."""

import asyncio

from asyncpg import PostgresError
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from alembic import context
from server.config import Settings
from server.platform.core.db import Base, asyncpg_url
from server.platform.core.locks import Lock
from server.tables import ALL_MODELS

assert ALL_MODELS  # noqa: S101 - imported for its tables
LOCK_TIMEOUT = "1s"
"""Everybody who wants the table meanwhile waits behind a migration that waits for it, so it does not wait for long."""
ATTEMPTS, PAUSE = 120, 0.5
GIVEN_WAY = ("55P03", "40P01")
"""SQLSTATE of a lock that was not to be had in time, and of a deadlock with whoever wanted the same tables."""


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def main(url: str) -> None:
    engine = create_async_engine(asyncpg_url(url))
    async with engine.connect() as connection:
        await connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": Lock.MIGRATIONS.value})
        await connection.execute(text("SET statement_timeout = 0"))
        await connection.execute(text(f"SET lock_timeout = '{LOCK_TIMEOUT}'"))
        await connection.commit()
        await persist(connection)
        await connection.commit()
    await engine.dispose()


async def persist(connection: AsyncConnection) -> None:
    """Gives way to whoever holds a table, such as a backup, and tries again. What is done by then stays done."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            await connection.run_sync(run)
            return
        except (DBAPIError, PostgresError) as error:
            if attempt == ATTEMPTS or getattr(getattr(error, "orig", error), "sqlstate", None) not in GIVEN_WAY:
                raise
            await connection.rollback()
            await asyncio.sleep(PAUSE)


asyncio.run(main(context.config.get_main_option("sqlalchemy.url") or Settings().direct_url))

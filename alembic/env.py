"""Runs migrations on the database of the settings, or on `sqlalchemy.url` when a caller sets it."""

import asyncio

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine

from alembic import context
from server.config import Settings
from server.core.db import Base, asyncpg_url
from server.tables import ALL_MODELS

assert ALL_MODELS  # noqa: S101 - imported for its tables
MIGRATION_LOCK = 7_263_001


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=Base.metadata, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def main(url: str) -> None:
    engine = create_async_engine(asyncpg_url(url))
    async with engine.connect() as connection:
        await connection.execute(text("SET lock_timeout = '2s'"))
        await connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
        await connection.commit()
        await connection.run_sync(run)
        await connection.commit()
    await engine.dispose()


asyncio.run(main(context.config.get_main_option("sqlalchemy.url") or Settings().database_url))

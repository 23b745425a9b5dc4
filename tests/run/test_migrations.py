"""The way up, down and up again; tables are what the models say, and other versions' databases are left alone."""

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial

import asyncpg
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from alembic import command
from server.run.console import CommandRefused
from server.run.migrations import alembic_config, upgrade
from tests.conftest import copied_database, url_of


async def tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = await connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        names = set(found.all())
    await engine.dispose()
    return names


@pytest.fixture
async def new_database(cluster: URL, maintenance: AsyncEngine, name_database: Callable[[], str]) -> AsyncIterator[str]:
    """URL of a database with nothing in it."""
    name = name_database()
    async with copied_database(maintenance, name, "template0"):
        yield url_of(cluster, name)


async def test_migrations_go_up_down_to_the_baseline_and_up_again_and_match_the_models(new_database: str) -> None:
    config = alembic_config(new_database)

    await asyncio.to_thread(command.upgrade, config, "head")
    whole = await tables(new_database)
    scripts = list(ScriptDirectory.from_config(config).walk_revisions())
    for script in scripts[1:]:
        await asyncio.to_thread(command.downgrade, config, script.revision)
    await asyncio.to_thread(command.upgrade, config, "head")
    again = await tables(new_database)
    await asyncio.to_thread(command.check, config)

    assert "wishlist_items" in whole
    assert again == whole
    assert [script.revision for script in scripts] == sorted((script.revision for script in scripts), reverse=True)


async def test_a_database_at_a_migration_of_another_version_is_refused_with_a_sentence(new_database: str) -> None:
    connection = await asyncpg.connect(new_database.replace("+asyncpg", ""))
    await connection.execute("CREATE TABLE alembic_version (version_num text PRIMARY KEY)")
    await connection.execute("INSERT INTO alembic_version VALUES ('0022')")
    await connection.close()

    with pytest.raises(CommandRefused, match="The database is at migration 0022, which is not among this version's"):
        await asyncio.to_thread(upgrade, new_database)

    assert await tables(new_database) == {"alembic_version"}


async def test_a_version_that_is_gone_back_to_leaves_a_newer_database_alone(new_database: str) -> None:
    connection = await asyncpg.connect(new_database.replace("+asyncpg", ""))
    await connection.execute("CREATE TABLE alembic_version (version_num text PRIMARY KEY)")
    await connection.execute("INSERT INTO alembic_version VALUES ('9999')")

    await asyncio.to_thread(partial(upgrade, new_database, or_newer=True))
    newer = await tables(new_database)
    await connection.execute("UPDATE alembic_version SET version_num = '0022'")
    with pytest.raises(CommandRefused, match="which is not among this version's"):
        await asyncio.to_thread(partial(upgrade, new_database, or_newer=True))
    await connection.close()

    assert newer == {"alembic_version"}

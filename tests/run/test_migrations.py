"""The way up, down and up again, and that the tables are what the models say."""

import asyncio
from collections.abc import Callable

from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from alembic import command
from server.run.migrations import alembic_config


async def tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = await connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        names = set(found.all())
    await engine.dispose()
    return names


async def test_migrations_go_up_down_and_up_again_and_match_the_models(
    cluster: URL, maintenance: AsyncEngine, name_database: Callable[[], str]
) -> None:
    name = name_database()
    async with maintenance.connect() as connection:
        await connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE template0'))
    url = cluster.set(database=name).render_as_string(hide_password=False)
    config = alembic_config(url)

    await asyncio.to_thread(command.upgrade, config, "head")
    whole = await tables(url)
    downwards = []
    for script in list(ScriptDirectory.from_config(config).walk_revisions())[1:]:
        await asyncio.to_thread(command.downgrade, config, script.revision)
        downwards.append(await tables(url))
    await asyncio.to_thread(command.downgrade, config, "base")
    nothing = await tables(url)
    await asyncio.to_thread(command.upgrade, config, "head")
    again = await tables(url)
    await asyncio.to_thread(command.check, config)

    async with maintenance.connect() as connection:
        await connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
    assert nothing == {"alembic_version"}
    assert "wishlist_items" in whole
    assert "wishlist_items" not in downwards[-1]
    assert again == whole

"""The way up, down and up again; a database is as models and SQL files say, other versions' are left alone."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import asyncpg
import orjson
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import URL, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from alembic import command
from server.platform.processes.console import CommandRefused
from server.run.migrations import alembic_config, head, upgrade
from tests.conftest import copied_database, url_of
from tests.payments.conftest import until
from tests.run.planted_migrations import config_with
from tests.sql_texts import definitions, newest_texts

PLANTED = """
from pathlib import Path

from server.platform.processes.sql_files import run_file

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    run_file(Path("{folder}/creates.sql"))
    run_file(Path("{folder}/waits.sql"))
"""


async def tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        rows = await connection.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        names = set(rows.all())
    await engine.dispose()
    return names


@pytest.fixture
async def new_database(cluster: URL, maintenance: AsyncEngine, name_database: Callable[[], str]) -> AsyncIterator[str]:
    """URL of a database with nothing in it."""
    name = name_database()
    async with copied_database(maintenance, name, "template0"):
        yield url_of(cluster, name)


@pytest.fixture
async def connection(new_database: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(new_database.replace("+asyncpg", ""))
    yield connection
    await connection.close()


async def test_migrations_go_up_down_to_the_baseline_and_up_again_and_match_the_models(
    new_database: str, connection: asyncpg.Connection
) -> None:
    config = alembic_config(new_database)
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    up, down = {}, {}

    for revision in reversed(revisions):
        await asyncio.to_thread(command.upgrade, config, revision)
        up[revision] = await definitions(connection)
    whole = await tables(new_database)
    for revision in revisions[1:]:
        await asyncio.to_thread(command.downgrade, config, revision)
        down[revision] = await definitions(connection)
    await asyncio.to_thread(command.upgrade, config, "head")
    again = await tables(new_database)
    await asyncio.to_thread(command.check, config)

    assert "wishlist_items" in whole
    assert again == whole
    assert down | {revisions[0]: await definitions(connection)} == up
    assert revisions == sorted(revisions, reverse=True)


async def test_newest_sql_files_are_what_a_migrated_database_has(database_url: str) -> None:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    migrated = await definitions(connection)
    for text_of_file in newest_texts().values():
        await connection.execute(text_of_file)
    again = await definitions(connection)
    await connection.close()

    assert again == migrated, "the newest migration is to run the file, or one that drops it"
    texts = "\n".join(newest_texts().values())
    for kind, defined in migrated.items():
        created = set(re.findall(rf"CREATE (?:OR REPLACE |CONSTRAINT )?{kind.upper()} (\w+)", texts))
        assert {name for name, _ in defined} == created, kind


async def test_sql_files_roll_back_for_a_held_table_and_run_again(
    new_database: str, connection: asyncpg.Connection, tmp_path: Path
) -> None:
    await asyncio.to_thread(upgrade, new_database, "0048")  # Others then precede it in the run, each in a transaction.
    (tmp_path / "9999_planted.py").write_text(PLANTED.format(head=head(), folder=tmp_path))
    (tmp_path / "creates.sql").write_text("CREATE TABLE planted (words text); INSERT INTO planted VALUES ('a;b');")
    (tmp_path / "waits.sql").write_text("LOCK TABLE products; INSERT INTO planted VALUES ('c');")
    config = config_with(tmp_path, new_database)
    waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'products'::regclass AND NOT granted"

    async def is_waiting(expected: int) -> bool:
        return bool(await connection.fetchval(waiting) == expected)

    async with connection.transaction():
        await connection.execute("LOCK TABLE products IN ROW EXCLUSIVE MODE")
        migrating = asyncio.create_task(asyncio.to_thread(command.upgrade, config, "9999"))
        await until(partial(is_waiting, 1))
        await until(partial(is_waiting, 0))
    await migrating

    assert [row["words"] for row in await connection.fetch("SELECT words FROM planted")] == ["a;b", "c"]


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


async def test_codes_keep_what_they_take_off_on_the_way_to_promotions_and_back(
    new_database: str, connection: asyncpg.Connection
) -> None:
    config = alembic_config(new_database)
    await asyncio.to_thread(command.upgrade, config, "0049")
    await connection.execute(
        "INSERT INTO discount_codes (code, percent, amount_cents, min_subtotal_cents)"
        " VALUES ('PERCENT', 15, NULL, 0), ('AMOUNT', NULL, 500, 9900)"
    )

    await asyncio.to_thread(command.upgrade, config, "0051")
    promotions = {
        code: orjson.loads(promotion)
        for code, promotion in await connection.fetch("SELECT code, promotion::text FROM discount_codes")
    }
    later = {"action": {"kind": "later"}, "conditions": []}
    await connection.execute(
        "INSERT INTO discount_codes (code, promotion) VALUES ('LATER', $1)", orjson.dumps(later).decode()
    )
    await asyncio.to_thread(command.downgrade, config, "0049")
    columns = "code, percent, amount_cents, min_subtotal_cents, is_active"
    rows = await connection.fetch(f"SELECT {columns} FROM discount_codes ORDER BY code")

    minimum = {"kind": "min_subtotal", "min_subtotal_cents": 9_900}
    assert promotions == {
        "PERCENT": {"action": {"kind": "percent_off", "percent": 15}, "conditions": []},
        "AMOUNT": {"action": {"kind": "amount_off", "amount_cents": 500}, "conditions": [minimum]},
    }
    assert [tuple(row) for row in rows] == [
        ("AMOUNT", None, 500, 9_900, True),
        ("LATER", 1, None, 0, False),
        ("PERCENT", 15, None, 0, True),
    ]

"""Migrations after the baseline keep to expand and contract, as squawk judges the SQL that each of them runs."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest
from alembic.config import Config
from alembic.script import Script, ScriptDirectory
from sqlalchemy import URL, Engine, event
from sqlalchemy.ext.asyncio import AsyncEngine

from alembic import command
from server.run.migrations import alembic_config, head
from tests.conftest import copied_database, url_of
from tests.run.planted_migrations import config_with

BASELINE = "0024"
SQUAWK = str(Path(sys.executable).with_name("squawk"))
LEFT_OUT = {
    "require-lock-timeout": "alembic/env.py sets it for the session, before the first migration.",
    "require-statement-timeout": "A migration of many rows may take long; how long others wait is what is limited.",
}
"""Rules that no migration is held to, and why. One that a single migration breaks stands in its SQUAWK_EXCEPTIONS."""

PLANTED = '''
"""a migration that the version before does not survive"""

from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.alter_column("products", "title", new_column_name="heading")
    op.drop_column("variants", "sku")
    op.execute("CREATE INDEX ix_orders_planted ON orders (total_cents)")
    op.execute("ALTER TABLE orders ADD CONSTRAINT planted CHECK (total_cents > -1)")
    op.execute("ALTER TABLE cart_lines ALTER COLUMN quantity TYPE bigint")
'''
NOTICED = {
    "ban-drop-column",
    "changing-column-type",
    "constraint-missing-not-valid",
    "renaming-column",
    "require-concurrent-index-creation",
}


@pytest.fixture
async def database(cluster: URL, maintenance: AsyncEngine, name_database: Callable[[], str]) -> AsyncIterator[str]:
    """URL of a database that has the baseline."""
    name = name_database()
    async with copied_database(maintenance, name, "template0"):
        url = url_of(cluster, name)
        await asyncio.to_thread(command.upgrade, alembic_config(url), BASELINE)
        yield url


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Every statement and script that is sent meanwhile, BEGIN and COMMIT among them."""
    sent: list[str] = []
    run_script = asyncpg.Connection.execute

    def record(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        sent.append(statement.strip().removesuffix(";"))

    async def record_script(connection: asyncpg.Connection, script: str) -> str:
        sent.append(script.strip().removesuffix(";"))
        return str(await run_script(connection, script))

    event.listen(Engine, "before_cursor_execute", record)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncpg.Connection, "execute", record_script)
        yield sent
    event.remove(Engine, "before_cursor_execute", record)


def apply(config: Config, script: Script) -> list[str]:
    """Runs a migration; what it sent."""
    with recorded() as sent:
        command.upgrade(config, script.revision)
    return sent


def broken_rules(script: Script, statements: list[str], folder: Path) -> set[str]:
    """The rules that a migration breaks, those left out included."""
    file = folder / f"{script.revision}.sql"
    file.write_text(";\n".join(statements) + ";\n")
    squawk = [SQUAWK, "--pg-version", "18", "--reporter", "json", str(file)]
    said = subprocess.run(squawk, capture_output=True, text=True, check=False)
    assert said.returncode in (0, 1), said.stderr
    return {problem["rule_name"] for problem in json.loads(said.stdout)}


async def test_every_migration_after_the_baseline_expands_or_says_why_it_may_contract(
    database: str, tmp_path: Path
) -> None:
    config = alembic_config(database)
    scripts = list(ScriptDirectory.from_config(config).iterate_revisions("head", BASELINE))[::-1]
    rules_by_revision = {}
    for script in scripts:
        statements = await asyncio.to_thread(apply, config, script)
        rules_by_revision[script.revision] = broken_rules(script, statements, tmp_path) - LEFT_OUT.keys()

    excepted = {script.revision: getattr(script.module, "SQUAWK_EXCEPTIONS", {}) for script in scripts}
    assert len(rules_by_revision) >= 5
    assert rules_by_revision == {revision: set(reasons) for revision, reasons in excepted.items()}
    assert [reason for reasons in excepted.values() for reason in reasons.values() if len(reason.split()) < 4] == []


async def test_a_planted_migration_that_renames_drops_and_locks_is_noticed(database: str, tmp_path: Path) -> None:
    (tmp_path / "9999_planted.py").write_text(PLANTED.format(head=head()))
    config = config_with(tmp_path, database)
    await asyncio.to_thread(command.upgrade, config, head())
    [planted] = ScriptDirectory.from_config(config).get_revisions("9999")
    assert isinstance(planted, Script)

    statements = await asyncio.to_thread(apply, config, planted)

    assert broken_rules(planted, statements, tmp_path) - LEFT_OUT.keys() == NOTICED

"""SQL functions, triggers and views: what stands in the files is what the database runs."""

import re
from hashlib import sha256
from pathlib import Path

import asyncpg
import pytest

from server.core.package_data import ROOT
from server.run.sql_files import file_at, statements

FILES = sorted((ROOT / "server").glob("*/sql/*.sql"))
APPLIED = ROOT / "alembic" / "applied.txt"
"""Of each file: the migration that applied it as it stands, and what that text comes to."""
DEFINED = {
    "function": """
        SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    """,
    "trigger": "SELECT tgname AS name, pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE NOT tgisinternal",
    "view": """
        SELECT relname AS name, pg_get_viewdef(oid) AS text FROM pg_class
        WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
    """,
}


async def definitions(connection: asyncpg.Connection) -> dict[str, list[tuple[str, str]]]:
    """Names and texts of the shop's own functions, triggers and views, as the database tells them."""
    return {
        kind: sorted((row["name"], row["text"]) for row in await connection.fetch(query))
        for kind, query in DEFINED.items()
    }


@pytest.fixture
def plain_url(database_url: str) -> str:
    return database_url.replace("+asyncpg", "")


async def test_a_migrated_database_has_what_the_files_say_and_nothing_else(plain_url: str) -> None:
    connection = await asyncpg.connect(plain_url)
    migrated = await definitions(connection)
    for path in FILES:
        await connection.execute(path.read_text())
    applied = await definitions(connection)
    await connection.close()

    assert applied == migrated, "a migration is to apply the file: apply_sql(…, at=revision)"
    texts = "\n".join(path.read_text() for path in FILES)
    for kind, defined in migrated.items():
        written = set(re.findall(rf"CREATE (?:OR REPLACE |CONSTRAINT )?{kind.upper()} (\w+)", texts))
        assert {name for name, _ in defined} == written, kind


def test_each_file_stands_as_a_migration_has_applied_it() -> None:
    applied = [line.split() for line in APPLIED.read_text().splitlines()]
    standing = [(sha256(path.read_bytes()).hexdigest()[:16], f"{path.parts[-3]}/{path.stem}") for path in FILES]

    assert [(text, name) for _, text, name in applied] == standing, "see A SQL function in CONTRIBUTING.md"
    for revision, _, file in applied:
        room, name = file.split("/")
        [migration] = (ROOT / "alembic" / "versions").glob(f"{revision}_*.py")
        assert f'"{name}"' in migration.read_text()
        assert file_at(room, name, revision) in FILES


def test_a_file_that_has_changed_is_applied_as_it_was_by_migrations_of_before(tmp_path: Path) -> None:
    for revision in ("0040", "0043"):
        (tmp_path / revision / "orders").mkdir(parents=True)
        (tmp_path / revision / "orders" / "check_returned_pieces.sql").touch()

    found = {at: file_at("orders", "check_returned_pieces", at, tmp_path) for at in ("0024", "0040", "0042", "0043")}

    assert found["0024"] == tmp_path / "0040/orders/check_returned_pieces.sql"
    assert found["0040"] == found["0042"] == tmp_path / "0043/orders/check_returned_pieces.sql"
    assert found["0043"] == ROOT / "server/orders/sql/check_returned_pieces.sql"
    assert file_at("core", "search_text", "0024", tmp_path) == ROOT / "server/core/sql/search_text.sql"


def test_statements_end_where_a_semicolon_is_neither_quoted_nor_in_a_body_nor_in_a_comment() -> None:
    first = "-- one; the shop's\nCREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT 1; SELECT 'a'; $$;"
    second = "INSERT INTO t VALUES ('a;b', 1 - 2);"

    assert statements(f"{first}\n\n{second}\n") == [first, second]

"""SQL functions, triggers and views: each stands whole in `server/<room>/sql/<name>.sql` and is applied by migrations.

A file says CREATE OR REPLACE, or drops first, so that it can be applied over what is there. When it is to change, the
text of before goes to `alembic/superseded/<the new migration's number>/<room>/<name>.sql`: migrations up to that one,
and its way down, apply what the file was at their time.
"""

import re
from pathlib import Path

from server.core.package_data import ROOT, package_data

MIGRATIONS = package_data("alembic")
SUPERSEDED = MIGRATIONS / "superseded"

_STATEMENT = re.compile(r"(?>\$\$.*?\$\$|--[^\n]*|'[^']*'|[^;])++;", re.DOTALL)
"""A semicolon within a function's body, a comment or a text ends nothing."""


def apply_sql(room: str, *names: str, at: str) -> None:
    """Applies files of a room as they were at a revision: `at=revision` on the way up, `at=down_revision` down."""
    for name in names:
        run_file(file_at(room, name, at))


def file_at(room: str, name: str, revision: str, superseded: Path = SUPERSEDED) -> Path:
    """Where the text stands that was good at the revision: what the next migration after it took the place of."""
    later = (path for path in superseded.glob(f"*/{room}/{name}.sql") if int(path.parts[-3]) > int(revision))
    return min(later, key=lambda path: int(path.parts[-3]), default=ROOT / "server" / room / "sql" / f"{name}.sql")


def run_file(path: Path) -> None:
    """Runs each statement of a file in the transaction of the migration under way."""
    from alembic import op

    for statement in statements(path.read_text()):
        op.get_bind().exec_driver_sql(statement)


def statements(sql: str) -> list[str]:
    """What is between semicolons, comments included; the driver takes one statement at a time."""
    return [found.strip() for found in _STATEMENT.findall(sql)]

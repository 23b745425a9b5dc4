"""SQL functions, triggers and views, each whole in `alembic/sql/<domain>/<name>.<revision>.sql` for every migration
that changed it; the last file is the current text. A file can be run over what is there: CREATE OR REPLACE, or a drop
first.
"""

from operator import methodcaller
from pathlib import Path

from server.platform.core.package_data import package_data

MIGRATIONS = package_data("alembic")


def apply_sql(domain: str, *names: str, at: str) -> None:
    """Runs files of a domain that came with the migration `at`: the one under way, or downwards an earlier one."""
    for name in names:
        run_file(MIGRATIONS / "sql" / domain / f"{name}.{at}.sql")


def run_file(path: Path) -> None:
    """Runs a file whole in the transaction of the migration under way, or else in one of its own.

    asyncpg sends it as it is; SQLAlchemy's cursors prepare what they execute, which has to be a single statement then.
    """
    from sqlalchemy.engine.interfaces import AdaptedConnection

    from alembic import op

    connection = op.get_bind()
    connection.exec_driver_sql("SELECT 1")  # Only cursors send the BEGIN of a transaction.
    driver = connection.connection.dbapi_connection
    assert isinstance(driver, AdaptedConnection)  # noqa: S101 - for mypy
    driver.run_async(methodcaller("execute", path.read_text()))

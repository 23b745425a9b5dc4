"""Runs and writes database migrations."""

import re
from typing import TYPE_CHECKING

from server.platform.core.package_data import package_data
from server.platform.processes.console import CommandRefused
from server.run.database import revision_of

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = package_data("alembic")


def upgrade(url: str, revision: str = "head", *, or_newer: bool = False) -> None:
    """Runs the missing migrations; several processes may do so at once. Must not be called in an event loop.

    With `or_newer`, a database that a newer version has migrated is left alone, so that one can go back to this one.
    """
    if revision == "head":
        there = revision_of(url)
        if there == head() or (or_newer and there is not None and int(there) > int(head())):
            return

    from alembic.script.revision import ResolutionError
    from alembic.util import CommandError

    from alembic import command

    try:
        command.upgrade(alembic_config(url), revision)
    except CommandError as error:
        if not isinstance(unknown := error.__cause__, ResolutionError):
            raise
        raise CommandRefused(
            f"The database is at migration {unknown.argument}, which is not among this version's: a newer version"
            " made it, or one from before the baseline, whose migrations it has not all had. Bring it up to date with"
            " the version that made it, or start with a new SHOP_DATA or an empty database."
        ) from error


def generate(url: str, message: str) -> None:
    """Writes the next migration: what the models have and the database lacks. Review it before committing."""
    from alembic import command

    command.revision(alembic_config(url), message, autogenerate=True, rev_id=f"{int(head()) + 1:04}")


def alembic_config(url: str) -> "Config":
    """Alembic's configuration for a database URL."""
    from alembic.config import Config

    config = Config(package_data("alembic.ini"))
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def head() -> str:
    """The newest revision, read from the files: importing Alembic would double the time of a start."""
    files = [path.read_text() for path in (MIGRATIONS / "versions").glob("*.py")]
    revisions: set[str] = {name for text in files for name in re.findall(r'^revision = "(\w+)"', text, re.MULTILINE)}
    parents = {name for text in files for name in re.findall(r'^down_revision.* = "(\w+)"', text, re.MULTILINE)}
    [newest] = revisions - parents
    return newest

"""Bringing a database to the tables that this code expects."""

from pathlib import Path

from alembic.config import Config

from alembic import command

ROOT = Path(__file__).resolve().parents[2]


def upgrade(url: str, revision: str = "head") -> None:
    """Runs the missing migrations; several processes may do so at once. Call it where no event loop runs."""
    command.upgrade(config(url), revision)


def config(url: str) -> Config:
    """Alembic's configuration for one database."""
    config = Config(ROOT / "alembic.ini")
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config

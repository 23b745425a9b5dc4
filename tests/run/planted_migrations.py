"""Migrations that a test adds to those of the shop."""

from pathlib import Path

from alembic.config import Config

from server.run.migrations import alembic_config


def config_with(folder: Path, url: str) -> Config:
    """Alembic's configuration for a database URL, with the migrations of a folder beside the shop's."""
    config = alembic_config(url)
    versions = Path(config.get_main_option("script_location") or "") / "versions"
    config.set_main_option("version_locations", f"{versions}:{folder}")
    config.set_main_option("path_separator", ":")
    return config

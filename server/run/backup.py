"""Backups: a folder with the database as pg_dump writes it, and every image that it names."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

from server.config import Settings
from server.platform.processes.console import CommandRefused, say
from server.run.database import database, look, run_program


def backup(settings: Settings, folder: Path) -> None:
    """Writes a new folder, completely or not at all; the shop may be open meanwhile. Raises CommandRefused."""
    if folder.exists():
        raise CommandRefused(f"{folder} exists already. A backup goes into a new folder.")
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    # Once before the database is dumped, for images deleted meanwhile; once after it, for new ones.
    _copy_new(settings, unfinished)
    with database(settings) as url:
        run_program(settings, url, "pg_dump", "--format=custom", "--no-owner", f"--file={unfinished / 'database.dump'}")
    if settings.images_url:
        say("The pictures are in IMAGES_URL and not part of this backup.")
    _copy_new(settings, unfinished)
    unfinished.rename(folder)
    say(f"The backup is in {folder}")


def restore(settings: Settings, folder: Path) -> None:
    """Fills an empty shop, in one transaction. Raises CommandRefused."""
    dump, pictures = folder / "database.dump", folder / "images"
    if not dump.exists():
        raise CommandRefused(f"{folder} is no backup: it has no database.dump.")
    with database(settings) as url:
        if look(url).revision is not None:
            raise CommandRefused(
                "This shop's database is not empty. Restore into a new SHOP_DATA or an empty database."
            )
        if pictures.exists() and not settings.images_url:
            shutil.copytree(pictures, _pictures(settings), dirs_exist_ok=True)
        run_program(settings, url, "pg_restore", "--no-owner", "--single-transaction", "--exit-on-error", str(dump))
    say(f"The shop is as it was in {folder}. Once it is open, `python -m server catch-up` hears what was paid since.")


def _copy_new(settings: Settings, folder: Path) -> None:
    """Copies images that the folder lacks.

    One that vanishes meanwhile is not needed; names with `#` are incomplete files.
    """
    if settings.images_url:
        return
    pictures = _pictures(settings)
    for place, _, names in os.walk(pictures):
        copied = folder / "images" / Path(place).relative_to(pictures)
        copied.mkdir(parents=True, exist_ok=True)
        for name in names:
            if "#" not in name and not (copied / name).exists():
                with suppress(FileNotFoundError):
                    shutil.copy2(Path(place) / name, copied / name)


def _pictures(settings: Settings) -> Path:
    return settings.shop_data / "images"

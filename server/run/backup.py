"""A shop's state as a folder: the database as pg_dump writes it, and the pictures."""

import shutil
from pathlib import Path

from server.config import Settings
from server.run.console import Refused, say
from server.run.database import database, look, run_program


def backup(settings: Settings, folder: Path) -> None:
    """Writes a new folder, whole or not at all; the shop may be open meanwhile. Raises Refused."""
    if folder.exists():
        raise Refused(f"{folder} exists already. A backup goes into a new folder.")
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    with database(settings) as url:
        run_program(settings, url, "pg_dump", "--format=custom", "--no-owner", f"--file={unfinished / 'database.dump'}")
    if settings.images_url:
        say("The pictures are in IMAGES_URL and not part of this backup.")
    elif (pictures := _pictures(settings)).exists():
        shutil.copytree(pictures, unfinished / "images")
    unfinished.rename(folder)
    say(f"The backup is in {folder}")


def restore(settings: Settings, folder: Path) -> None:
    """Fills a shop that holds nothing yet, in one transaction. Raises Refused."""
    dump, pictures = folder / "database.dump", folder / "images"
    if not dump.exists():
        raise Refused(f"{folder} is no backup: it has no database.dump.")
    with database(settings) as url:
        if look(url).revision is not None:
            raise Refused("This shop's database is not empty. Restore into a new SHOP_DATA or an empty database.")
        if pictures.exists() and not settings.images_url:
            shutil.copytree(pictures, _pictures(settings), dirs_exist_ok=True)
        run_program(settings, url, "pg_restore", "--no-owner", "--single-transaction", "--exit-on-error", str(dump))
    say(f"The shop is as it was in {folder}")


def _pictures(settings: Settings) -> Path:
    return settings.shop_data / "images"

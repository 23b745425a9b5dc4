"""Lock of SHOP_DATA, which one running shop may use at a time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from server.platform.processes.console import CommandRefused
from server.platform.processes.process import locked, wait_until


class ShopFolderInUse(CommandRefused):
    """Another process of this machine runs the shop of this folder."""


@contextmanager
def hold(folder: Path, patience: float = 3) -> Iterator[None]:
    """Locks this folder for the block; the lock of a killed process is released.

    Waits `patience` seconds for a shop that is closing. Raises ShopFolderInUse, or CommandRefused when the folder
    cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise CommandRefused(f"{folder} cannot be used ({error.strerror}). Choose another SHOP_DATA.") from error
    try:
        if not wait_until(lambda: locked(descriptor), patience, every=0.05):
            raise ShopFolderInUse(
                f"The shop in {folder} is already running (process {os.pread(descriptor, 20, 0).decode().strip()}). "
                "Stop that one, or give this one another SHOP_DATA and PORT."
            )
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(descriptor)

"""`python -m server recover`: an empty cluster as the shop was at a moment, made from the bucket of the backups."""

import asyncio
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import Any

from server.config import Settings
from server.core.db import autocommit, create_engine, sessionmaker
from server.inventory import queries as inventory
from server.operations import measures
from server.run.archive.store import PARTIAL, BackupStore, BaseBackup, tar_file, wal_file
from server.run.console import CommandRefused, say
from server.run.drop_privileges import give_all
from server.run.postgres import Postgres, PostgresFailed

RECOVERY_SECONDS = 24 * 3_600.0
NOT_REACHED = "recovery ended before configured recovery target was reached"
OF_THE_SERVER = ("ssl=off", "shared_preload_libraries=", "archive_mode=off", "hot_standby=off")
"""What the settings of the host that was backed up might ask for, and this one may not have."""


@dataclass(frozen=True)
class Books:
    """What a restored shop says of itself."""

    orders: int
    last_order: datetime | None
    without_order: int
    """Paid checkouts that have no order."""
    stock_differences: int
    """Variants whose ledger does not add up."""

    @property
    def agree(self) -> bool:
        """Whether both ledgers are whole."""
        return self.without_order == self.stock_differences == 0


def recover(settings: Settings, folder: Path, moment: datetime | None) -> Books:
    """Makes `folder`/data, the data directory of a PostgreSQL: everything committed before the moment, nothing after.

    Without a moment, everything that was archived. Raises CommandRefused, also when the books do not agree.
    """
    store = BackupStore.of(settings)
    base = _base_before(store, moment)
    postgres = Postgres(folder, role=base.role, patience=RECOVERY_SECONDS)
    if postgres.data.exists():
        raise CommandRefused(f"{postgres.data} exists already. A shop is restored into a new folder.")
    say(f"Copying the backup of {base.ended_at:%Y-%m-%d %H:%M:%S} UTC and the log since then …")
    postgres.prepare()
    unfinished, log = postgres.home / "data.unfinished", postgres.home / "log-to-recover"
    for left in (unfinished, log):
        shutil.rmtree(left, ignore_errors=True)
        left.mkdir(mode=0o700)
    _unpack(store.read(tar_file(base.id)), unfinished)
    _copy_log(store, base, log)
    (unfinished / "recovery.signal").touch()
    (unfinished / "postgresql.conf").touch()
    for tree in (unfinished, log):
        give_all(tree, postgres.user)
    unfinished.rename(postgres.data)
    postgres.options = (*OF_THE_SERVER, f"restore_command=cp '{log}/%f' '%p'", *_target(moment))
    _start(postgres, store, moment)
    try:
        books = asyncio.run(_read_books(postgres.url_of(base.database)))
    finally:
        postgres.stop()
    shutil.rmtree(log)
    _tell(books, moment)
    return books


def _base_before(store: BackupStore, moment: datetime | None) -> BaseBackup:
    bases = [base for base in store.bases() if moment is None or base.ended_at <= moment]
    if not bases:
        raise CommandRefused("BACKUP_URL has no backup that was complete by then.")
    return bases[-1]


def _target(moment: datetime | None) -> tuple[str, ...]:
    if moment is None:
        return ()
    return (f"recovery_target_time={moment.isoformat()}", "recovery_target_action=promote")


def _start(postgres: Postgres, store: BackupStore, moment: datetime | None) -> None:
    """PostgreSQL refuses a moment after the last commit, though the log may reach it without another commit."""
    try:
        postgres.start()
    except PostgresFailed as error:
        if NOT_REACHED not in str(error) or moment is None:
            raise
        status = store.status()
        if status is None or status.covered_until is None or status.covered_until < moment:
            until = status and status.covered_until
            raise CommandRefused(f"The backups reach to {until}. Ask for an earlier moment.") from error
        postgres.options = [each for each in postgres.options if not each.startswith("recovery_target")]
        postgres.start()


def _copy_log(store: BackupStore, base: BaseBackup, folder: Path) -> None:
    there = store.wal()
    for name in there:
        segment = name.removesuffix(PARTIAL)
        is_needed = name.endswith(".history") or segment[8:] >= base.start_wal[8:]
        if is_needed and (segment == name or segment not in there):
            with (folder / segment).open("wb") as file:
                file.writelines(store.read(wal_file(name)))


class _Stream(RawIOBase):
    """A file of the parts of a stream, for reading once."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self._held = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._held:
            part = next(self._parts, None)
            if part is None:
                return 0
            self._held = part
        size = min(len(buffer), len(self._held))
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
        return size


def _unpack(parts: Iterator[bytes], folder: Path) -> None:
    # Python 3.11 has no filters before 3.11.4. These are files that this shop has encrypted itself.
    filters: dict[str, Any] = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}
    with tarfile.open(fileobj=BufferedReader(_Stream(parts), 1 << 20), mode="r|") as tar:
        tar.extractall(folder, **filters)  # noqa: S202
    # What follows the end of the archive belongs to the file's authentication.
    for _ in parts:
        pass


async def _read_books(url: str) -> Books:
    engine = create_engine(url)
    try:
        async with autocommit(sessionmaker(engine)) as session:
            orders, last = await measures.orders(session)
            return Books(
                orders, last, await measures.paid_without_order(session), len(await inventory.differences(session))
            )
    finally:
        await engine.dispose()


def _tell(books: Books, moment: datetime | None) -> None:
    if not books.agree:
        raise CommandRefused(
            f"The shop is restored, but its books do not agree: {books.without_order} paid checkouts have no order, and"
            f" the stock of {books.stock_differences} variants is not what the ledger says."
        )
    when = f"as of {moment.isoformat()}" if moment else "as of the last that was archived"
    last = f", the last of {books.last_order:%Y-%m-%d %H:%M:%S} UTC" if books.last_order else ""
    say(f"The shop is restored {when}: {books.orders} orders{last}. Its books agree.")
    say("Once it is open, `python -m server catch-up` hears what was paid since.")

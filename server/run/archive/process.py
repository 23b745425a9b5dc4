"""`python -m server archive`: copies the log of the database to the bucket as it is written, and a whole backup a day.

It needs no access to the database's host: pg_receivewal and pg_basebackup speak the replication protocol. A replication
slot has the database keep what has not been received. One process for a database is enough; while none runs, the
database keeps its log, which fills its disk in the end.
"""

import asyncio
import contextlib
import subprocess
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import structlog
from obstore.exceptions import BaseError

from server.config import Settings
from server.core import logs
from server.operations.archive_status import ArchiveStatus
from server.run.archive.store import (
    PARTIAL,
    BackupStore,
    BaseBackup,
    base_id,
    segment_number,
    tar_file,
    wal_file,
)
from server.run.database import ClientUrl, client_program, database
from server.run.roles import run_until_terminated

log = structlog.get_logger()

SLOT = "minimal_archive"
ROUND_SECONDS = 5.0
"""How often the segment that is being written is copied: what a shop may lose with all of its machines."""
DUE_SECONDS = 60.0
"""How often it looks whether a base backup is due."""
READ_BYTES = 1 << 20
ERRORS = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, BaseError, subprocess.CalledProcessError)

_POSITION = """
SELECT clock_timestamp() AS at, pg_current_wal_insert_lsn()::text AS lsn
"""
_HAS_SLOT = "SELECT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = $1)"
_NEXT_SEGMENT = "SELECT pg_walfile_name(restart_lsn) FROM pg_replication_slots WHERE slot_name = $1"
_RECEIVED = """
SELECT coalesce(bool_or(active AND restart_lsn >= $1::text::pg_lsn), false) FROM pg_replication_slots
WHERE slot_name = $2
"""


@dataclass(frozen=True)
class WalPosition:
    """How far the log was at a moment of the database's clock."""

    at: datetime
    lsn: str


class Archive:
    """Receives the log into a folder, and carries it on from there. `step` is one round."""

    def __init__(self, settings: Settings) -> None:
        self.store = BackupStore.of(settings)
        self.status = self.store.status() or ArchiveStatus(None, None)
        self._settings = settings
        self._url = ClientUrl.of(settings.database_url)
        self._spool = settings.shop_data.absolute() / "wal"
        self._receiver: subprocess.Popen[bytes] | None = None
        self._seen: dict[str, int] = {}
        self._mark: WalPosition | None = None

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Copies until the end of the block."""
        self._spool.mkdir(parents=True, exist_ok=True)
        tasks = [asyncio.create_task(self._follow()), asyncio.create_task(self._take_bases())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            if self._receiver:
                self._receiver.terminate()
                await asyncio.to_thread(self._receiver.wait)

    async def _follow(self) -> None:
        while True:
            try:
                await self.step()
            except ERRORS as error:
                log.error("archive.failed", error=type(error).__name__)
            await asyncio.sleep(ROUND_SECONDS)

    async def step(self) -> None:
        """Copies what was received since, and notes until when nothing is missing any more."""
        await self._receive()
        is_received = self._mark is not None and await self._asked(_RECEIVED, self._mark.lsn, SLOT, value=True)
        await asyncio.to_thread(self._copy)
        if self._mark is not None and is_received:
            self.status = replace(self.status, covered_until=self._mark.at)
            await asyncio.to_thread(self.store.put_status, self.status)
        if self._mark is None or is_received:
            row = await self._asked(_POSITION)
            self._mark = WalPosition(row["at"], row["lsn"])

    async def _receive(self) -> None:
        """Starts what receives the log, unless it runs: it ends with its connection.

        Without the slot, as after a failover, part of the log may be missing: then only a new base backup helps.
        """
        if self._receiver is not None and self._receiver.poll() is None:
            return
        base = [f"--dbname={self._url.address}", f"--slot={SLOT}", "--no-password"]
        program, environment = client_program(self._settings, "pg_receivewal"), self._url.environment
        if not await self._asked(_HAS_SLOT, SLOT, value=True):
            await asyncio.to_thread(_run, [program, *base, "--create-slot"], environment)
            self.status = replace(self.status, base_at=None)
            log.warning("archive.slot_made")
        elif await self._is_gap():
            self.status = replace(self.status, base_at=None)
            log.warning("archive.gap")
        receiving = [program, *base, f"--directory={self._spool}", "--synchronous", "--no-loop"]
        self._receiver = _started(receiving, environment)

    async def _is_gap(self) -> bool:
        """Whether the slot goes on behind what is in the bucket: segments that were received have been lost since."""
        next_one = await self._asked(_NEXT_SEGMENT, SLOT, value=True)
        kept = await asyncio.to_thread(self.store.wal)
        segments = [name for name in kept if not name.endswith(".history")]
        if next_one is None or not segments or any(self._spool.iterdir()):
            return False
        last = max(segments, key=segment_number)
        follows = segment_number(last) + (0 if last.endswith(PARTIAL) else 1)
        return segment_number(next_one) > follows

    def _copy(self) -> None:
        """Every complete segment goes, then the one that is being written."""
        for file in sorted(self._spool.iterdir(), key=lambda each: each.name.endswith(PARTIAL)):
            if file.name.endswith(PARTIAL):
                self._copy_partial(file)
                continue
            self.store.write(wal_file(file.name), _read(file))
            self.store.delete([wal_file(file.name + PARTIAL)])
            file.unlink()

    def _copy_partial(self, file: Path) -> None:
        with contextlib.suppress(FileNotFoundError):
            written = file.stat().st_mtime_ns
            if self._seen.get(file.name) == written:
                return
            self.store.write(wal_file(file.name), _read(file))
            self._seen = {file.name: written}

    async def _take_bases(self) -> None:
        while True:
            try:
                if await self._is_due():
                    await self.take_base()
            except ERRORS as error:
                log.error("backup.failed", error=type(error).__name__)
            await asyncio.sleep(DUE_SECONDS)

    async def _is_due(self) -> bool:
        now: datetime = (await self._asked(_POSITION))["at"]
        last = self.status.base_at
        return last is None or now - last >= timedelta(hours=self._settings.backup_hours)

    async def take_base(self) -> BaseBackup:
        """Copies the whole cluster, while it works, and forgets what has become too old."""
        before = await self._asked(
            "SELECT clock_timestamp() AS at, pg_walfile_name(pg_current_wal_lsn()) AS segment,"
            " current_user AS role, current_database() AS database"
        )
        own_id = base_id(before["at"])
        await asyncio.to_thread(self._copy_cluster, tar_file(own_id))
        ended = (await self._asked(_POSITION))["at"]
        base = BaseBackup(own_id, before["at"], ended, before["segment"], before["role"], before["database"])
        await asyncio.to_thread(self.store.add_base, base)
        self.status = replace(self.status, base_at=ended)
        await asyncio.to_thread(self.store.put_status, self.status)
        log.info("backup.taken", seconds=round((ended - base.started_at).total_seconds(), 1))
        await asyncio.to_thread(self._forget, ended)
        return base

    def _copy_cluster(self, name: str) -> None:
        command = [client_program(self._settings, "pg_basebackup"), f"--dbname={self._url.address}", "--pgdata=-"]
        command += ["--format=tar", "--wal-method=none", "--checkpoint=fast", "--no-password"]
        with subprocess.Popen(
            command, env=self._url.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None  # noqa: S101
            try:
                self.store.write(name, _all_of(process, command))
            finally:
                process.kill()

    def _forget(self, now: datetime) -> None:
        """Any moment of the last BACKUP_DAYS stays within reach: one base backup from before them is kept as well."""
        first = now - timedelta(days=self._settings.backup_days)
        older = [base for base in self.store.bases() if base.ended_at <= first]
        if older:
            self.store.keep_from(older[-1])

    async def _asked(self, question: str, *values: str, value: bool = False) -> Any:
        connection = await asyncpg.connect(self._url.whole, timeout=5)
        try:
            ask = connection.fetchval if value else connection.fetchrow
            return await ask(question, *values, timeout=10)
        finally:
            await connection.close()


def archive(settings: Settings) -> None:
    """Copies until SIGTERM or SIGINT. Raises CommandRefused without a bucket or a key."""
    logs.configure()
    with database(settings) as url:
        here = settings.model_copy(update={"database_url": url})
        run_until_terminated(lambda: Archive(here))


def _started(command: list[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)


def _run(command: list[str], environment: Mapping[str, str]) -> None:
    subprocess.run(command, env=environment, check=True, stderr=subprocess.DEVNULL)


def _read(file: Path) -> Iterator[bytes]:
    with file.open("rb") as opened:
        while part := opened.read(READ_BYTES):
            yield part


def _all_of(process: "subprocess.Popen[bytes]", command: list[str]) -> Iterator[bytes]:
    """What a program writes. Raises CalledProcessError when it fails, so that what it wrote by then is not kept."""
    assert process.stdout is not None  # noqa: S101
    while part := process.stdout.read(READ_BYTES):
        yield part
    if process.wait():
        raise subprocess.CalledProcessError(process.returncode, command[0])

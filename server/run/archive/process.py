"""`python -m server archive`: copies the log of the database to the bucket as it is written, and a whole backup a day.

It needs no access to the database's host: pg_receivewal and pg_basebackup speak the replication protocol. One process
for a database is enough; while none runs, the database keeps its log, which fills its disk in the end. Every day it
reads what is in the bucket, as `python -m server verify` does.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import asyncpg
import structlog

from server.config import Settings
from server.operations.archive_status import ArchiveStatus
from server.platform.core import logs
from server.run.archive.base_backup import ERRORS, check_pending, copy_cluster
from server.run.archive.receiver import Receiver
from server.run.archive.spool import Copied, OtherLog, Spool
from server.run.archive.store import BackupStore, BaseBackup, base_id, description_file, tar_file
from server.run.archive.verify import Report, read_bucket
from server.run.archive.wal import format_lsn
from server.run.database import ClientUrl, client_program, database
from server.run.roles import run_until_terminated

log = structlog.get_logger()

ROUND_SECONDS = 5.0
"""How often the segment that is being written is copied: what a shop may lose with all of its machines."""
DUE_SECONDS = 60.0
"""How often it looks whether a base backup or a verification is due."""
VERIFY_EVERY = timedelta(days=1)

_POSITION = """
SELECT clock_timestamp() AS at, pg_current_wal_insert_lsn()::text AS lsn,
  pg_walfile_name(pg_current_wal_lsn()) AS segment, current_user AS role, current_database() AS database
"""
_MARK = "SELECT pg_logical_emit_message(true, 'minimal.archive', '')"
"""A commit in each round: so the log shows up to which time it reaches, even while nothing else is written."""


class Archive:
    """Receives the log into a folder, and copies it from there to the bucket. `step` is one round."""

    def __init__(self, settings: Settings) -> None:
        self.store = BackupStore.of(settings)
        self.status = self.store.status() or ArchiveStatus(None, None)
        self._settings = settings
        self._url = ClientUrl.of(settings.database_url)
        self._receiver = Receiver(settings)
        self._waldump = client_program(settings, "pg_waldump")
        self._spool = Spool(self._receiver.spool, self.store, self._waldump)
        self._bases = self.store.bases()
        self._pending: BaseBackup | None = None
        """A base backup that is in the bucket, and does not count yet."""

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Copies until the end of the block."""
        self._receiver.spool.mkdir(parents=True, exist_ok=True)
        rounds = ((self.step, ROUND_SECONDS), (self._take_due_base, DUE_SECONDS), (self._verify_when_due, DUE_SECONDS))
        tasks = [asyncio.create_task(_repeat(work, seconds)) for work, seconds in rounds]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            self._receiver.stop()

    async def step(self) -> None:
        """Copies what was received since, and notes until when everything can be restored."""
        copied = await asyncio.to_thread(self._spool.copy)
        await self._receiver.ensure()
        await self._query(_MARK)
        if copied is None:
            return
        await self._count_pending(copied)
        self._note(copied)
        await asyncio.to_thread(self.store.put_status, self.status)

    def _note(self, copied: Copied) -> None:
        """Only what follows a base backup without a hole can be restored; after a hole another one is due."""
        if not self._leads_to(copied):
            if self.status.base_at is not None:
                log.warning("archive.gap", segment=copied.last.segment)
            self.status = replace(self.status, base_at=None)
        elif end := copied.times.last:
            lsn = format_lsn(end.lsn)
            self.status = replace(self.status, covered_until=end.at, timeline=copied.last.timeline, lsn=lsn)

    def _leads_to(self, copied: Copied) -> bool:
        if not self._bases or self._bases[-1].start <= self._spool.damaged:
            return False
        base = self._bases[-1]
        chain = self._spool.there.chain(base.timeline, base.start, base.stop)
        if chain is None or chain.hole:
            return False
        return bool(chain.files) and chain.files[-1].segment == copied.last.segment

    async def _count_pending(self, copied: Copied) -> None:
        """A base backup counts once the log that it needs is in the bucket and can be read there."""
        base, end = self._pending, copied.times.last
        if base is None or end is None or end.lsn < base.stop:
            return
        problem = await asyncio.to_thread(
            check_pending, self.store, base, self._spool.there, self._waldump, self._settings.shop_data
        )
        self._pending = None
        if problem:
            log.error("backup.refused", problem=problem)
            await asyncio.to_thread(self.store.delete, [tar_file(base.id)])
            return
        await asyncio.to_thread(self.store.add_base, base)
        self._bases = await asyncio.to_thread(self.store.bases)
        self.status = replace(self.status, base_at=base.ended_at)
        log.info("backup.taken", seconds=round((base.ended_at - base.started_at).total_seconds(), 1))

    async def _take_due_base(self) -> None:
        if self._pending is None and _is_due(
            (await self._query(_POSITION))["at"], self.status.base_at, timedelta(hours=self._settings.backup_hours)
        ):
            await self.take_base()

    async def take_base(self) -> None:
        """Copies the whole cluster, while it works. It counts when a later round has brought the log that it needs."""
        before = await self._query(_POSITION)
        own_id = base_id(before["at"])
        size = await asyncio.to_thread(copy_cluster, self.store, self._settings, tar_file(own_id))
        after = await self._query(_POSITION)
        if after["segment"][:8] != before["segment"][:8]:
            log.error("backup.refused", problem="another timeline began meanwhile")
            return
        self._pending = BaseBackup(
            own_id, before["at"], after["at"], before["segment"], before["role"], before["database"], after["lsn"], size
        )

    async def _verify_when_due(self) -> None:
        now: datetime = (await self._query(_POSITION))["at"]
        last = await asyncio.to_thread(self.store.verification)
        if self._bases and _is_due(now, last.at if last else None, VERIFY_EVERY):
            await self.verify(now)

    async def verify(self, now: datetime) -> Report:
        """Reads what is new and a share of the rest, and deletes what has become too old."""
        share = 1 / self._settings.backup_days
        report = await asyncio.to_thread(
            read_bucket, self.store, self._waldump, self._settings.shop_data, share, now - 2 * VERIFY_EVERY
        )
        log.info("backup.verified", problem=report.problem)
        await asyncio.to_thread(self.store.put_verification, report.status(now))
        if self._bases and report.is_unsound(self._bases[-1]):
            self.status = replace(self.status, base_at=None)
        await asyncio.to_thread(self._forget, report, now)
        self._bases = await asyncio.to_thread(self.store.bases)
        return report

    def _forget(self, report: Report, now: datetime) -> None:
        """Any moment of the last BACKUP_DAYS stays within reach: one sound base backup from before them is kept.

        A base backup is old only by both clocks, the database's and the bucket's: either may be wrong.
        """
        age = timedelta(days=self._settings.backup_days)
        stored = {each.name: each.stored_at for each in self.store.listed()}
        newest = max(stored.values())
        old = [
            base
            for base in self.store.bases()
            if base.ended_at <= now - age
            and stored[description_file(base.id)] <= newest - age
            and report.can_replace_older(base)
        ]
        if old:
            self.store.keep_from(old[-1])

    async def _query(self, question: str) -> Any:
        connection = await asyncpg.connect(self._url.whole, timeout=5, server_settings={"synchronous_commit": "local"})
        try:
            return await connection.fetchrow(question, timeout=10)
        finally:
            await connection.close()


async def _repeat(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    while True:
        try:
            await work()
        except (*ERRORS, OtherLog) as error:
            log.error("archive.failed", work=work.__name__, error=type(error).__name__)
        await asyncio.sleep(seconds)


def _is_due(now: datetime, last: datetime | None, every: timedelta) -> bool:
    """A moment in the future is one of a clock that has been set back."""
    return last is None or not timedelta(0) <= now - last < every


def archive(settings: Settings) -> None:
    """Copies until SIGTERM or SIGINT. Raises CommandRefused without a bucket or a key."""
    logs.configure()
    with database(settings) as url:
        here = settings.model_copy(update={"database_url": url})
        run_until_terminated(lambda: Archive(here))

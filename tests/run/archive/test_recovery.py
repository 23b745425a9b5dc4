"""A shop restored to a moment from its bucket: nothing from after it, nothing missing from before it."""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr

from server.background import BackgroundWork
from server.config import Settings
from server.operations import measures
from server.operations.archive_status import STATUS, VERIFICATION, ArchiveStatus, Backups, VerificationStatus
from server.platform.core.metrics import REGISTRY
from server.platform.processes.console import CommandRefused
from server.platform.processes.postgres import Postgres
from server.run.archive import process
from server.run.archive.process import Archive
from server.run.archive.receiver import SLOT
from server.run.archive.recover import Target, recover
from server.run.archive.sealed import MAGIC, BrokenBackup
from server.run.archive.store import BackupStore, BaseBackup, base_id, description_file, tar_file, wal_file
from server.run.archive.verify import BaseReport, Report
from server.run.migrations import upgrade
from tests.bucket import keys
from tests.e2e.whole_shop import ROOT
from tests.folders import temporary_folder

WRITERS = 6
KEY = "correct horse battery staple, and so on"


@dataclass(frozen=True)
class Commit:
    """A row as its writer saw it: the database's clock before and after the commit."""

    number: int
    before: datetime
    after: datetime


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with temporary_folder() as path:
        yield path


@pytest.fixture(scope="module")
def postgres(folder: Path) -> Iterator[Postgres]:
    """A PostgreSQL of its own, with the tables of a shop."""
    with Postgres(folder / "postgres", durable=False) as postgres:
        upgrade(postgres.url)
        yield postgres


@pytest.fixture
def settings(postgres: Postgres, bucket: Any, tmp_path: Path) -> Settings:
    return Settings(
        _env_file=None,  # type: ignore[call-arg]
        database_url=postgres.url,
        shop_data=tmp_path,
        backup_url="s3://backups/of/minimal",
        backup_key=SecretStr(KEY),
    )


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "ROUND_SECONDS", 0.1)
    monkeypatch.setattr(process, "DUE_SECONDS", 0.5)


@asynccontextmanager
async def archiving(settings: Settings) -> AsyncIterator[Archive]:
    archive = Archive(settings)
    async with archive.running():
        yield archive


@asynccontextmanager
async def writing(url: str) -> AsyncIterator[list[Commit]]:
    """Shoppers at work: each row is a transaction, and with each comes a kilobyte of noise."""
    connection = await asyncpg.connect(url)
    await connection.execute("DROP TABLE IF EXISTS noted; CREATE TABLE noted (number int PRIMARY KEY, noise text)")
    done: list[Commit] = []

    async def write(first: int) -> None:
        own = await asyncpg.connect(url)
        number = first
        while True:
            before = await own.fetchval("SELECT clock_timestamp()")
            await own.execute("INSERT INTO noted VALUES ($1, repeat(md5($1::int::text), 32))", number)
            done.append(Commit(number, before, await own.fetchval("SELECT clock_timestamp()")))
            number += WRITERS

    writers = [asyncio.create_task(write(first)) for first in range(WRITERS)]
    try:
        yield done
    finally:
        for writer in writers:
            writer.cancel()
        await asyncio.gather(*writers, return_exceptions=True)
        await connection.close()


async def until_covered(archive: Archive, moment: datetime) -> None:
    async with asyncio.timeout(120):
        while archive.status.base_at is None or (archive.status.covered_until or moment) <= moment:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def clock(url: str) -> datetime:
    connection = await asyncpg.connect(url)
    now: datetime = await connection.fetchval("SELECT clock_timestamp()")
    await connection.close()
    return now


@contextmanager
def opened_again(folder: Path) -> Iterator[str]:
    with Postgres(folder, durable=False) as restored:
        yield restored.url


async def numbers(url: str) -> set[int]:
    connection = await asyncpg.connect(url)
    rows = await connection.fetch("SELECT number FROM noted")
    await connection.close()
    return {row["number"] for row in rows}


async def test_a_moment_under_load_is_restored_exactly_by_one_command(
    settings: Settings, postgres: Postgres, bucket: Any, folder: Path
) -> None:
    async with archiving(settings) as archive, writing(postgres.url) as commits:
        async with asyncio.timeout(120):
            while archive.status.base_at is None:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)
        moment = await clock(postgres.url)
        await asyncio.sleep(0.5)
        await until_covered(archive, await clock(postgres.url))
    there = folder / "restored"
    said = await asyncio.to_thread(run, settings, "--to", moment.isoformat(), str(there))

    with opened_again(there) as url:
        numbers_after = await numbers(url)
    before = {commit.number for commit in commits if commit.after <= moment}
    after = {commit.number for commit in commits if commit.before > moment}
    assert len(before) > 50
    assert len(after) > 50
    assert before - numbers_after == set()
    assert after & numbers_after == set()
    assert "0 orders. Its books agree." in said
    assert {
        bucket.Object(key).get()["Body"].read(8) for key in keys(bucket) if not key.endswith((STATUS, VERIFICATION))
    } == {MAGIC}


def run(settings: Settings, *arguments: str, code: int = 0) -> str:
    """What `python -m server recover` says."""
    key = settings.backup_key.get_secret_value()
    own = {"BACKUP_URL": settings.backup_url, "BACKUP_KEY": key, "SHOP_DATA": str(settings.shop_data)}
    command = [sys.executable, "-m", "server", "recover", *arguments]
    done = subprocess.run(command, env=os.environ | own, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


async def test_recovery_restores_all_commits_up_to_a_moment_and_refuses_later_ones(
    settings: Settings, postgres: Postgres, folder: Path
) -> None:
    async with archiving(settings) as archive:
        await until_covered(archive, await clock(postgres.url))
        async with writing(postgres.url) as commits:
            await asyncio.sleep(0.3)
        quiet = await clock(postgres.url)
        await until_covered(archive, quiet)

    await asyncio.to_thread(run, settings, "--to", quiet.isoformat(), str(folder / "quiet"))
    beyond = (quiet + timedelta(hours=1)).isoformat()
    refused = await asyncio.to_thread(run, settings, "--to", beyond, str(folder / "beyond"), code=1)

    with opened_again(folder / "quiet") as url:
        assert {commit.number for commit in commits} <= await numbers(url)
    assert "The backups prove no state after" in refused


def test_what_cannot_be_restored_is_refused_with_a_sentence(bucket: Any, settings: Settings, folder: Path) -> None:
    store, now = BackupStore.of(settings), datetime.now(UTC)
    store.write(tar_file("1"), [b"files"])
    store.add_base(BaseBackup("1", now, now, "000000010000000000000001", "minimal", "minimal"))
    (folder / "taken/data").mkdir(parents=True)
    other = settings.model_copy(update={"backup_key": SecretStr("o" * 32)})

    with pytest.raises(CommandRefused, match="no backup that was complete by then"):
        recover(settings, folder / "early", Target(now - timedelta(seconds=1)))
    with pytest.raises(CommandRefused, match="is restored into a new folder"):
        recover(settings, folder / "taken", Target())
    with pytest.raises(BrokenBackup, match="another BACKUP_KEY"):
        recover(other, folder / "other", Target())


async def test_a_lost_slot_has_the_whole_database_copied_again(settings: Settings, postgres: Postgres) -> None:
    """As after a failover to a server that did not have it: part of the log may be missing."""
    async with archiving(settings) as archive:
        await until_covered(archive, await clock(postgres.url))
    connection = await asyncpg.connect(postgres.url)
    async with asyncio.timeout(60):
        while await connection.fetchval("SELECT active FROM pg_replication_slots"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await connection.execute("SELECT pg_drop_replication_slot($1)", SLOT)
    for _ in range(3):
        await connection.execute("DROP TABLE IF EXISTS lost; CREATE TABLE lost (); SELECT pg_switch_wal()")
        await connection.execute("CHECKPOINT")
    await connection.close()

    async with archiving(settings) as archive, asyncio.timeout(120):
        while len(archive.store.bases()) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_a_lost_spool_has_the_whole_database_copied_again(settings: Settings, postgres: Postgres) -> None:
    """What was received and not copied when its host went away is in no bucket: the slot has moved on."""
    async with archiving(settings) as archive:
        await until_covered(archive, await clock(postgres.url))
    connection = await asyncpg.connect(postgres.url)
    async with asyncio.timeout(60):
        while await connection.fetchval("SELECT active FROM pg_replication_slots"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    for _ in range(3):
        await connection.execute("DROP TABLE IF EXISTS lost; CREATE TABLE lost (); SELECT pg_switch_wal()")
    await connection.execute("SELECT pg_replication_slot_advance($1, pg_current_wal_flush_lsn())", SLOT)
    await connection.close()
    shutil.rmtree(settings.shop_data / "wal")

    async with archiving(settings) as archive, asyncio.timeout(120):
        while len(archive.store.bases()) < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def was_stored(base: str, moment: datetime) -> None:
    """Moves the bucket's clock."""
    from moto.backends import get_backend

    bucket = get_backend("s3")["123456789012"]["aws"].buckets["backups"]
    for name in (tar_file(base), description_file(base)):
        bucket.keys[f"of/minimal/{name}"].last_modified = moment.replace(tzinfo=None)


def test_every_moment_of_the_last_days_stays_within_reach_and_older_files_go(bucket: Any, settings: Settings) -> None:
    archive, now = Archive(settings), datetime.now(UTC)
    reports = []
    for age in (40, 20, 15, 10, 1):
        moment, segment = now - timedelta(days=age), f"0000000100000000{100 - age:08X}"
        own = base_id(moment)
        archive.store.write(tar_file(own), [b"files"])
        archive.store.write(wal_file(segment), [b"log"])
        archive.store.add_base(BaseBackup(own, moment, moment, segment, "shop", "shop"))
        reports.append(BaseReport(archive.store.bases()[-1], now))
        was_stored(own, moment)
    archive.store.write(wal_file("00000002.history"), [b"1"])

    archive._forget(Report(reports, [], "", 0, 0), now)

    left = [base.start_wal for base in archive.store.bases()]
    assert left == [f"0000000100000000{100 - age:08X}" for age in (15, 10, 1)]
    assert archive.store.wal() == [*left, "00000002.history"]
    assert len(keys(bucket, "of/minimal/base/")) == 6


async def test_workers_tell_the_age_of_the_backups_and_of_those_that_never_came(
    bucket: Any, settings: Settings
) -> None:
    worker = BackgroundWork(settings)
    backups = Backups(settings.backup_url)
    backups.since -= timedelta(hours=1)
    worker.resources.add(backups)
    await measures.measure_backups(worker.env)
    never = ages()

    now = datetime.now(UTC)
    status = ArchiveStatus(now - timedelta(seconds=90), now - timedelta(hours=30))
    await asyncio.to_thread(BackupStore.of(settings).put_status, status)
    verified = VerificationStatus(now - timedelta(hours=20), None, None, "a segment is missing")
    await asyncio.to_thread(BackupStore.of(settings).put_verification, verified)
    await measures.measure_backups(worker.env)
    await worker.engine.dispose()

    assert all(3_600 <= age < 3_700 for age in never)
    assert 90 <= ages()[0] < 150
    assert 108_000 <= ages()[1] < 108_060
    assert 72_000 <= ages()[2] < 72_060
    assert REGISTRY.get_sample_value("minimal_backup_problems") == 1


def ages() -> list[float]:
    names = ("archive_age", "base_backup_age", "backup_verified_age")
    return [REGISTRY.get_sample_value(f"minimal_{name}_seconds") or 0.0 for name in names]


@pytest.mark.parametrize("changed", [{"backup_url": ""}, {"backup_key": SecretStr("short")}])
def test_backups_without_a_bucket_or_a_key_are_refused(settings: Settings, changed: dict[str, Any]) -> None:
    with pytest.raises(CommandRefused, match=r"BACKUP_URL=s3://bucket/prefix and a BACKUP_KEY"):
        BackupStore.of(settings.model_copy(update=changed))

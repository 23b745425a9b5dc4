"""A database with its archive, to which everything happens that may: and what was committed, kept beside it."""

import asyncio
import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr

from server.config import Settings
from server.platform.processes import postgres as postgres_module
from server.platform.processes.console import CommandRefused
from server.platform.processes.drop_privileges import give_all
from server.platform.processes.postgres import Postgres
from server.platform.processes.process import ChildProcess
from server.run.archive.process import Archive
from server.run.archive.receiver import SLOT
from server.run.archive.recover import Target, recover
from server.run.archive.store import BackupStore
from server.run.archive.verify import Report, read_bucket
from tests.bucket import keys

KEY = "correct horse battery staple, and so on"
DURABLE = ("synchronous_commit=on", "max_wal_size=4GB", "wal_keep_size=0")
SECONDS = 120
SOURCE = Path(__file__).with_name("clock.c")
CC = shutil.which("cc")


@dataclass(frozen=True)
class Commit:
    """A row as its writer saw it: the database's clock before and after the commit, and the clock's epoch."""

    number: int
    before: datetime
    after: datetime
    epoch: int


@dataclass
class World:
    """One primary, one archive process, one bucket. `steps` are what may happen, by name."""

    template: Path
    folder: Path
    bucket: Any
    random: random.Random
    clock: Path | None = None
    commits: list[Commit] = field(default_factory=list)
    lost: list[Commit] = field(default_factory=list)
    """Committed by a primary that another has replaced."""
    history: list[str] = field(default_factory=list)
    epoch: int = 0
    hosts: int = 0
    standby: tuple[Path, int] | None = None
    """A data directory from which a primary can be made, and how many commits it has."""

    def __post_init__(self) -> None:
        shutil.copytree(self.template, self.folder / "postgres", symlinks=True, ignore=_no_sockets)
        self.postgres = self._postgres()
        give_all(self.postgres.home, self.postgres.user)
        self.store = BackupStore.of(self.settings)

    @property
    def settings(self) -> Settings:
        return Settings(
            _env_file=None,  # type: ignore[call-arg]
            database_url=self.postgres.url,
            shop_data=self.folder / f"host-{self.hosts}",
            backup_url="s3://backups/of/minimal",
            backup_key=SecretStr(KEY),
        )

    def _postgres(self) -> Postgres:
        return Postgres(self.folder / "postgres", durable=False, options=DURABLE)

    async def open(self) -> None:
        self.postgres.start()
        self._open_archive()
        await self.take_base()

    def _open_archive(self) -> None:
        self.settings.shop_data.mkdir(exist_ok=True)
        self.archive = Archive(self.settings)
        self.archive._receiver.spool.mkdir(exist_ok=True)

    def close(self) -> None:
        self._kill_archive()
        self.postgres.stop()

    def _kill_archive(self) -> None:
        receiver = self.archive._receiver._process
        if receiver is not None and receiver.poll() is None:
            receiver.send_signal(signal.SIGKILL)
            receiver.wait()

    async def sql(self, *statements: str) -> Any:
        connection = await asyncpg.connect(self.postgres.url)
        try:
            for statement in statements:
                value = await connection.fetchval(statement)
        finally:
            await connection.close()
        return value

    async def write(self, switches: float = 0.6) -> None:
        """Several commits, each in a segment of the log of its own or beside others."""
        connection = await asyncpg.connect(self.postgres.url)
        for _ in range(self.random.randint(2, 5)):
            number = len(self.commits) + len(self.lost)
            before = await connection.fetchval("SELECT clock_timestamp()")
            await connection.execute("INSERT INTO noted VALUES ($1)", number)
            after = await connection.fetchval("SELECT clock_timestamp()")
            self.commits.append(Commit(number, before, after, self.epoch))
            if self.random.random() < switches:
                await connection.execute("SELECT pg_switch_wal()")
        await connection.close()

    async def until_copied(self) -> None:
        """Rounds of the archive until all that was committed is covered, or a base backup is due."""
        end = await self.sql("SELECT clock_timestamp()")
        for _ in self._rounds():
            await self.archive.step()
            status = self.archive.status
            if (
                status.covered_until
                and abs(status.covered_until - end) < timedelta(hours=1)
                and status.covered_until > end
            ):
                return
            if status.base_at is None and self.archive._pending is None:
                return
            await asyncio.sleep(0.05)

    def _rounds(self) -> Iterator[None]:
        """For waiting. Raises TimeoutError when it lasts too long."""
        end = monotonic() + SECONDS
        while monotonic() < end:
            yield
        raise TimeoutError

    async def until_due(self) -> None:
        """Rounds of the archive until it has noticed that another base backup is needed."""
        for _ in self._rounds():
            await self.archive.step()
            if self.archive.status.base_at is None:
                return
            await asyncio.sleep(0.05)

    async def copy_once(self) -> None:
        """One round, which may copy all or nothing of what is being received."""
        await self.archive.step()

    async def take_base(self) -> None:
        await self.archive.step()
        await self.archive.take_base()
        for _ in self._rounds():
            await self.archive.step()
            if self.archive._pending is None:
                return
            await asyncio.sleep(0.05)

    async def take_base_and_die(self) -> None:
        """A base backup is in the bucket, and the log that it needs is not yet."""
        await self.archive.take_base()
        await self.kill()

    async def kill(self) -> None:
        self._kill_archive()
        await self._until_slot_is_free()
        self._open_archive()

    async def _until_slot_is_free(self) -> None:
        while await self.sql(f"SELECT bool_or(active) FROM pg_replication_slots WHERE slot_name = '{SLOT}'"):  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    async def lose_spool(self) -> None:
        """What was received and not copied goes away with its host."""
        await self._receive_all()
        self._kill_archive()
        await self._until_slot_is_free()
        shutil.rmtree(self.archive._receiver.spool)
        self._open_archive()

    async def move_to_another_host(self) -> None:
        """The other host comes back for a moment, with what it had."""
        await self._receive_all()
        self._kill_archive()
        await self._until_slot_is_free()
        old = self.archive
        self.hosts += 1
        self._open_archive()
        await self.until_copied()
        if self.random.random() < 0.5:
            await asyncio.to_thread(old._spool.copy)

    async def _receive_all(self) -> None:
        """Waits until the slot has moved to the end of the log."""
        end = await self.sql("SELECT pg_current_wal_flush_lsn()::text")
        for _ in self._rounds():
            await self.archive._receiver.ensure()
            if await self.sql(f"SELECT restart_lsn >= '{end}' FROM pg_replication_slots WHERE slot_name = '{SLOT}'"):
                return
            await asyncio.sleep(0.05)

    async def begin_timeline(self) -> None:
        """A failover in which nothing is lost."""
        self._kill_archive()
        self.postgres.stop()
        await self._promote()

    async def copy_standby(self) -> None:
        self.postgres.stop()
        copy = self.folder / "standby"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(self.postgres.data, copy, symlinks=True)
        self.standby = copy, len(self.commits)
        self.postgres = self._postgres()
        self.postgres.start()

    async def fail_over_with_loss(self) -> None:
        """A standby that was behind becomes the primary: the commits that it lacks are lost."""
        if self.standby is None:
            return
        copy, count = self.standby
        self._kill_archive()
        self.postgres.kill()
        shutil.rmtree(self.postgres.data)
        copy.rename(self.postgres.data)
        give_all(self.postgres.data, self.postgres.user)
        self.lost += self.commits[count:]
        self.commits = self.commits[:count]
        self.standby = None
        await self._promote()

    async def _promote(self) -> None:
        (self.postgres.data / "recovery.signal").touch()
        give_all(self.postgres.data, self.postgres.user)
        own = self._postgres()
        own.options = (*DURABLE, "restore_command=false")
        own.start()
        while await self._is_in_recovery(own):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        self.postgres = own
        self._open_archive()

    async def _is_in_recovery(self, own: Postgres) -> bool:
        connection = await asyncpg.connect(own.url)
        try:
            return bool(await connection.fetchval("SELECT pg_is_in_recovery()"))
        finally:
            await connection.close()

    async def damage(self) -> None:
        """An object is deleted, cut off or changed."""
        names = [key for key in keys(self.bucket) if not key.endswith(".json") or "/base/" in key]
        name = self.random.choice([each for each in names if "/wal/" in each] or names)
        if self.random.random() < 0.2:
            name = self.random.choice(names)
        self.history.append(name)
        data = self.bucket.Object(name).get()["Body"].read()
        match self.random.choice(["delete", "cut", "change"]):
            case "delete":
                self.bucket.Object(name).delete()
            case "cut":
                self.bucket.Object(name).put(Body=data[: self.random.randrange(len(data))])
            case "change":
                at = self.random.randrange(len(data))
                self.bucket.Object(name).put(Body=data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])

    async def forget(self) -> None:
        """As retention does, had everything before one of the sound base backups become too old."""
        report = self.verify()
        sound = [each.base for each in report.bases if report.can_replace_older(each.base)]
        if sound:
            self.store.keep_from(self.random.choice(sound))
            self.archive._bases = self.store.bases()

    async def set_clock(self) -> None:
        if self.clock is not None:
            self.epoch += 1
            seconds = self.random.choice([-3600, -90, 90, 3600]) if self.clock.read_bytes() == bytes(8) else 0
            self.move_clock(seconds)

    def move_clock(self, seconds: int) -> None:
        """So far ahead of the machine's. The file is mapped, so that to cut it off would end who looks at its clock."""
        assert self.clock
        with self.clock.open("r+b") as file:
            file.write(seconds.to_bytes(8, "little", signed=True))

    def verify(self, share: float = 1.0) -> Report:
        return read_bucket(self.store, self.postgres.program("pg_waldump"), self.settings.shop_data, share)

    async def restored(self, target: Target) -> set[int] | str:
        """The rows of a shop that was restored, or why it was refused."""
        place = self.folder / "restored"
        shutil.rmtree(place, ignore_errors=True)
        try:
            await asyncio.to_thread(recover, self.settings, place, target)
        except CommandRefused as refusal:
            return str(refusal)
        with Postgres(place, durable=False) as own:
            connection = await asyncpg.connect(own.url)
            rows = await connection.fetch("SELECT number FROM noted")
            await connection.close()
        return {row["number"] for row in rows}


def _no_sockets(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name.startswith(".s.PGSQL") or name in ("lock", "postmaster.pid")]


@contextmanager
def movable_clock(folder: Path) -> Iterator[Path | None]:
    """A file whose number of seconds PostgreSQL's clock is ahead; None without a compiler."""
    if CC is None:
        yield None
        return
    library, ahead = folder / "clock.so", folder / "ahead"
    subprocess.run([CC, "-shared", "-fPIC", "-O1", "-o", str(library), str(SOURCE), "-ldl"], check=True)
    ahead.write_bytes(bytes(8))
    for file in (folder, library, ahead):
        file.chmod(0o755)
    own = {"LD_PRELOAD": str(library), "CLOCK_AHEAD": str(ahead)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            postgres_module, "ChildProcess", lambda **values: ChildProcess(**values | {"env": values["env"] | own})
        )
        yield ahead

"""What is where in the bucket of the backups, and how it is written: compressed, then encrypted."""

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Self

import orjson
from obstore.store import ObjectStore

from server.config import Settings
from server.media.gateway import bucket
from server.operations.archive_status import STATUS, VERIFICATION, ArchiveStatus, VerificationStatus
from server.platform.processes.console import CommandRefused
from server.run.archive.sealed import BrokenBackup, seal, unseal
from server.run.archive.wal import HISTORY, Lineage, LogFile, LogInventory, parse_lsn, segment_number

LEAST_KEY = 32
"""Characters."""
_BASES, _WAL = "base/", "wal/"
_DESCRIPTION = "/backup.json"


@dataclass(frozen=True)
class StoredObject:
    """An object of the bucket, as its listing has it."""

    name: str
    bytes: int
    stored_at: datetime
    """By the bucket's clock."""


@dataclass(frozen=True)
class BaseBackup:
    """A copy of the whole cluster. With the log from `start_wal` on it leads to any moment after `ended_at`."""

    id: str
    started_at: datetime
    ended_at: datetime
    start_wal: str
    """Name of the first segment of the log that is needed."""
    role: str
    database: str
    stop_lsn: str = "0/0"
    """The log is needed up to here; unknown for a backup of an earlier version."""
    bytes: int = 0
    """Size of its object in the bucket; 0 when unknown."""

    @property
    def timeline(self) -> int:
        """That of the database when it was taken."""
        return int(self.start_wal[:8], 16)

    @property
    def start(self) -> int:
        """Number of the first segment of the log that is needed."""
        return segment_number(self.start_wal)

    @property
    def stop(self) -> int:
        """The position up to which the log is needed."""
        return parse_lsn(self.stop_lsn)

    @property
    def order(self) -> tuple[int, int]:
        """Sorts base backups by their place in the log, which no clock changes."""
        return self.timeline, self.start


class BackupStore:
    """The files of the backups, by name."""

    def __init__(self, store: ObjectStore, key: bytes) -> None:
        self._store = store
        self._key = key

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """By BACKUP_URL and BACKUP_KEY. Raises CommandRefused without them."""
        key = settings.backup_key.get_secret_value()
        if not settings.backup_url or len(key) < LEAST_KEY:
            raise CommandRefused(
                f"Backups need BACKUP_URL=s3://bucket/prefix and a BACKUP_KEY of {LEAST_KEY} characters or more."
            )
        return cls(bucket(settings.backup_url), key.encode())

    def write(self, name: str, parts: Iterable[bytes]) -> None:
        """Writes a file, whole or not at all."""
        self._store.put(name, seal(_packed(parts), self._key, name), use_multipart=True)

    def read(self, name: str) -> Iterator[bytes]:
        """A file's content. Raises BrokenBackup, and FileNotFoundError."""
        stream = self._store.get(name).stream()
        return _unpacked(unseal((bytes(part) for part in stream), self._key, name))

    def size(self, name: str) -> int:
        """Bytes of an object."""
        return self._store.head(name)["size"]

    def read_segment(self, file: LogFile) -> Iterator[bytes]:
        """A segment's content; of a partial one as much as there is by now. Raises as `read` does."""
        with suppress(FileNotFoundError):
            return self.read(wal_file(file.name))
        there = LogInventory.of((name for name in self.wal() if name.startswith(file.segment)), {})
        newer = there.files.get((file.timeline, file.number))
        return self.read(wal_file(newer.name if newer else file.name))

    def delete(self, names: Iterable[str]) -> None:
        """Deletes those that there are."""
        for name in names:
            with suppress(FileNotFoundError):
                self._store.delete(name)

    def put_status(self, status: ArchiveStatus) -> None:
        """Reports the state of the backups."""
        self._store.put(STATUS, orjson.dumps(asdict(status)))

    def status(self) -> ArchiveStatus | None:
        """How far the backups are; None before the first."""
        try:
            return ArchiveStatus.read(bytes(self._store.get(STATUS).bytes()))
        except FileNotFoundError:
            return None

    def put_verification(self, result: VerificationStatus) -> None:
        """Reports what the bucket proves."""
        self._store.put(VERIFICATION, orjson.dumps(asdict(result)))

    def verification(self) -> VerificationStatus | None:
        """The last result; None before the first."""
        try:
            return VerificationStatus.read(bytes(self._store.get(VERIFICATION).bytes()))
        except FileNotFoundError:
            return None

    def bases(self) -> list[BaseBackup]:
        """The complete base backups, in the order of the log. Raises BrokenBackup when not one of them can be read."""
        bases, unreadable = self.read_bases()
        if unreadable and not bases:
            raise unreadable[0]
        return bases

    def read_bases(self) -> tuple[list[BaseBackup], list[BrokenBackup]]:
        """The complete base backups, in the order of the log, and why others cannot be read."""
        bases: list[BaseBackup] = []
        unreadable: list[BrokenBackup] = []
        for name in [each.name for each in self.listed(_BASES) if each.name.endswith(_DESCRIPTION)]:
            try:
                bases.append(_base(b"".join(self.read(name))))
            except BrokenBackup as error:
                unreadable.append(error)
        return sorted(bases, key=lambda base: (*base.order, base.id)), unreadable

    def add_base(self, base: BaseBackup) -> None:
        """Makes a base backup count, when all of its files and the log that it needs are there."""
        self.write(description_file(base.id), [orjson.dumps(asdict(base))])

    def wal(self) -> list[str]:
        """Names of the segments and timeline histories that there are, in order."""
        return sorted(each.name.removeprefix(_WAL) for each in self.listed(_WAL))

    def inventory(self) -> LogInventory:
        """The log that there is, by names. A history that cannot be read counts as missing."""
        names = self.wal()
        lineages = (self._lineage(name) for name in names if name.endswith(HISTORY))
        return LogInventory.of(names, {each.timeline: each for each in lineages if each})

    def _lineage(self, name: str) -> Lineage | None:
        with suppress(BrokenBackup, FileNotFoundError, ValueError, IndexError):
            return Lineage.parse(int(name[:8], 16), b"".join(self.read(wal_file(name))).decode())
        return None

    def keep_from(self, base: BaseBackup) -> None:
        """Deletes what neither this base backup nor a later one needs: later ones are those behind it in the log."""
        bases = {each.id: each for each in self.bases()}
        needed = [each for each in bases.values() if each.order >= base.order]
        listed = self.listed(_BASES)
        since = next(each.stored_at for each in listed if each.name == description_file(base.id))

        def is_old(each: StoredObject) -> bool:
            # What has no description yet may be a backup under way.
            other = bases.get(each.name.removeprefix(_BASES).partition("/")[0])
            return each.stored_at < since if other is None else other not in needed

        # Whatever their timeline: a base backup of a later timeline may begin earlier.
        first = min(each.start for each in needed)
        files = (LogFile.named(name) for name in self.wal())
        # The description first: without it the rest is no backup.
        old = [each.name for each in listed if is_old(each)]
        self.delete(sorted(old, key=lambda name: not name.endswith(_DESCRIPTION)))
        self.delete(wal_file(file.name) for file in files if file and file.number < first)

    def listed(self, prefix: str = "") -> list[StoredObject]:
        """The objects that there are, by the beginning of their names."""
        return [
            StoredObject(each["path"], each["size"], each["last_modified"])
            for each in self._store.list(prefix or None).collect()
        ]


def wal_file(segment: str) -> str:
    """The name of a segment of the log."""
    return f"{_WAL}{segment}"


def description_file(base_id: str) -> str:
    """The name of the file that makes a base backup count."""
    return f"{_BASES}{base_id}{_DESCRIPTION}"


def tar_file(base_id: str) -> str:
    """The name of a base backup's files."""
    return f"{_BASES}{base_id}/base.tar"


def base_id(moment: datetime) -> str:
    """The id of a base backup that begins now; ids sort by time."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%f")


def _base(data: bytes) -> BaseBackup:
    values = orjson.loads(data)
    times = {key: datetime.fromisoformat(values[key]) for key in ("started_at", "ended_at")}
    return BaseBackup(**{**values, **times})


def _packed(parts: Iterable[bytes]) -> Iterator[bytes]:
    compressor = zlib.compressobj(1)
    for part in parts:
        yield compressor.compress(part)
    yield compressor.flush()


def _unpacked(parts: Iterable[bytes]) -> Iterator[bytes]:
    decompressor = zlib.decompressobj()
    for part in parts:
        yield decompressor.decompress(part)
    yield decompressor.flush()

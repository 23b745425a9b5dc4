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
from server.operations.archive_status import STATUS, ArchiveStatus
from server.run.archive.sealed import seal, unseal
from server.run.console import CommandRefused

LEAST_KEY = 32
"""Characters."""
PARTIAL = ".partial"
_BASES, _WAL = "base/", "wal/"


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
        found = self._store.get(name).stream()
        return _unpacked(unseal((bytes(part) for part in found), self._key, name))

    def delete(self, names: Iterable[str]) -> None:
        """Deletes those that there are."""
        for name in names:
            with suppress(FileNotFoundError):
                self._store.delete(name)

    def put_status(self, status: ArchiveStatus) -> None:
        """Tells how far the backups are."""
        self._store.put(STATUS, orjson.dumps(asdict(status)))

    def status(self) -> ArchiveStatus | None:
        """How far the backups are; None before the first."""
        try:
            return ArchiveStatus.read(bytes(self._store.get(STATUS).bytes()))
        except FileNotFoundError:
            return None

    def bases(self) -> list[BaseBackup]:
        """The complete base backups, the oldest first."""
        names = [name for name in self._names(_BASES) if name.endswith("/backup.json")]
        return [_base(b"".join(self.read(name))) for name in sorted(names)]

    def add_base(self, base: BaseBackup) -> None:
        """Makes a base backup count, when all of its files are there."""
        self.write(f"{_BASES}{base.id}/backup.json", [orjson.dumps(asdict(base))])

    def wal(self) -> list[str]:
        """Names of the segments and timeline histories that there are, in order."""
        return sorted(name.removeprefix(_WAL) for name in self._names(_WAL))

    def keep_from(self, base: BaseBackup) -> None:
        """Deletes what no base backup from this one on needs."""
        old = [name for name in self._names(_BASES) if name.removeprefix(_BASES).partition("/")[0] < base.id]
        # Segments are compared without their timeline, which are the first eight digits.
        segments = [name for name in self.wal() if not name.endswith(".history") and name[8:] < base.start_wal[8:]]
        # The description first: without it the rest is no backup.
        self.delete(sorted(old, key=lambda name: not name.endswith("/backup.json")))
        self.delete(wal_file(name) for name in segments)

    def _names(self, prefix: str) -> list[str]:
        return [each["path"] for each in self._store.list(prefix).collect()]


def wal_file(segment: str) -> str:
    """The name of a segment of the log."""
    return f"{_WAL}{segment}"


def segment_number(name: str) -> int:
    """Segments of 16 MB, counted over all timelines: eight digits of timeline, file of 4 GB, and segment in it."""
    return int(name[8:16], 16) * 256 + int(name[16:24], 16)


def tar_file(base_id: str) -> str:
    """The name of a base backup's files."""
    return f"{_BASES}{base_id}/base.tar"


def base_id(moment: datetime) -> str:
    """The id of a base backup that begins now; ids sort by time."""
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%S.%f")


def _base(data: bytes) -> BaseBackup:
    found = orjson.loads(data)
    times = {key: datetime.fromisoformat(found[key]) for key in ("started_at", "ended_at")}
    return BaseBackup(**{**found, **times})


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

"""Copies the log from the folder into which it is received to the bucket, and reads it on the way."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from server.run.archive.sealed import BrokenBackup
from server.run.archive.store import BackupStore, wal_file
from server.run.archive.wal import HISTORY, PARTIAL, SEGMENT_BYTES, LogFile
from server.run.archive.waldump import CommitTimes, Stretch, read_log


class OtherLog(Exception):
    """The bucket has another segment of the same name: a second database writes to it."""


@dataclass(frozen=True)
class Copied:
    """What one round brought into the bucket."""

    times: CommitTimes
    last: LogFile


class Spool:
    """The folder, and what of the log is in the bucket."""

    def __init__(self, folder: Path, store: BackupStore, waldump: str) -> None:
        self.there = store.inventory()
        self.damaged = -1
        """Number of the last segment that cannot be read to its end."""
        self._folder = folder
        self._store = store
        self._waldump = waldump
        self._seen: dict[str, int] = {}

    def copy(self) -> Copied | None:
        """Copies every complete segment, and then the one that is being written. None without anything new.

        Raises OtherLog. Histories go last, so that the segments to which they lead are there first.
        """
        copied = None
        with TemporaryDirectory(dir=self._folder.parent) as folder:
            # A segment that is complete by now was renamed; what a link leads to stays.
            files = sorted(self._linked(Path(folder)))
            for run in _runs([file for file in files if LogFile.named(file.name)]):
                copied = self._copy_run(run)
            for file in files:
                if file.name.endswith(HISTORY):
                    self._copy_history(file)
        return copied

    def _linked(self, folder: Path) -> Iterator[Path]:
        self._seen = {name: written for name, written in self._seen.items() if (self._folder / name).exists()}
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):
                state = file.stat()
                is_padded = state.st_size == SEGMENT_BYTES or not file.name.endswith(PARTIAL)
                if is_padded and self._seen.get(file.name) != state.st_mtime_ns:
                    os.link(file, folder / file.name)
                    yield folder / file.name

    def _copy_run(self, files: Sequence[Path]) -> Copied:
        """Segments of one timeline that follow each other."""
        times = CommitTimes()
        seen = {file.name: file.stat().st_mtime_ns for file in files if file.name.endswith(PARTIAL)}
        stretch = self._read({_log_file(file).number: file for file in files}, times)
        for file in files:
            last = self._copy_partial(file, stretch) if file.name in seen else self._copy_complete(file)
            self.there.add(last)
        self._seen |= seen
        return Copied(times, last)

    def _read(self, paths: dict[int, Path], times: CommitTimes) -> Stretch:
        stretch = read_log(self._waldump, paths, min(paths) * SEGMENT_BYTES, times)
        last = max(paths)
        end = last if paths[last].name.endswith(PARTIAL) else last + 1
        if stretch.reason and stretch.stopped_at < end * SEGMENT_BYTES:
            self.damaged = stretch.stopped_at // SEGMENT_BYTES
        return stretch

    def _copy_complete(self, file: Path) -> LogFile:
        """Never replaces a segment that can be read."""
        copy = _log_file(file)
        self._write_once(wal_file(file.name), file.read_bytes())
        self._delete_shorter(copy)
        (self._folder / file.name).unlink()
        return copy

    def _copy_partial(self, file: Path, stretch: Stretch) -> LogFile:
        """Under a name that contains its length, so that a copy with less never replaces one with more."""
        written = _log_file(file)
        received = min(max(stretch.last_record - written.number * SEGMENT_BYTES, 0), SEGMENT_BYTES - 1)
        copy = replace(written, name=f"{written.segment}.{received:08X}{PARTIAL}", received=received)
        self._store.write(wal_file(copy.name), [file.read_bytes()])
        self._delete_shorter(copy)
        return copy

    def _copy_history(self, file: Path) -> None:
        self._write_once(wal_file(file.name), file.read_bytes())
        (self._folder / file.name).unlink()
        self.there = self._store.inventory()

    def _write_once(self, name: str, data: bytes) -> None:
        with suppress(FileNotFoundError, BrokenBackup):
            if b"".join(self._store.read(name)) != data:
                raise OtherLog(f"{name} in BACKUP_URL is not of this database.")
            return
        self._store.write(name, [data])

    def _delete_shorter(self, copy: LogFile) -> None:
        there = self.there.files.get((copy.timeline, copy.number))
        if there is not None and there.length < copy.length:
            self._store.delete([wal_file(there.name)])


def _log_file(file: Path) -> LogFile:
    segment = LogFile.named(file.name)
    if segment is None:
        raise ValueError(file.name)
    return segment


def _runs(files: Sequence[Path]) -> list[list[Path]]:
    """Splits segments, in order of their names, at every gap and wherever another timeline begins."""
    runs: list[list[Path]] = []
    last = None
    for file in files:
        own = _log_file(file)
        if last is None or (last.timeline, last.number + 1) != (own.timeline, own.number):
            runs.append([])
        runs[-1].append(file)
        last = own
    return runs

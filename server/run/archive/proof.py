"""What a base backup and the log behind it lead to, read from the bucket alone."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

from server.operations.archive_status import ArchiveStatus
from server.run.archive.sealed import BrokenBackup
from server.run.archive.store import BackupStore, BaseBackup
from server.run.archive.wal import SEGMENT_BYTES, Chain, Hole, LogFile, parse_lsn
from server.run.archive.waldump import CommitTimes, Stretch, read_log

BATCH = 16
"""Segments on the disk at a time."""


Download: TypeAlias = tuple[Mapping[int, Path], tuple[int, str] | None]
"""The segments up to the first that cannot be read, by number, and which that is and why."""


@dataclass(frozen=True)
class Proof:
    """The chain as far as its content was read, and the ends of transactions in it."""

    base: BaseBackup
    chain: Chain
    times: CommitTimes
    last_record: int

    @property
    def is_usable(self) -> bool:
        """Whether the log contains what the base backup needs to be consistent."""
        return self.last_record >= self.base.stop


@dataclass(frozen=True)
class LogReader:
    """Where segments are downloaded to, and the pg_waldump that reads them there."""

    store: BackupStore
    program: str
    folder: Path
    keeps: bool = False
    """Whether the segments stay in the folder; else only a few are there at a time."""


def prove(reader: LogReader, base: BaseBackup, chain: Chain, times: CommitTimes) -> Proof:
    """Reads every segment of a chain, or those before the first that cannot be read."""
    last = 0
    for files in _batches(chain.files):
        with _downloaded(reader, files) as (paths, hole):
            if paths:
                stretch = read_log(reader.program, paths, min(paths) * SEGMENT_BYTES, times)
                last = max(last, stretch.last_record)
                chain = _cut(chain, stretch, max(paths))
            if hole:
                chain = chain if _is_cut_before(chain, hole[0]) else chain.broken_at(*hole)
        if _is_cut_before(chain, files[-1].number + 1):
            break
    return Proof(base, chain, times, last)


def _is_cut_before(chain: Chain, number: int) -> bool:
    return chain.start + len(chain.files) < number


def _cut(chain: Chain, stretch: Stretch, last: int) -> Chain:
    """The log ends in the last segment; what ends it before is damaged or was never received."""
    if stretch.reason and stretch.stopped_at < last * SEGMENT_BYTES:
        return chain.broken_at(stretch.stopped_at // SEGMENT_BYTES, f"ends early: {stretch.reason}")
    return chain


def _batches(files: Sequence[LogFile]) -> Iterator[Sequence[LogFile]]:
    """Each begins with the last segment of the one before, since a record may reach into the next."""
    if files:
        for first in range(0, max(len(files) - 1, 1), BATCH - 1):
            yield files[first : first + BATCH]


@contextmanager
def _downloaded(reader: LogReader, files: Sequence[LogFile]) -> Iterator[Download]:
    if reader.keeps:
        yield _download(reader.store, files, reader.folder)
        return
    with TemporaryDirectory(dir=reader.folder) as folder:
        yield _download(reader.store, files, Path(folder))


def _download(store: BackupStore, files: Sequence[LogFile], folder: Path) -> Download:
    paths: dict[int, Path] = {}
    for file in files:
        path = folder / file.segment
        if not path.exists() and (problem := _problem_of(store, file, path)):
            path.unlink(missing_ok=True)
            return paths, (file.number, problem)
        paths[file.number] = path
    return paths, None


def _problem_of(store: BackupStore, file: LogFile, path: Path) -> str:
    try:
        with path.open("wb") as opened:
            opened.writelines(store.read_segment(file))
    except FileNotFoundError:
        return "is missing"
    except BrokenBackup as error:
        return f"cannot be read: {error}"
    size = path.stat().st_size
    return "" if size == SEGMENT_BYTES else f"has {size} bytes instead of {SEGMENT_BYTES}"


def missing_claim(proof: Proof, status: ArchiveStatus | None) -> Hole | None:
    """What `server archive` reported as stored, and the bucket lacks."""
    if status is None or not parse_lsn(status.lsn):
        return None
    lineage = proof.chain.lineage
    fork = lineage.fork_of(status.timeline)
    is_left = status.timeline != lineage.timeline and (fork is None or parse_lsn(status.lsn) > fork)
    last = proof.times.last.lsn if proof.times.last else 0
    if is_left or last >= parse_lsn(status.lsn):
        return None
    return Hole("The log", f"was archived until {status.covered_until} and is no longer there to its end")

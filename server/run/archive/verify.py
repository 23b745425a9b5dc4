"""`python -m server verify`: what can be restored until when, proved from the bucket alone."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from server.config import Settings
from server.operations.archive_status import VerificationStatus
from server.platform.core import clock
from server.platform.processes.console import CommandRefused, say
from server.run.archive import tar
from server.run.archive.proof import LogReader, Proof, missing_claim, prove
from server.run.archive.sealed import BrokenBackup
from server.run.archive.store import BackupStore, BaseBackup, StoredObject, tar_file, wal_file
from server.run.archive.wal import Chain, LogFile, LogInventory
from server.run.archive.waldump import CommitTimes
from server.run.database import client_program

TAIL = 2
"""Segments at the end of each chain that are always read: they contain the time of its last commit."""


@dataclass(frozen=True)
class BaseReport:
    """A base backup, and until when the log leads on from it."""

    base: BaseBackup
    until: datetime | None
    problem: str = ""
    """Why it cannot be used; empty when it can."""
    hole: str = ""
    """Where the log behind it breaks off, although more is there."""


@dataclass(frozen=True)
class LogRange:
    """Segments of one timeline without a gap in their names."""

    timeline: int
    first: str
    last: str


@dataclass(frozen=True)
class Report:
    """What the bucket proves."""

    bases: Sequence[BaseReport]
    ranges: Sequence[LogRange]
    loss: str
    """What `server archive` has reported or listed, and the bucket lacks; empty when it has all."""
    read: int
    objects: int

    @property
    def problem(self) -> str:
        """The first that concerns what is newest; empty without one."""
        if not self.bases:
            return "There is no backup."
        problems = (each.problem or each.hole for each in reversed(self.bases))
        return next((problem for problem in problems if problem), self.loss)

    @property
    def window(self) -> tuple[datetime, datetime] | None:
        """Every moment between these can be restored: up to the newest that is proved."""
        ends = [(each.base.ended_at, each.until) for each in self.bases if each.until and not each.problem]
        if not ends:
            return None
        until = max(end for _, end in ends)
        return min(start for start, end in ends if end == until), until

    def is_unsound(self, base: BaseBackup) -> bool:
        """Whether this base backup, or the log behind it, leads to nothing new."""
        return any(each.base == base and (each.problem or each.hole) for each in self.bases) or bool(self.loss)

    def can_replace_older(self, base: BaseBackup) -> bool:
        """Whether it can be restored, so that what was before it may be deleted when it is old."""
        return any(each.base == base and each.until and not each.problem for each in self.bases)

    def status(self, at: datetime) -> VerificationStatus:
        """For the bucket."""
        first, last = self.window or (None, None)
        return VerificationStatus(at, first, last, self.problem)


def verify(settings: Settings, share: float = 1.0) -> Report:
    """Prints what can be restored. Raises CommandRefused, after that, when something cannot."""
    store = BackupStore.of(settings)
    settings.shop_data.mkdir(parents=True, exist_ok=True)
    report = read_bucket(store, client_program(settings, "pg_waldump"), settings.shop_data, share)
    store.put_verification(report.status(clock.now()))
    for line in _lines(report):
        say(line)
    if report.problem:
        raise CommandRefused(f"Not everything can be restored: {report.problem}")
    return report


def read_bucket(
    store: BackupStore, waldump: str, folder: Path, share: float = 1.0, since: datetime | None = None
) -> Report:
    """Reads all objects, or a share of those that are older than `since`; which ones changes from day to day."""
    status, objects = store.status(), {each.name: each for each in store.listed()}
    there, (bases, unreadable) = store.inventory(), store.read_bases()
    choose = _chooser(objects, share, since)
    with TemporaryDirectory(dir=folder) as place:
        reader = LogReader(store, waldump, Path(place))
        reading = _Reading(reader, there, choose)
        reports = [reading.report(base, objects.get(tar_file(base.id))) for base in bases]
    claim = missing_claim(reading.newest, status) if reading.newest else None
    problem = str(claim or next(iter(unreadable), ""))
    return Report(reports, _ranges(there.files.values()), problem, reading.read, len(objects))


class _Reading:
    """Reads chain after chain, and what several base backups share once."""

    def __init__(self, reader: LogReader, there: LogInventory, choose: Callable[[str], bool]) -> None:
        self.read = 0
        self.newest: Proof | None = None
        """Of the last base backup on the newest timeline."""
        self._reader, self._there, self._choose = reader, there, choose

    def report(self, base: BaseBackup, tar_object: StoredObject | None) -> BaseReport:
        """What one base backup leads to."""
        chain = self._there.chain(base.timeline, base.start, base.stop)
        is_left = chain is None
        chain = chain or self._there.chain(base.timeline, base.start, base.stop, base.timeline)
        if chain is None:
            return BaseReport(base, None, f"timeline {base.timeline} has no log")
        proof = self._proof(base, chain)
        if not is_left:
            self.newest = proof
        last, hole = proof.times.last, str(proof.chain.hole or "")
        problem = self._tar_problem(base, tar_object)
        if not proof.is_usable:
            problem = problem or f"the log that it needs is not there: {hole or 'it ends before'}"
        until = last.at if last and last.lsn >= base.stop else base.ended_at
        return BaseReport(base, None if problem else until, problem, hole)

    def _proof(self, base: BaseBackup, chain: Chain) -> Proof:
        """Of an earlier base backup, if its log contains all of this one's."""
        proof = self.newest
        if proof and proof.chain.lineage == chain.lineage and proof.chain.start <= base.start < proof.chain.end_number:
            return replace(proof, base=base)
        chosen = [file for file in chain.files if self._choose(wal_file(file.name))]
        self.read += len(chosen)
        if len(chosen) == len(chain.files):
            return prove(self._reader, base, chain, CommitTimes())
        return self._sampled(base, chain, chosen)

    def _sampled(self, base: BaseBackup, chain: Chain, chosen: Sequence[LogFile]) -> Proof:
        """The end is read as a log, and of the rest those segments that were chosen."""
        for file in chosen:
            proof = prove(self._reader, base, replace(chain, start=file.number, files=[file], hole=None), CommitTimes())
            if proof.chain.hole and file is not chain.files[-1]:
                chain = chain.broken_at(file.number, proof.chain.hole.reason)
                break
        tail = chain.files[-TAIL:]
        end = replace(chain, start=tail[0].number, files=tail) if tail else chain
        proof = prove(self._reader, base, end, CommitTimes())
        files = [*chain.files[: -TAIL or None], *proof.chain.files]
        return Proof(base, Chain(chain.lineage, chain.start, files, proof.chain.hole), proof.times, proof.last_record)

    def _tar_problem(self, base: BaseBackup, stored: StoredObject | None) -> str:
        if stored is None:
            return "its files are missing"
        if base.bytes and stored.bytes != base.bytes:
            return f"its files have {stored.bytes} bytes instead of {base.bytes}"
        if not self._choose(stored.name):
            return ""
        self.read += 1
        try:
            tar.check(self._reader.store.read(stored.name))
        except (BrokenBackup, FileNotFoundError) as error:
            return str(error)
        return ""


def _chooser(objects: dict[str, StoredObject], share: float, since: datetime | None) -> Callable[[str], bool]:
    day = f"{since:%Y-%m-%d}" if since else ""

    def choose(name: str) -> bool:
        stored = objects.get(name)
        is_new = stored is None or (since is not None and stored.stored_at >= since)
        return is_new or int(sha256(f"{day}{name}".encode()).hexdigest()[:8], 16) < share * 2**32

    return choose


def _ranges(files: Iterable[LogFile]) -> list[LogRange]:
    ranges: list[LogRange] = []
    last: LogFile | None = None
    for file in sorted(files, key=lambda each: (each.timeline, each.number)):
        follows = last and (last.timeline, last.number + 1) == (file.timeline, file.number)
        if follows:
            ranges[-1] = replace(ranges[-1], last=file.segment)
        else:
            ranges.append(LogRange(file.timeline, file.segment, file.segment))
        last = file
    return ranges


def _lines(report: Report) -> Iterator[str]:
    for each in report.bases:
        taken = f"{each.base.ended_at:%Y-%m-%d %H:%M:%S} UTC, timeline {each.base.timeline}"
        until = f"restores until {each.until.isoformat()}" if each.until else f"cannot be used: {each.problem}"
        yield f"Backup of {taken}: {until}{f'. {each.hole}' if each.hole else ''}"
    for part in report.ranges:
        yield f"Log of timeline {part.timeline}: {part.first} to {part.last}"
    if report.window:
        first, last = report.window
        yield f"Every moment from {first.isoformat()} to {last.isoformat()} can be restored."
    yield f"{report.read} of {report.objects} objects were read."

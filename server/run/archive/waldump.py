"""Reads segments of the log with pg_waldump, which checks every record's checksum and link to the one before it."""

import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from server.run.archive.wal import SEGMENT_BYTES, format_lsn, parse_lsn, segment_name

JITTER = timedelta(seconds=1)
"""Commits are stamped before they are written, so that two may stand in the log in the other order. More than this is
a clock that was set back."""
_END = re.compile(
    r"lsn: ([0-9A-F]+/[0-9A-F]+), .*desc: (?:COMMIT|ABORT)(?:_PREPARED)?"
    r" (?:\d+: )?(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) UTC"
)
_LSN = re.compile(r"\b[0-9A-F]{1,8}/[0-9A-F]{1,8}\b")
_LAST_READ = re.compile(r"error in WAL record at ([0-9A-F]+/[0-9A-F]+): (.*)")


@dataclass(frozen=True)
class TransactionEnd:
    """A commit or rollback in the log, by the clock of the database."""

    lsn: int
    at: datetime


@dataclass(frozen=True)
class SetBack:
    """Moments that the clock of the database showed twice, and the last position before it was set back."""

    first: datetime
    last: datetime
    lsn: int


@dataclass
class CommitTimes:
    """When transactions of a stretch of the log ended, in the order of their positions.

    With a `moment`, also where a recovery to it stops: at the first end that is later.
    """

    moment: datetime | None = None
    up_to: int | None = None
    """Only what ends at or before this position counts."""
    last: TransactionEnd | None = None
    previous: TransactionEnd | None = None
    """The one before the last."""
    latest: TransactionEnd | None = None
    """With the highest time, which is not the last's after the clock was set back."""
    before_moment: TransactionEnd | None = None
    after_moment: TransactionEnd | None = None
    set_back: list[SetBack] = field(default_factory=list)

    def add(self, end: TransactionEnd) -> None:
        """Ends at positions that were added already are ignored."""
        if (self.last and end.lsn <= self.last.lsn) or (self.up_to is not None and end.lsn > self.up_to):
            return
        if self.moment is not None and self.after_moment is None:
            if end.at > self.moment:
                self.after_moment = end
            else:
                self.before_moment = end
        if self.latest is not None and end.at < self.latest.at - JITTER:
            self._note(SetBack(end.at, self.latest.at, self.last.lsn if self.last else 0))
        self.previous, self.last = self.last, end
        if self.latest is None or end.at > self.latest.at:
            self.latest = end

    def _note(self, step: SetBack) -> None:
        previous = self.set_back[-1] if self.set_back else None
        if previous is None or previous.last != step.last:
            self.set_back.append(step)
        elif step.first < previous.first:
            self.set_back[-1] = SetBack(step.first, step.last, previous.lsn)

    def shown_twice(self, moment: datetime) -> SetBack | None:
        """Why a moment means two states, if it does."""
        return next((each for each in self.set_back if each.first <= moment < each.last), None)


@dataclass(frozen=True)
class Stretch:
    """How far segments can be read."""

    last_record: int
    """Position of the last record that is whole; 0 when there is none."""
    stopped_at: int
    """Position of what is no record, or of the end of the last segment."""
    reason: str
    """Why it stopped; empty at the end of the last segment."""


def read_log(program: str, files: Mapping[int, Path], start: int, times: CommitTimes) -> Stretch:
    """Reads segments by number, all without a gap, from a position on. Adds the ends of transactions to `times`.

    The segments may be of several timelines that follow each other.
    """
    end = (max(files) + 1) * SEGMENT_BYTES
    with tempfile.TemporaryDirectory() as folder:
        for number, file in files.items():
            (Path(folder) / segment_name(1, number)).symlink_to(file.absolute())
        command = [program, f"--path={folder}", f"--start={format_lsn(start)}", f"--end={format_lsn(end)}"]
        command += ["--rmgr=Transaction"]
        with (
            tempfile.TemporaryFile() as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env={"TZ": "UTC", "LC_ALL": "C"}
            ) as process,
        ):
            assert process.stdout is not None  # noqa: S101
            last = _add_all((line.decode(errors="replace") for line in process.stdout), times)
            process.wait()
            errors.seek(0)
            problem = errors.read().decode(errors="replace").strip()
    if process.returncode == 0:
        return Stretch(max(last, end - 1), end, "")
    return _stretch(problem, start, last)


def _add_all(lines: Iterable[str], times: CommitTimes) -> int:
    last = 0
    for line in lines:
        if match := _END.search(line):
            last = parse_lsn(match[1])
            times.add(TransactionEnd(last, datetime.fromisoformat(match[2]).replace(tzinfo=UTC)))
    return last


def _stretch(problem: str, start: int, last: int) -> Stretch:
    if match := _LAST_READ.search(problem):
        positions = _LSN.findall(match[2])
        record = parse_lsn(match[1])
        return Stretch(record, parse_lsn(positions[-1]) if positions else record, match[2])
    return Stretch(last, start, problem)

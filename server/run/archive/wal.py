"""The write-ahead log by name: positions, segments, timelines, and how far a bucket has it without a hole.

PostgreSQL names a segment by its timeline and number. A timeline begins where a standby was promoted or a recovery
ended; its history file names the timelines before it and the position (LSN) at which each was left.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

SEGMENT_BYTES = 16 << 20
PARTIAL = ".partial"
HISTORY = ".history"
_SEGMENTS_PER_FILE_NUMBER = (1 << 32) // SEGMENT_BYTES
_SEGMENT = re.compile(r"([0-9A-F]{24})(?:(?:\.([0-9A-F]{8}))?\.partial)?")


def parse_lsn(text: str) -> int:
    """A position from PostgreSQL's form, as in 0/3FADD30. Raises ValueError."""
    high, low = text.split("/")
    return (int(high, 16) << 32) + int(low, 16)


def format_lsn(lsn: int) -> str:
    """A position in PostgreSQL's form."""
    return f"{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}"


def segment_name(timeline: int, number: int) -> str:
    """The name of a segment of 16 MB; numbers count over all timelines."""
    return f"{timeline:08X}{number // _SEGMENTS_PER_FILE_NUMBER:08X}{number % _SEGMENTS_PER_FILE_NUMBER:08X}"


def segment_number(name: str) -> int:
    """The number in a segment's name."""
    return int(name[8:16], 16) * _SEGMENTS_PER_FILE_NUMBER + int(name[16:24], 16)


@dataclass(frozen=True)
class LogFile:
    """A segment in the bucket. That of a partial one ends with the offset up to which it was received."""

    name: str
    timeline: int
    number: int
    received: int | None = None
    """Bytes of a partial segment; None when it is complete."""

    @classmethod
    def named(cls, name: str) -> Self | None:
        """None for a name that is no segment's."""
        match = _SEGMENT.fullmatch(name)
        if match is None:
            return None
        segment, offset = match.groups()
        received = int(offset or "0", 16) if name.endswith(PARTIAL) else None
        return cls(name, int(segment[:8], 16), segment_number(segment), received)

    @property
    def segment(self) -> str:
        """The name by which PostgreSQL requests it."""
        return self.name[:24]

    @property
    def is_complete(self) -> bool:
        """Whether all of its 16 MB were received."""
        return self.received is None

    @property
    def length(self) -> int:
        """Bytes that were received, for comparing two files of one segment."""
        return SEGMENT_BYTES + 1 if self.received is None else self.received


@dataclass(frozen=True)
class Lineage:
    """A timeline, and where each of the timelines before it was left."""

    timeline: int
    forks: Sequence[tuple[int, int]] = ()
    """Pairs of an earlier timeline and the position at which the next one began, in order."""

    @classmethod
    def parse(cls, timeline: int, history: str) -> Self:
        """From a history file. Raises ValueError."""
        lines = (line.split() for line in history.splitlines() if line.strip() and not line.startswith("#"))
        return cls(timeline, tuple((int(words[0]), parse_lsn(words[1])) for words in lines))

    def timeline_of(self, number: int) -> int:
        """In whose segment of this number the log is found: at a fork in that of the later timeline."""
        return next((earlier for earlier, fork in self.forks if number < fork // SEGMENT_BYTES), self.timeline)

    def contains(self, timeline: int, lsn: int) -> bool:
        """Whether the position of that timeline is part of this history."""
        return timeline == self.timeline or any(each == timeline and lsn <= fork for each, fork in self.forks)

    def fork_of(self, timeline: int) -> int | None:
        """Where that timeline was left; None when it goes on or is not part of this history."""
        return next((fork for each, fork in self.forks if each == timeline), None)


@dataclass(frozen=True)
class Hole:
    """The first part of the log that cannot be read, although something later is there or was promised."""

    name: str
    reason: str = "is missing"

    def __str__(self) -> str:
        timeline = f" (timeline {int(self.name[:8], 16)})" if _SEGMENT.fullmatch(self.name) else ""
        return f"{self.name}{timeline} {self.reason}"


@dataclass(frozen=True)
class Chain:
    """Segments without a hole, beginning with the first that a base backup needs."""

    lineage: Lineage
    start: int
    files: Sequence[LogFile]
    hole: Hole | None

    @property
    def end_number(self) -> int:
        """The number behind that of its last segment."""
        return self.start + len(self.files)

    def broken_at(self, number: int, reason: str) -> "Chain":
        """The part before a segment that cannot be read."""
        name = segment_name(self.lineage.timeline_of(number), number)
        return Chain(self.lineage, self.start, self.files[: number - self.start], Hole(name, reason))


@dataclass
class LogInventory:
    """The log that is in a bucket, by the names of its objects."""

    files: dict[tuple[int, int], LogFile] = field(default_factory=dict)
    lineages: dict[int, Lineage] = field(default_factory=dict)

    @classmethod
    def of(cls, names: Iterable[str], lineages: Mapping[int, Lineage]) -> Self:
        """From the names of segments; of several partial ones of a segment the longest counts."""
        inventory = cls(lineages=dict(lineages))
        for name in names:
            if file := LogFile.named(name):
                inventory.add(file)
        return inventory

    def add(self, file: LogFile) -> None:
        """Adds a segment, unless more of it is there."""
        there = self.files.get((file.timeline, file.number))
        if there is None or there.length < file.length:
            self.files[file.timeline, file.number] = file

    @property
    def newest_timeline(self) -> int:
        """The timeline that PostgreSQL would follow; 0 for an empty bucket."""
        return max([timeline for timeline, _ in self.files] + list(self.lineages), default=0)

    def chain(self, timeline: int, start: int, stop: int, follow: int | None = None) -> Chain | None:
        """The log from segment `start` of a timeline on, on the newest timeline or the one to follow.

        None when that timeline does not descend from what a base backup ending at position `stop` contains.
        """
        target = max(follow or self.newest_timeline, timeline)
        lineage = self.lineages.get(target)
        if lineage is None and target != timeline:
            chain = self.chain(timeline, start, stop, timeline)
            return chain and Chain(chain.lineage, start, chain.files, Hole(f"{target:08X}{HISTORY}"))
        lineage = lineage or Lineage(target)
        if not lineage.contains(timeline, stop):
            return None
        return self._chain(lineage, start)

    def _chain(self, lineage: Lineage, start: int) -> Chain:
        files: list[LogFile] = []
        while file := self.files.get((lineage.timeline_of(start + len(files)), start + len(files))):
            files.append(file)
            if not file.is_complete:
                break
        end = start + len(files)
        is_cut = bool(files) and not files[-1].is_complete
        later = [number for timeline, number in self.files if number >= end and lineage.timeline_of(number) == timeline]
        fork = max([fork // SEGMENT_BYTES for _, fork in lineage.forks], default=-1)
        if not later and fork < end:
            return Chain(lineage, start, files, None)
        missing = end - is_cut
        name = segment_name(lineage.timeline_of(missing), missing)
        return Chain(lineage, start, files, Hole(name, "is incomplete" if is_cut else "is missing"))

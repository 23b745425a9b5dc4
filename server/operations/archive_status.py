"""How far the continuous backups are, as `server archive` records it in their bucket."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import orjson

from server.media.errors import StorageUnavailable
from server.media.gateway import FileStore
from server.platform.core import clock

STATUS = "status.json"
"""The file's name. It is neither encrypted nor secret, so that workers, which have no key, can measure its age."""
VERIFICATION = "verification.json"
"""As the status: it names files and moments alone."""


@dataclass(frozen=True)
class ArchiveStatus:
    """Moments of the database's clock; None before the first."""

    covered_until: datetime | None
    """Everything that was committed before can be restored from the bucket."""
    base_at: datetime | None
    """When the last copy of the whole cluster was complete; None as well when another one is needed."""
    timeline: int = 0
    lsn: str = "0/0"
    """The commit at `covered_until`, by its place in the log."""

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the bucket's file."""
        status = orjson.loads(data)
        moments = (status["covered_until"], status["base_at"])
        covered, base = (datetime.fromisoformat(moment) if moment else None for moment in moments)
        return cls(covered, base, status.get("timeline", 0), status.get("lsn", "0/0"))


@dataclass(frozen=True)
class VerificationStatus:
    """What the bucket proved when it was last read: `python -m server verify`."""

    at: datetime
    restorable_from: datetime | None
    """Every moment from here to `restorable_until` can be restored; None when none can."""
    restorable_until: datetime | None
    problem: str
    """The first of those that were noticed, in words; empty without one."""

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the bucket's file."""
        values = orjson.loads(data)
        moments = (values[name] for name in ("at", "restorable_from", "restorable_until"))
        at, first, last = (datetime.fromisoformat(moment) if moment else None for moment in moments)
        return cls(at or datetime.min.replace(tzinfo=UTC), first, last, values["problem"])


class Backups:
    """The bucket of the backups, as a process that makes none sees it."""

    def __init__(self, url: str) -> None:
        self._store = FileStore.open(url, Path())
        self.seen = ArchiveStatus(None, None)
        """As it was last seen."""
        self.verification: VerificationStatus | None = None
        """The result that was last seen."""
        self.since = clock.now()
        """From when on a backup that there never was counts as missing."""

    async def status(self) -> ArchiveStatus:
        """As it is, or as it was last seen when the bucket cannot be asked. Reads the last verification as well."""
        with suppress(StorageUnavailable):
            if data := await self._store.get(STATUS):
                self.seen = ArchiveStatus.read(data)
            if data := await self._store.get(VERIFICATION):
                self.verification = VerificationStatus.read(data)
        return self.seen

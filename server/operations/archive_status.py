"""How far the continuous backups are, as `server archive` tells it in their bucket."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Self

import orjson

from server.core import clock
from server.media.errors import StorageUnavailable
from server.media.gateway import FileStore

STATUS = "status.json"
"""The file's name. It is neither encrypted nor secret, so that workers, which have no key, can measure its age."""


@dataclass(frozen=True)
class ArchiveStatus:
    """Moments of the database's clock; None before the first."""

    covered_until: datetime | None
    """Everything that was committed before is in the bucket."""
    base_at: datetime | None
    """When the last copy of the whole cluster was complete."""

    @classmethod
    def read(cls, data: bytes) -> Self:
        """From the bucket's file."""
        found = orjson.loads(data)
        moments = (found["covered_until"], found["base_at"])
        return cls(*(datetime.fromisoformat(moment) if moment else None for moment in moments))


class Backups:
    """The bucket of the backups, as a process that makes none sees it."""

    def __init__(self, url: str) -> None:
        self._store = FileStore.open(url, Path())
        self.seen = ArchiveStatus(None, None)
        """As it was last seen."""
        self.since = clock.now()
        """From when on a backup that there never was counts as missing."""

    async def status(self) -> ArchiveStatus:
        """As it is, or as it was last seen when the bucket cannot be asked."""
        try:
            found = await self._store.get(STATUS)
        except StorageUnavailable:
            found = None
        if found is not None:
            self.seen = ArchiveStatus.read(found)
        return self.seen

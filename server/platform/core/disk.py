"""Free disk space where the shop writes.

A full disk stops the database and with it every sale. So optional writes, such as statistics of visits and extra image
sizes, stop while there is still room for orders.
"""

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import structlog
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment

log = structlog.get_logger()

Place = Literal["database", "images"]
MB = 1_000_000
INSUFFICIENT_PRIVILEGE = "42501"
CHECK_EVERY = 5.0
"""Seconds between two measurements while nothing is to be written."""
CHECK_SECONDS = 1.0
"""How long a measurement is reused. No disk fills within it, however fast visitors write."""
ENOUGH_FACTOR = 1.25
"""Space counts as enough again at this multiple of the limit, so that the state does not flap."""


class DiskSpace:
    """The free space of the folders of the database and of the images, where they are on this machine."""

    def __init__(self, database_url: str, images: Path | None, low_mb: int) -> None:
        self._is_local = str(make_url(database_url).query.get("host", "")).startswith("/")
        self._folders: dict[Place, list[Path]] = {"images": [images]} if images else {}
        self._low = low_mb * MB
        self._checked_at = float("-inf")
        self._checking: asyncio.Task[None] | None = None
        self._low_places: set[Place] = set()
        self.free: Mapping[Place, int] = {}
        """Free bytes by place, at the last measurement."""

    async def is_low(self, place: Place, sessions: Sessions | None = None) -> bool:
        """Whether a place is below the limit; False for one that is not on this machine.

        The database's folders can be found only with `sessions`.
        """
        if self._is_local and sessions and "database" not in self._folders:
            self._folders["database"] = await _database_folders(sessions)
            self._checked_at = float("-inf")
        if time.monotonic() - self._checked_at > CHECK_SECONDS:
            self._checking = self._checking or asyncio.create_task(self._check())
            await asyncio.shield(self._checking)
        return place in self._low_places

    async def _check(self) -> None:
        try:
            self.free = await asyncio.to_thread(_free, dict(self._folders))
            for place, free in self.free.items():
                self._judge(place, free)
            self._checked_at = time.monotonic()
        finally:
            self._checking = None

    def _judge(self, place: Place, free: int) -> None:
        was_low = place in self._low_places
        if not was_low and free < self._low:
            self._low_places.add(place)
            log.error("disk.low", folder=place, free_mb=free // MB)
        elif was_low and free >= self._low * ENOUGH_FACTOR:
            self._low_places.discard(place)
            log.info("disk.enough", folder=place, free_mb=free // MB)


async def check(env: JobEnvironment) -> None:
    """Measures regularly even without requests, so that the log warns in time."""
    await env.resources.get(DiskSpace).is_low("database", env.sessions)


async def _database_folders(sessions: Sessions) -> list[Path]:
    """The folders of the data and of the write-ahead log; empty when this role may not read them."""
    try:
        async with sessions() as session:
            data = Path(str(await session.scalar(text("SELECT current_setting('data_directory')"))))
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != INSUFFICIENT_PRIVILEGE:
            raise
        return []
    return [data, data / "pg_wal"]


def _free(folders: Mapping[Place, list[Path]]) -> dict[Place, int]:
    """Bytes available to an unprivileged user, for each place that can be measured."""
    free_bytes: dict[Place, int] = {}
    for place, paths in folders.items():
        free = [_free_of(path) for path in paths]
        measured = [each for each in free if each is not None]
        if measured:
            free_bytes[place] = min(measured)
    return free_bytes


def _free_of(path: Path) -> int | None:
    try:
        disk = os.statvfs(path)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize

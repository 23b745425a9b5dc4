"""Which processes of the shop live, on whatever host: each renews a row by the database's clock."""

import os
import socket
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from time import monotonic
from uuid import uuid4

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.operations.models import Heartbeat
from server.platform.core.db import autocommit
from server.platform.core.jobs import JobEnvironment
from server.platform.core.version import VERSION

SECONDS = 5.0
"""How often a process renews its row."""
SILENT = timedelta(seconds=20)
"""A process that has said nothing for so long is dead, hangs, or cannot reach the database."""
FORGOTTEN = timedelta(minutes=10)
"""How long a silent process stays on the list, so that its end is seen."""


@dataclass(frozen=True)
class ProcessHealth:
    """The state of a process; the columns of `Heartbeat` say what each value means."""

    is_leader: bool = False
    index_age: float | None = None
    replica_lag: float | None = None
    archived_until: datetime | None = None
    base_backup_at: datetime | None = None
    backup_verified_at: datetime | None = None
    restorable_from: datetime | None = None
    restorable_until: datetime | None = None
    backup_problem: str | None = None


class Pulse:
    """The heartbeat of this process."""

    def __init__(self, role: str, health: Callable[[], ProcessHealth]) -> None:
        self._id, self._role, self._health, self._began = uuid4(), role, health, monotonic()

    async def beat(self, env: JobEnvironment) -> None:
        """Says that this process lives, and drops those that have been silent for long."""
        health = asdict(self._health())
        own = {"role": self._role, "version": VERSION, "host": socket.gethostname()[:100], "pid": os.getpid()}
        started = func.now() - timedelta(seconds=monotonic() - self._began)
        row = insert(Heartbeat).values(id=self._id, **own, started_at=started, seen_at=func.now(), **health)
        renewed = row.on_conflict_do_update(index_elements=[Heartbeat.id], set_={**health, "seen_at": func.now()})
        async with autocommit(env.sessions) as session:
            await session.execute(renewed)
            await session.execute(delete(Heartbeat).where(Heartbeat.seen_at < func.now() - FORGOTTEN))

    async def end(self, env: JobEnvironment) -> None:
        """Takes this process off the list."""
        async with autocommit(env.sessions) as session:
            await session.execute(delete(Heartbeat).where(Heartbeat.id == self._id))


async def listed(session: AsyncSession) -> Sequence[Heartbeat]:
    """Every process that lives or has fallen silent lately, by role, the longest-lived first."""
    rows = await session.scalars(select(Heartbeat).order_by(Heartbeat.role, Heartbeat.started_at, Heartbeat.id))
    return rows.all()

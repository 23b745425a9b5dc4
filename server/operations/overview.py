"""What the operator's page shows, read from the shop's tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.operations import heartbeats, service
from server.operations.heartbeats import SILENT
from server.operations.models import Heartbeat
from server.operations.service import ListedJob

FAILURES = 5
"""How many of the last failures are shown."""
_KINDS = text("""
SELECT kind, sum(running)::int AS running, sum(waiting)::int AS waiting, max(oldest)::float AS oldest,
  sum(retrying)::int AS retrying, sum(failed)::int AS failed
FROM (
  SELECT kind, count(*) FILTER (WHERE leased_until >= now()) AS running,
    count(*) FILTER (WHERE run_at <= now() AND leased_until >= now() IS NOT TRUE) AS waiting,
    extract(epoch FROM now() - min(run_at) FILTER (WHERE run_at <= now() AND leased_until >= now() IS NOT TRUE))
      AS oldest,
    count(*) FILTER (WHERE last_error IS NOT NULL) AS retrying, 0 AS failed
  FROM jobs GROUP BY kind
  UNION ALL SELECT kind, 0, 0, NULL, 0, count(*) FROM failed_jobs GROUP BY kind
) AS counted GROUP BY kind ORDER BY kind
""")
_REPORTS_LAG = text("SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float FROM analytics_outbox")


class QueuesByKind(dict[str, str]):
    """The queue of each kind of job."""


@dataclass
class QueueState:
    """The jobs of one queue, counted."""

    name: str
    running: int = 0
    waiting: int = 0
    oldest: float | None = None
    """Seconds for which the oldest of those that wait has been due."""
    retrying: int = 0
    """Open jobs whose last attempt failed."""
    failed: int = 0

    def add(self, kind: Row[Any]) -> None:
        """Adds the jobs of one kind."""
        self.running += kind.running
        self.waiting += kind.waiting
        self.retrying += kind.retrying
        self.failed += kind.failed
        self.oldest = max((each for each in (self.oldest, kind.oldest) if each is not None), default=None)


@dataclass(frozen=True)
class BackupState:
    """How far the continuous backups are, as a living worker saw it last."""

    archived_until: datetime
    base_backup_at: datetime | None
    verified_at: datetime | None
    restorable_from: datetime | None
    restorable_until: datetime | None
    problem: str

    @classmethod
    def of(cls, archived: datetime, processes: Sequence[Heartbeat]) -> "BackupState":
        """From the processes that watch the backups."""
        base = max((each.base_backup_at for each in processes if each.base_backup_at), default=None)
        verified = [each for each in processes if each.backup_verified_at]
        if not verified:
            return cls(archived, base, None, None, None, "")
        last = max(verified, key=lambda each: each.backup_verified_at or archived)
        return cls(
            archived,
            base,
            last.backup_verified_at,
            last.restorable_from,
            last.restorable_until,
            last.backup_problem or "",
        )


@dataclass(frozen=True)
class Overview:
    """The state of the shop at one moment of the database's clock."""

    at: datetime
    processes: Sequence[Heartbeat]
    queues: Sequence[QueueState]
    failures: Sequence[ListedJob]
    reports_lag: float

    def is_alive(self, process: Heartbeat) -> bool:
        """Whether it has said lately that it lives."""
        return process.seen_at >= self.at - SILENT

    @property
    def backups(self) -> BackupState | None:
        """None without continuous backups, and while no living worker watches them."""
        watching = [each for each in self.processes if self.is_alive(each) and each.archived_until]
        archived = max((each.archived_until for each in watching if each.archived_until), default=None)
        return BackupState.of(archived, watching) if archived else None


async def overview(session: AsyncSession, queues: QueuesByKind) -> Overview:
    """What there is to see now."""
    processes = await heartbeats.listed(session)
    counted = await _queues(session, queues)
    failures = await service.page(session, FAILURES)
    lag: float = (await session.execute(_REPORTS_LAG)).scalar_one()
    at: datetime = (await session.execute(select(func.clock_timestamp()))).scalar_one()
    return Overview(at, processes, counted, failures, lag)


async def _queues(session: AsyncSession, queues: QueuesByKind) -> list[QueueState]:
    """Every queue, with jobs or without; a kind of another version is a queue of its own."""
    states = {name: QueueState(name) for name in queues.values()}
    for kind in (await session.execute(_KINDS)).all():
        name = queues.get(kind.kind, kind.kind)
        states.setdefault(name, QueueState(name)).add(kind)
    return list(states.values())

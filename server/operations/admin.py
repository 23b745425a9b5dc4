"""The operator's page in the GraphQL schema, for the primary admin only."""

from datetime import datetime
from math import isinf

import strawberry

from server.operations.graphql import FailedJob
from server.operations.models import Heartbeat
from server.operations.overview import BackupState, Overview, QueuesByKind, QueueState, overview
from server.platform.core.context import reading
from server.platform.gql.permissions import PrimaryAdminOnly
from server.platform.gql.types import Info


@strawberry.type(description="The read replica, as one process sees it.")
class ReplicaStatus:
    lag_seconds: float | None = strawberry.field(
        description="By how much it was behind when it was last asked; null while it does not answer. A process leaves "
        "it out above a second, and reads from the primary meanwhile."
    )


@strawberry.type(description="A process of the shop, as it last said of itself.")
class ProcessStatus:
    id: strawberry.ID = strawberry.field(description="Opaque, and another one after a restart.")
    role: str = strawberry.field(description='"web", "worker" or "reports".')
    version: str = strawberry.field(description='What it runs, such as "0.2.0"; "checkout" without an installed wheel.')
    host: str = strawberry.field(description="The name of its machine or container.")
    pid: int = strawberry.field(description="Its process id there.")
    started_at: datetime = strawberry.field(description="Since when it runs.")
    seen_at: datetime = strawberry.field(description="When it last said that it lives; it does so every 5 seconds.")
    is_alive: bool = strawberry.field(
        description="False when it has said nothing for 20 seconds; after 10 minutes it is no longer listed."
    )
    is_leader: bool = strawberry.field(description="Whether it is the worker that keeps the schedule.")
    index_age_seconds: float | None = strawberry.field(
        description="For how long its catalogue index may have been outdated: 0 while it is current, null where the "
        "process has none."
    )
    replica: ReplicaStatus | None = strawberry.field(description="Null without a replica.")

    @classmethod
    def of(cls, row: Heartbeat, is_alive: bool) -> "ProcessStatus":
        """From what it said."""
        lag = row.replica_lag
        return cls(
            id=strawberry.ID(str(row.id)),
            role=row.role,
            version=row.version,
            host=row.host,
            pid=row.pid,
            started_at=row.started_at,
            seen_at=row.seen_at,
            is_alive=is_alive,
            is_leader=row.is_leader,
            index_age_seconds=row.index_age,
            replica=None if lag is None else ReplicaStatus(lag_seconds=None if isinf(lag) else lag),
        )


@strawberry.type(description="The background work of one kind of queue.")
class QueueStatus:
    name: str = strawberry.field(description='"payments", "identity", "restock", "mail", "imports" or "reports".')
    running: int = strawberry.field(description="Jobs that a worker runs at this moment.")
    waiting: int = strawberry.field(description="Jobs that are due and that no worker has taken up.")
    oldest_seconds: float | None = strawberry.field(
        description="How long the oldest of those that wait has been due; null when none waits."
    )
    retrying: int = strawberry.field(description="Jobs whose last attempt failed, and which are tried again.")
    failed: int = strawberry.field(description="Jobs that were given up: `failedJobs` lists them.")

    @classmethod
    def of(cls, state: QueueState) -> "QueueStatus":
        """From the counts."""
        return cls(
            name=state.name,
            running=state.running,
            waiting=state.waiting,
            oldest_seconds=state.oldest,
            retrying=state.retrying,
            failed=state.failed,
        )


@strawberry.type(description="The continuous backups, as a worker sees them in their bucket.")
class BackupStatus:
    missing_since: datetime = strawberry.field(description="What was committed before this moment is in them.")
    whole_at: datetime | None = strawberry.field(
        description="When the last copy of the whole database was complete; null before the first, and while another "
        "is needed because part of the log is missing."
    )
    verified_at: datetime | None = strawberry.field(
        description="When the bucket was last read to see what can be restored, as happens once a day; null before."
    )
    restorable_from: datetime | None = strawberry.field(
        description="Any moment from here to `restorableUntil` could be restored then; null when none could."
    )
    restorable_until: datetime | None = strawberry.field(description="See `restorableFrom`.")
    problem: str | None = strawberry.field(
        description='What that reading noticed, such as "000000010000000000000005 (timeline 1) is missing"; null for '
        "nothing."
    )

    @classmethod
    def of(cls, seen: BackupState) -> "BackupStatus":
        """From what a worker saw."""
        return cls(
            missing_since=seen.archived_until,
            whole_at=seen.base_backup_at,
            verified_at=seen.verified_at,
            restorable_from=seen.restorable_from,
            restorable_until=seen.restorable_until,
            problem=seen.problem or None,
        )


@strawberry.type(description="How the shop runs, at one moment.")
class Operations:
    at: datetime = strawberry.field(description="The moment, by the database's clock, as all moments here are.")
    processes: list[ProcessStatus] = strawberry.field(
        description="Those that run, on whatever host, and those that fell silent within 10 minutes; by role."
    )
    queues: list[QueueStatus] = strawberry.field(description="Every queue, whether it has jobs or not.")
    failures: list[FailedJob] = strawberry.field(description="The last five jobs that were given up, newest first.")
    backups: BackupStatus | None = strawberry.field(
        description="Null without continuous backups, and while no worker runs that could look."
    )
    reports_lag_seconds: float = strawberry.field(
        description="Age of the oldest change that reports do not contain yet; 0 when they contain all."
    )

    @classmethod
    def of(cls, seen: Overview) -> "Operations":
        """From what was read."""
        return cls(
            at=seen.at,
            processes=[ProcessStatus.of(each, seen.is_alive(each)) for each in seen.processes],
            queues=[QueueStatus.of(each) for each in seen.queues],
            failures=[FailedJob.of(each) for each in seen.failures],
            backups=BackupStatus.of(seen.backups) if seen.backups else None,
            reports_lag_seconds=seen.reports_lag,
        )


@strawberry.type
class OperationsOwnerFields:
    """The operator's page."""

    @strawberry.field(
        description="How the shop runs: processes, queues, backups, and what failed last. For the primary admin.",
        permission_classes=[PrimaryAdminOnly],
    )
    async def operations(self, info: Info) -> Operations:
        async with reading(info.context) as session:
            return Operations.of(await overview(session, info.context.resources.get(QueuesByKind)))

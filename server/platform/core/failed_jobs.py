"""Dead letters: jobs that are no longer retried until an admin restarts or drops them."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.errors import NotFound
from server.platform.core.models import FailedJob, Job


async def keep(session: AsyncSession, job: Job, error: str) -> None:
    """Lists a job that has left the queue. Replaces an earlier one with the same key."""
    facts = {name: getattr(job, name) for name in ("id", "kind", "key", "payload", "attempts", "created_at")}
    listed = insert(FailedJob).values(**facts, error=error)
    newer = {name: listed.excluded[name] for name in (*facts, "error", "failed_at")}
    await session.execute(listed.on_conflict_do_update(index_elements=[FailedJob.key], set_=newer))


async def page(session: AsyncSession, first: int, after: UUID | None = None) -> Sequence[FailedJob]:
    """Failed jobs, newest first: at most `first`, starting behind the id `after`."""
    query = select(FailedJob).order_by(FailedJob.id.desc()).limit(first)
    return (await session.scalars(query if after is None else query.where(FailedJob.id < after))).all()


async def count(session: AsyncSession) -> int:
    """How many failed jobs are listed."""
    return await session.scalar(select(func.count()).select_from(FailedJob)) or 0


async def take(session: AsyncSession, job_id: UUID) -> FailedJob:
    """Removes a failed job from the list and returns it. Raises NotFound."""
    taken = delete(FailedJob).where(FailedJob.id == job_id).returning(FailedJob)
    job = (await session.scalars(taken)).one_or_none()
    if job is None:
        raise NotFound("This job")
    return job


async def forget(session: AsyncSession, kinds: Collection[str], older_than: timedelta) -> None:
    """Drops failed jobs of these kinds that are older than that: by then they are of no use."""
    old = FailedJob.failed_at < func.now() - older_than
    await session.execute(delete(FailedJob).where(FailedJob.kind.in_(kinds), old))

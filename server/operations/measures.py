"""What operators watch of a shop, read from its tables."""

from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server.operations.archive_status import Backups
from server.platform.core import clock, metrics
from server.platform.core.db import autocommit
from server.platform.core.jobs import JobEnvironment

SECONDS = 15.0
"""How often `measure` runs."""
_JOBS = text("""
SELECT kind, count(*) AS due, extract(epoch FROM now() - min(run_at))::float AS oldest
FROM jobs WHERE run_at <= now() GROUP BY kind
""")
_STATE = text("""
SELECT
  (SELECT count(*) FROM failed_jobs) AS failed,
  (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float FROM analytics_outbox) AS facts_lag,
  (SELECT count(*) FROM checkouts
   WHERE status IN ('open', 'processing') AND expires_at < now() - interval '10 minutes') AS overdue,
  (SELECT count(*) FROM checkouts c
   WHERE c.status = 'completed' AND NOT EXISTS (SELECT FROM orders o WHERE o.checkout_id = c.id)) AS without_order
""")


async def orders(session: AsyncSession) -> tuple[int, datetime | None]:
    """How many orders there are, and when the last one was made."""
    count, last = (await session.execute(text("SELECT count(*), max(created_at) FROM orders"))).one()
    return count, last


async def paid_without_order(session: AsyncSession) -> int:
    """Completed checkouts without an order: always 0."""
    state = (await session.execute(_STATE)).one()
    return int(state.without_order)


async def measure_backups(env: JobEnvironment) -> None:
    """Sets the gauges of the continuous backups, if there are any. What cannot be asked ages on."""
    backups = env.resources.find(Backups)
    if backups is None:
        return
    status = await backups.status()
    now = clock.now()
    for gauge, moment in ((metrics.ARCHIVE_AGE, status.covered_until), (metrics.BASE_BACKUP_AGE, status.base_at)):
        gauge.set((now - (moment or backups.since)).total_seconds())
    verified = backups.verification
    metrics.BACKUP_VERIFIED_AGE.set((now - (verified.at if verified else backups.since)).total_seconds())
    metrics.BACKUP_PROBLEMS.set(bool(verified and verified.problem))


async def measure(env: JobEnvironment) -> None:
    """Sets the gauges of the shop."""
    async with autocommit(env.sessions) as session:
        jobs = (await session.execute(_JOBS)).all()
        state = (await session.execute(_STATE)).one()
    metrics.JOBS_DUE.clear()
    metrics.JOBS_OLDEST.clear()
    for row in jobs:
        metrics.JOBS_DUE.labels(row.kind).set(row.due)
        metrics.JOBS_OLDEST.labels(row.kind).set(row.oldest)
    metrics.JOBS_FAILED.set(state.failed)
    metrics.FACTS_LAG.set(state.facts_lag)
    metrics.CHECKOUTS_OVERDUE.set(state.overdue)
    metrics.PAID_WITHOUT_ORDER.set(state.without_order)

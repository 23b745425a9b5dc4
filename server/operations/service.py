"""Failed jobs: listing, restarting, dropping."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.mail import service as mail
from server.mail.models import Mail
from server.platform.core import failed_jobs, jobs
from server.platform.core.models import FailedJob
from server.platform.core.viewer import Viewer


@dataclass(frozen=True)
class ListedJob:
    """A failed job and its subject: the subject of a mail, or the id in its payload."""

    job: FailedJob
    reference: str


async def page(session: AsyncSession, first: int, after: UUID | None = None) -> list[ListedJob]:
    """Failed jobs, newest first: at most `first`, starting behind the id `after`."""
    failed = await failed_jobs.page(session, first, after)
    subjects = await _subjects(session, failed)
    return [ListedJob(job, subjects.get(job.id) or _reference(job)) for job in failed]


async def count(session: AsyncSession) -> int:
    """How many failed jobs there are."""
    return await failed_jobs.count(session)


async def retry(session: AsyncSession, job_id: UUID, actor: Viewer) -> None:
    """Puts a failed job back into its queue, due at once. Raises NotFound."""
    await _record(session, actor, "job started again", await jobs.restart(session, job_id))


async def drop(session: AsyncSession, job_id: UUID, actor: Viewer) -> None:
    """Deletes a failed job; its work is never done. Raises NotFound."""
    await _record(session, actor, "job dropped", await failed_jobs.take(session, job_id))


async def _record(session: AsyncSession, actor: Viewer, action: str, job: FailedJob) -> None:
    subject = audit.AuditSubject("job", job.id, f"{job.kind} {_reference(job)}".strip())
    await audit.record(session, actor, action, subject, before={"error": job.error, "attempts": job.attempts})


async def _subjects(session: AsyncSession, failed: Sequence[FailedJob]) -> dict[UUID, str]:
    """Subjects of mails by the id of the job that sends them."""
    mails = {UUID(job.payload["mail_id"]): job.id for job in failed if job.kind == mail.JOB}
    rows = await session.execute(select(Mail.id, Mail.subject).where(Mail.id.in_(mails)))
    return {mails[row.id]: row.subject for row in rows}


def _reference(job: FailedJob) -> str:
    """The id in a payload; never an address or any other value."""
    return next((str(value) for name, value in job.payload.items() if name.endswith("_id") and name != "user_id"), "")

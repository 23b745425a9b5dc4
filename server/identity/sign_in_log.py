"""Sign-ins of admins in the audit log, failed ones included, and changes to their credentials.

A job records failures; recorded at once, refusing an admin's e-mail would take longer than refusing any other.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.identity.admins import subject
from server.identity.models import User
from server.platform.core import jobs
from server.platform.core.db import begin
from server.platform.core.viewer import Role, Viewer

FAILED = "sign-in-failed"


async def succeeded(session: AsyncSession, viewer: Viewer, how: str) -> None:
    """Records an admin's sign-in. `how` is readable: "password and code"."""
    if viewer.role is Role.ADMIN:
        user = audit.AuditSubject("user", viewer.user_id, viewer.email)
        await audit.record(session, viewer, "signed in", user, after={"with": how})


async def failed(session: AsyncSession, email: str, how: str, ip: str) -> None:
    """Enqueues a record for any e-mail; the job finds out whether it is an admin's."""
    payload = {"email": email, "with": how, "from": ip}
    await jobs.enqueue_hidden(session, FAILED, payload)


async def changed(
    session: AsyncSession,
    user: User,
    action: str,
    *,
    actor: Viewer | audit.AuditActor | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Records a change to an admin's credentials, made by the account itself unless an `actor` is given."""
    if user.role == Role.ADMIN.value:
        actor = actor or audit.AuditActor(user.id, user.email)
        await audit.record(session, actor, action, subject(user), before=before, after=after)


async def _record_failure(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    async with begin(env.sessions) as session:
        user = await session.scalar(select(User).where(User.email == payload["email"], User.role == "admin"))
        if user is not None:
            after = {"with": payload["with"], "from": payload["from"]}
            await audit.record(session, audit.VISITOR, "sign-in failed", subject(user), after=after)


HANDLERS = {FAILED: jobs.JobKind(_record_failure)}

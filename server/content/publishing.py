"""The job that publishes a page at its time."""

from typing import Any
from uuid import UUID

from server.audit.service import AuditActor
from server.content import service
from server.platform.core.db import begin
from server.platform.core.jobs import JobEnvironment


async def _publish(env: JobEnvironment, payload: dict[str, Any]) -> None:
    actor = AuditActor(UUID(payload["actor"]), payload["email"])
    async with begin(env.sessions) as session:
        await service.publish_due(session, actor, UUID(payload["document"]))


HANDLERS = {service.PUBLISH: _publish}

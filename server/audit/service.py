"""Writing the audit log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import func, insert, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.platform.core.viewer import Viewer

REPEATED_WITHIN = timedelta(minutes=10)


@dataclass(frozen=True)
class AuditSubject:
    """What was changed: its kind (`product`, `order`, `user`), its id, and a readable label."""

    kind: str
    id: UUID | str
    label: str


class AuditActor(NamedTuple):
    """Who made a change, as recorded; without an id for those who have no account."""

    user_id: UUID | None
    email: str


COMMAND_LINE = AuditActor(None, "command line")
VISITOR = AuditActor(None, "visitor")
"""A client that is not signed in."""


class Entry(NamedTuple):
    """One change: the action, its subject, and the values that differ."""

    action: str
    subject: AuditSubject
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


async def record(
    session: AsyncSession,
    actor: Viewer | AuditActor | None,
    action: str,
    subject: AuditSubject,
    *,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Adds one entry to the caller's transaction. `action` is a verb in the past: `price changed`, `refunded`.

    Values equal before and after are left out. Without `actor` it is the command line. Values must fit JSON; money is
    in cents, under names that end in `_cents`. Never pass a secret.
    """
    await record_all(session, actor, [Entry(action, subject, before, after)])


async def record_all(session: AsyncSession, actor: Viewer | AuditActor | None, entries: Sequence[Entry]) -> None:
    """Adds many entries of one actor, in few statements; otherwise as `record`."""
    if entries:
        await session.execute(insert(AuditEntry), [_row(actor, entry) for entry in entries])


async def record_once(session: AsyncSession, actor: Viewer, action: str, subject: AuditSubject) -> None:
    """Adds an entry, unless this actor has one with the same action and subject from the last ten minutes."""
    recently = AuditEntry.created_at > func.now() - REPEATED_WITHIN
    same = AuditEntry.subject_kind == subject.kind, AuditEntry.subject_id == str(subject.id)
    same_entry = select(AuditEntry.id).where(
        *same, recently, AuditEntry.action == action, AuditEntry.actor_id == actor.user_id
    )
    if await session.scalar(same_entry.limit(1)) is None:
        await record(session, actor, action, subject)


def _row(actor: Viewer | AuditActor | None, entry: Entry) -> dict[str, Any]:
    actor = actor or COMMAND_LINE
    old, new = dict(entry.before or {}), dict(entry.after or {})
    same = {name for name in old.keys() & new.keys() if old[name] == new[name]}
    return {
        "actor_id": actor.user_id,
        "actor_email": actor.email,
        "action": entry.action,
        "subject_kind": entry.subject.kind,
        "subject_id": str(entry.subject.id),
        "subject_label": entry.subject.label,
        "before": {name: value for name, value in old.items() if name not in same},
        "after": {name: value for name, value in new.items() if name not in same},
    }

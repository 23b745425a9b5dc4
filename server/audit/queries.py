"""Reading the audit log."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, false, func, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.platform.core.text import is_storable, search_terms

Place = tuple[datetime, UUID]
"""Sort keys of an entry: time and id."""

SEARCHED = AuditEntry.subject_label + " " + AuditEntry.actor_email + " " + AuditEntry.action


@dataclass(frozen=True)
class AuditEntryFilter:
    """Which entries. `since` is inclusive, `before` exclusive; `search` is part of a subject, actor or action."""

    actor: str | None = None
    action: str | None = None
    kind: str | None = None
    subject_id: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    search: str | None = None


@dataclass(frozen=True)
class AuditFilterChoices:
    """The values that occur in the log, for filters; each list in alphabetical order."""

    actors: list[str]
    actions: list[str]
    kinds: list[str]


async def entries(
    session: AsyncSession, criteria: AuditEntryFilter, *, limit: int, after: Place | None = None
) -> Sequence[AuditEntry]:
    """Entries, newest first, behind the entry `after`."""
    page = select(AuditEntry).where(*_conditions(criteria)).order_by(AuditEntry.created_at.desc(), AuditEntry.id.desc())
    if after is not None:
        page = page.where(tuple_(AuditEntry.created_at, AuditEntry.id) < after)
    return (await session.scalars(page.limit(limit))).all()


async def total(session: AsyncSession, criteria: AuditEntryFilter) -> int:
    """How many entries match."""
    return await session.scalar(select(func.count()).select_from(AuditEntry).where(*_conditions(criteria))) or 0


async def choices(session: AsyncSession) -> AuditFilterChoices:
    """The distinct actors, actions and kinds, found by skipping along an index instead of reading all entries."""
    return AuditFilterChoices(
        actors=await _distinct(session, "actor_email"),
        actions=await _distinct(session, "action"),
        kinds=await _distinct(session, "subject_kind"),
    )


async def _distinct(session: AsyncSession, column: str) -> list[str]:
    hops = f"""
        WITH RECURSIVE hops AS (
            (SELECT {column} AS value FROM audit_entries ORDER BY {column} LIMIT 1)
            UNION ALL
            SELECT (SELECT {column} FROM audit_entries WHERE {column} > hops.value ORDER BY {column} LIMIT 1)
            FROM hops WHERE hops.value IS NOT NULL
        )
        SELECT value FROM hops WHERE value IS NOT NULL
    """  # noqa: S608, one of three names written above
    return list(await session.scalars(text(hops)))


def _conditions(criteria: AuditEntryFilter) -> list[ColumnElement[bool]]:
    equal: dict[Any, str | None] = {
        AuditEntry.actor_email: criteria.actor,
        AuditEntry.action: criteria.action,
        AuditEntry.subject_kind: criteria.kind,
        AuditEntry.subject_id: criteria.subject_id,
    }
    conditions: list[ColumnElement[bool]] = [
        column == value if is_storable(value) else false() for column, value in equal.items() if value
    ]
    if criteria.since:
        conditions.append(AuditEntry.created_at >= criteria.since)
    if criteria.before:
        conditions.append(AuditEntry.created_at < criteria.before)
    if words := search_terms(criteria.search):
        conditions.append(SEARCHED.icontains(words, autoescape=True))
    return conditions

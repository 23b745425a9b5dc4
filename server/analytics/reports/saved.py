"""Saved reports, shared by all admins."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import SavedReport
from server.audit import service as audit
from server.platform.core.db import NOW
from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import InvalidInput, NotFound, StoreError
from server.platform.core.text import text_problem
from server.platform.core.viewer import Viewer

LONGEST_NAME = 80
LONGEST_DEFINITION = 2_000
MOST = 200


@dataclass(eq=False)
class TooManyReports(StoreError):
    """The maximal number of reports is saved."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT

    def __str__(self) -> str:
        return f"At most {MOST} reports can be saved. Delete one that nobody needs."


async def every(session: AsyncSession) -> Sequence[SavedReport]:
    """All saved reports, by name."""
    return (await session.scalars(select(SavedReport).order_by(func.lower(SavedReport.name), SavedReport.id))).all()


async def save(
    session: AsyncSession, actor: Viewer, name: str, definition: str, *, report_id: UUID | None = None
) -> SavedReport:
    """Saves a new report, or changes one. Raises InvalidInput, NotFound, TooManyReports."""
    name, definition = _checked(name, definition)
    if report_id is None:
        if int(await session.scalar(select(func.count()).select_from(SavedReport)) or 0) >= MOST:
            raise TooManyReports
        report = SavedReport(name=name, definition=definition, owner_id=actor.user_id, owner_name=actor.name)
        session.add(report)
        before = None
    else:
        report = await _one(session, report_id)
        before = {"name": report.name, "definition": report.definition}
        report.name, report.definition = name, definition
        report.updated_at = (await session.execute(select(NOW))).scalar_one()
    await session.flush()
    after = {"name": name, "definition": definition}
    await audit.record(session, actor, "report saved", _subject(report), before=before, after=after)
    return report


async def forget(session: AsyncSession, actor: Viewer, report_id: UUID) -> None:
    """Deletes a report. Raises NotFound."""
    report = await _one(session, report_id)
    before = {"name": report.name, "definition": report.definition}
    await audit.record(session, actor, "report deleted", _subject(report), before=before)
    await session.execute(delete(SavedReport).where(SavedReport.id == report_id))


async def _one(session: AsyncSession, report_id: UUID) -> SavedReport:
    report = await session.scalar(select(SavedReport).where(SavedReport.id == report_id).with_for_update())
    if report is None:
        raise NotFound("This report")
    return report


def _subject(report: SavedReport) -> audit.AuditSubject:
    return audit.AuditSubject("report", report.id, report.name)


def _checked(name: str, definition: str) -> tuple[str, str]:
    name = " ".join(name.split())
    broken = {}
    if problem := text_problem(name, LONGEST_NAME, missing="Give it a name"):
        broken["name"] = problem
    if not 1 <= len(definition) <= LONGEST_DEFINITION or not definition.isprintable():
        broken["definition"] = f"A report's definition has 1 to {LONGEST_DEFINITION} printable characters."
    if broken:
        raise InvalidInput(broken)
    return name, definition

"""Imports of CSV files: checked as a whole, shown to an admin, then applied completely or not at all.

Checking and applying are jobs, so a killed process only delays them. All changes and the import's state are one
transaction: other readers see all of it or nothing, and a job that runs again finds it done.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from sqlalchemy import Text, cast, func, select, update
from sqlalchemy.exc import DataError
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit import service as audit
from server.catalog import category_queries
from server.config import Settings
from server.crash_points import CrashPoint
from server.identity import service as identity
from server.inventory import catalog_io, csv_file, planned
from server.inventory import import_plan as planning
from server.inventory.csv_file import CsvFile, CsvProblem
from server.inventory.errors import ImportNotReady
from server.inventory.models import Import
from server.inventory.planned import ImportPlan
from server.platform.core import jobs, locks
from server.platform.core.db import begin
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.jobs import Deferred, GivenUp, JobKind
from server.platform.core.locks import Lock
from server.platform.core.models import Job
from server.platform.core.viewer import Access, Viewer
from server.shop import service as shop_service

CHECK, RUN = "import_check", "import_run"
MOST_SHOWN = 500
"""Problems and changes stored for display; all of them are counted."""
KEPT_FOR = timedelta(days=2)
"""Files of imports that were not started are deleted after this."""
ATTEMPTS = 5
NOT_YOURS = "It makes new products, which only the primary admin may do"


FAILED = CsvProblem(
    1,
    1,
    "",
    "A1",
    "",
    "An error stopped the work on this file, so nothing was changed. Bring it again, or ask for help",
)
"""About a check or a run that has failed for good."""
NO_ADMIN = "Whoever started it is no longer an admin, so nothing was changed"


class RightsLost(Exception):
    """The admin who started the import may not do so any more. `plan` is what it would have changed."""

    def __init__(self, plan: ImportPlan, why: str) -> None:
        super().__init__(why)
        self.plan, self.problem = plan, CsvProblem(1, 1, "product", "A1", "", why)


class ImportDiscarded(Exception):
    """The import was discarded meanwhile, or another worker has finished it."""


async def bring(session: AsyncSession, file_name: str, content: bytes, actor: Viewer) -> UUID:
    """Stores a file and enqueues its check. Raises InvalidInput for an empty one."""
    if not content.strip():
        raise InvalidInput({"file": "The file is empty"})
    name = "".join(char for char in file_name if char.isprintable()).strip()[:200] or "products.csv"
    upload = Import(file_name=name, content=content, actor_id=actor.user_id, actor_email=actor.email)
    session.add(upload)
    await session.flush()
    await jobs.enqueue(session, CHECK, {"import_id": str(upload.id)})
    return upload.id


async def start(session: AsyncSession, import_id: UUID, actor: Viewer) -> None:
    """Starts a checked import. Raises NotFound, ImportNotReady, or Forbidden when only the primary admin may."""
    import_row = await _locked(session, import_id)
    if import_row.state == "running":
        return
    if import_row.state != "ready":
        raise ImportNotReady("This import cannot be started any more.")
    if import_row.summary.get("new_products"):
        Access.PRIMARY_ADMIN.check(actor)
    import_row.state, import_row.rows_done = "running", 0
    import_row.started_by_id, import_row.started_at = actor.user_id, func.now()
    payload = {"import_id": str(import_id), "user_id": str(actor.user_id)}
    await jobs.enqueue(session, RUN, payload, key=f"{RUN}:{import_id}")


async def discard(session: AsyncSession, import_id: UUID) -> None:
    """Discards an import that is not done. Raises NotFound or ImportNotReady.

    A running one rolls back at its next check, after a batch of rows or before its commit.
    """
    import_row = await _locked(session, import_id)
    if import_row.state == "done":
        raise ImportNotReady("This import is done.")
    import_row.state, import_row.content, import_row.finished_at = "discarded", None, func.now()
    await jobs.close(session, f"{RUN}:{import_id}")


async def page(session: AsyncSession, first: int, after: UUID | None = None) -> Sequence[Import]:
    """Imports, newest first: at most `first`, starting behind the id `after`."""
    query = select(Import).order_by(Import.id.desc()).limit(first)
    return (await session.scalars(query if after is None else query.where(Import.id < after))).all()


async def count(session: AsyncSession) -> int:
    """How many imports there are."""
    return await session.scalar(select(func.count()).select_from(Import)) or 0


async def one(session: AsyncSession, import_id: UUID) -> Import:
    """One import. Raises NotFound."""
    import_row = await session.get(Import, import_id)
    if import_row is None:
        raise NotFound("This import")
    return import_row


async def check(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: reads the file and stores its problems, or what it would change."""
    import_id = jobs.job_id(payload, "import_id")
    async with env.sessions() as session:
        import_row = await session.get(Import, import_id)
        content = await session.scalar(select(Import.content).where(Import.id == import_id))
    if import_row is None or import_row.state != "checking" or content is None:
        return
    with suppress(ImportDiscarded):
        async with _refused_on_failure(env, import_id, "checking"):
            await _check(env, import_id, content)


async def _check(env: jobs.JobEnvironment, import_id: UUID, content: bytes) -> None:
    table, problems = await _read(env, content)
    await _note(env, import_id, "checking", rows=table.row_count)
    async with env.sessions() as session:
        plan = await _planned(session, env, table)
    problems = sorted([*problems, *plan.problems], key=lambda problem: problem.place)
    async with begin(env.sessions) as session:
        await _conclude(session, import_id, plan, problems, "checking")


async def run(env: jobs.JobEnvironment, payload: dict[str, Any]) -> None:
    """Job: applies a started import in one transaction, unless the shop has changed so that it no longer fits.

    The admin who started it must still be allowed to, when it begins and when it commits. Raises Deferred while another
    import is being applied.
    """
    import_id, started_by = jobs.job_id(payload, "import_id"), jobs.job_id(payload, "user_id")
    async with env.sessions() as session:
        content = await session.scalar(select(Import.content).where(Import.id == import_id))
    if content is None:
        return
    with suppress(ImportDiscarded):
        try:
            async with _refused_on_failure(env, import_id, "running"):
                table, problems = await _read(env, content)
                await _run(env, import_id, started_by, table, problems)
        except RightsLost as lost:
            async with begin(env.sessions) as session:
                await _conclude(session, import_id, lost.plan, [lost.problem], "running")


@asynccontextmanager
async def _refused_on_failure(env: jobs.JobEnvironment, import_id: UUID, state: str) -> AsyncIterator[None]:
    """Refuses the import when its job fails in a way that a retry would repeat. Raises GivenUp then."""
    try:
        yield
    except (ArithmeticError, LookupError, TypeError, ValueError, DataError, InvalidInput) as error:
        async with begin(env.sessions) as session:
            await _conclude(session, import_id, ImportPlan(), [FAILED], state)
        raise GivenUp from error


async def _read(env: jobs.JobEnvironment, content: bytes) -> tuple[CsvFile, list[CsvProblem]]:
    async with env.sessions() as session:
        decided = await shop_service.settings(session, env.resources.get(Settings))
        categories = await category_queries.categories(session)
    return await asyncio.to_thread(csv_file.read, content, ZoneInfo(decided.time_zone), categories)


async def _run(
    env: jobs.JobEnvironment, import_id: UUID, started_by: UUID, table: CsvFile, problems: list[CsvProblem]
) -> None:
    """Raises ImportDiscarded or RightsLost, with nothing changed."""

    async def progress(share: float) -> None:
        await _note(env, import_id, "running", rows_done=int(len(table.rows) * share))
        CrashPoint.IMPORT_HALF_WRITTEN.reach()

    async with begin(env.sessions) as session:
        if not await locks.try_acquire(session, Lock.IMPORT):
            raise Deferred
        state, name = (
            await session.execute(select(Import.state, Import.file_name).where(Import.id == import_id))
        ).one()
        if state != "running":
            return
        plan = await _planned(session, env, table, lock=True)
        actor = await _allowed_actor(session, env, started_by, plan)
        problems += plan.problems
        if problems:
            await _conclude(session, import_id, plan, problems, "running")
            return
        await catalog_io.write(session, plan, name, actor, progress)
        CrashPoint.IMPORT_BEFORE_COMMIT.reach()
        await _allowed_actor(session, env, started_by, plan)
        await _conclude(session, import_id, plan, [], "running")
        subject = audit.AuditSubject("import", import_id, name)
        await audit.record(session, actor, "imported", subject, after=plan.summary())
    CrashPoint.IMPORT_COMMITTED.reach()


HANDLERS = {CHECK: JobKind(check, ATTEMPTS), RUN: JobKind(run, ATTEMPTS)}


async def tidy(env: jobs.JobEnvironment) -> None:
    """Deletes the files of imports that were not started, and refuses those whose job is no longer retried."""
    waiting = Import.state.in_(("checking", "ready", "refused")) & (Import.created_at < func.now() - KEPT_FOR)
    names_import = Job.payload["import_id"].astext == cast(Import.id, Text)
    has_job = select(Job.id).where(Job.kind.in_((CHECK, RUN)), names_import).exists()
    failed = {"problem_count": 1, "problems": planned.as_json([FAILED], MOST_SHOWN)}
    ended = {"content": None, "finished_at": func.now()}
    async with begin(env.sessions) as session:
        await session.execute(update(Import).where(waiting).values(state="discarded", **ended))
        abandoned = Import.state.in_(("checking", "running")) & ~has_job
        await session.execute(update(Import).where(abandoned).values(state="refused", **failed, **ended))


async def _planned(
    session: AsyncSession, env: jobs.JobEnvironment, table: CsvFile, *, lock: bool = False
) -> ImportPlan:
    most = env.resources.get(Settings).limits.max_product_images
    snapshot = await catalog_io.load(session, table, most, lock=lock)
    return await asyncio.to_thread(planning.make, table, snapshot)


async def _conclude(
    session: AsyncSession, import_id: UUID, plan: ImportPlan, problems: Sequence[CsvProblem], state: str
) -> None:
    """Stores the result of a check or a run. The file is kept only while the import may still be started."""
    refused, ended = bool(problems), bool(problems) or state == "running"
    values: dict[str, Any] = {
        "state": "refused" if refused else "ready" if state == "checking" else "done",
        "problem_count": len(problems),
        "problems": planned.as_json(problems, MOST_SHOWN),
        "summary": plan.summary(),
        "changes": planned.as_json(plan.changes, MOST_SHOWN),
    }
    if ended:
        values |= {"content": None, "finished_at": func.now()}
    if values["state"] == "done":
        values["rows_done"] = Import.rows
    await _update(session, import_id, state, values)


async def _note(env: jobs.JobEnvironment, import_id: UUID, state: str, **values: int) -> None:
    """Stores progress in a transaction of its own, visible at once. Raises ImportDiscarded."""
    async with begin(env.sessions) as session:
        await _update(session, import_id, state, values)


async def _update(session: AsyncSession, import_id: UUID, state: str, values: dict[str, Any]) -> None:
    """Raises ImportDiscarded when the import has left this state, so that the caller's transaction rolls back."""
    still = (Import.id == import_id) & (Import.state == state)
    if await session.scalar(update(Import).where(still).values(**values).returning(Import.id)) is None:
        raise ImportDiscarded


async def _locked(session: AsyncSession, import_id: UUID) -> Import:
    import_row = await session.scalar(select(Import).where(Import.id == import_id).with_for_update())
    if import_row is None:
        raise NotFound("This import")
    return import_row


async def _allowed_actor(session: AsyncSession, env: jobs.JobEnvironment, started_by: UUID, plan: ImportPlan) -> Viewer:
    """The admin who started the import, with the rights of this moment. Raises RightsLost."""
    required = env.resources.get(Settings).admin_second_factor_required
    actor = await identity.viewer_now(session, started_by, second_factor_required=required)
    if actor is None or not actor.is_admin:
        raise RightsLost(plan, NO_ADMIN)
    if plan.new_products and not actor.is_primary:
        raise RightsLost(plan, NOT_YOURS)
    return actor

"""Builds and imports CSV files without a browser."""

import csv
import io
from collections.abc import Mapping, Sequence
from hashlib import md5
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert

from server.identity.models import User
from server.inventory import exports, imports
from server.inventory.models import Import
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.viewer import Viewer
from tests.due_jobs import run_all_due
from tests.inventory.shelf import OWNER

RANGE = ("products", "product_colors", "variants", "product_images", "stock_movements")


def file_of(rows: Sequence[Mapping[str, str]]) -> bytes:
    """A plain file with the columns of the first row."""
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return buffer.getvalue().encode()


def rows_of(content: bytes) -> list[dict[str, str]]:
    """As a program reads it that knows nothing of the shop."""
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


async def exported(sessions: Sessions, unit: str = "cm") -> bytes:
    return b"".join([piece async for piece in exports.export(sessions, "http://localhost:23010", unit)])


async def brought(env: JobEnvironment, content: bytes, actor: Viewer = OWNER) -> Import:
    """Looked at, but not started."""
    async with begin(env.sessions) as session:
        await session.execute(insert(User).values(_account_of(actor)).on_conflict_do_nothing())
        import_id = await imports.bring(session, "range.csv", content, actor)
    await work(env)
    return await known(env, import_id)


def _account_of(actor: Viewer) -> dict[str, object]:
    rights = {"role": actor.role.value, "is_primary": actor.is_primary}
    return {"id": actor.user_id, "email": actor.email, "name": actor.name, **rights}


async def done(env: JobEnvironment, content: bytes, actor: Viewer = OWNER) -> Import:
    """Brought, started and worked through."""
    import_row = await brought(env, content, actor)
    assert import_row.state == "ready", import_row.problems
    async with begin(env.sessions) as session:
        await imports.start(session, import_row.id, actor)
    await work(env)
    return await known(env, import_row.id)


async def work(env: JobEnvironment) -> None:
    """Does the imports' jobs until none is due."""
    worker = Worker(env, imports.HANDLERS)
    await run_all_due(worker)


async def known(env: JobEnvironment, import_id: UUID) -> Import:
    async with env.sessions() as session:
        return await imports.one(session, import_id)


async def checksums(sessions: Sessions, tables: Sequence[str] = RANGE) -> dict[str, str]:
    """Of everything that makes up the range."""
    async with sessions() as session:
        sums = {}
        for table in tables:
            rows = (await session.scalars(text(f"SELECT t::text FROM {table} t ORDER BY 1"))).all()
            sums[table] = f"{len(rows)} rows {md5(chr(10).join(rows).encode()).hexdigest()}"
        return sums

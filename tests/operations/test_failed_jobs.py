"""The back office's list of failed jobs."""

from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.mail import service as mail
from server.mail.messages import PasswordChanged
from server.platform.core import failed_jobs
from server.platform.core.db import begin
from server.platform.core.models import FailedJob, Job
from tests.api.asking import ask
from tests.api.conftest import Shop

LIST = """
query ($after: String) {
  admin { failedJobs(first: 1, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } nodes { id kind reference attempts error }
  } }
}
"""
DECIDE = "mutation ($id: ID!) {{ {name}(id: $id) {{ ok }} }}"


async def give_up(session: AsyncSession, kind: str, payload: dict[str, Any], key: str | None = None) -> str:
    job = Job(kind=kind, payload=payload, key=key, attempts=3)
    session.add(job)
    await session.flush()
    await failed_jobs.keep(session, job, "Refused: SMTPDataError 550")
    await session.delete(job)
    return str(job.id)


@pytest.fixture
async def failed(shop: Shop) -> list[str]:
    """A refund and, later, a mail. Neither of them can be taken up by the shop's own workers."""
    async with begin(shop.sessions) as session:
        await mail.enqueue(session, PasswordChanged(), key="k", to="ann@b.test", shop_url="http://localhost:1")
        open_mail = (await session.scalars(select(Job).where(Job.kind == "mail"))).one()
        refund = await give_up(session, "refund", {"refund_id": "r-1"}, key="refund:r-1")
        await failed_jobs.keep(session, open_mail, "Refused: SMTPDataError 550")
        await session.delete(open_mail)
        return [str(open_mail.id), refund]


async def listed(shop: Shop, after: str | None = None) -> dict[str, Any]:
    connection: dict[str, Any] = (await ask(shop, "admin", LIST, after=after))["admin"]["failedJobs"]
    return connection


async def test_admins_see_what_failed_page_by_page_without_the_address(shop: Shop, failed: list[str]) -> None:
    first = await listed(shop)
    second = await listed(shop, first["pageInfo"]["endCursor"])

    nodes = [*first["nodes"], *second["nodes"]]
    assert [(node["kind"], node["reference"]) for node in nodes] == [
        ("refund", "r-1"),
        ("mail", PasswordChanged().subject),
    ]
    assert (first["totalCount"], first["pageInfo"]["hasNextPage"], second["pageInfo"]["hasNextPage"]) == (
        2,
        True,
        False,
    )
    assert {node["error"] for node in nodes} == {"Refused: SMTPDataError 550"}
    assert "ann@b.test" not in str(nodes)


async def test_a_job_is_started_again_and_the_audit_log_says_by_whom(shop: Shop, failed: list[str]) -> None:
    await ask(shop, "primary", DECIDE.format(name="retryJob"), id=failed[0])

    async with shop.sessions() as session:
        assert await session.scalar(select(func.count()).where(FailedJob.kind == "mail")) == 0
        entry = (await session.scalars(select(AuditEntry).where(AuditEntry.subject_kind == "job"))).one()
    assert (entry.action, entry.subject_id) == ("job started again", failed[0])
    assert entry.before == {"error": "Refused: SMTPDataError 550", "attempts": 0}


async def test_a_dropped_job_is_gone_for_good(shop: Shop, failed: list[str]) -> None:
    await ask(shop, "primary", DECIDE.format(name="deleteJob"), id=failed[1])

    async with shop.sessions() as session:
        assert await session.scalar(select(func.count()).where(Job.kind == "refund")) == 0
        assert await session.scalar(select(func.count()).where(FailedJob.kind == "refund")) == 0
        assert await session.scalar(select(AuditEntry.action).where(AuditEntry.subject_kind == "job")) == "job dropped"

"""Reports run one at a time, and never take a shopper's database connection."""

import asyncio
import os
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, make_url, select
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from server.analytics.reports.pool import ReportsPool
from server.platform.core.db import Sessions, begin
from server.platform.core.process_priority import NICE
from tests.platform.web.limited_app import limited

NICEST = 19


async def test_reports_that_wait_for_each_other_keep_nobody_out_of_the_shop(database_url: str) -> None:
    warehouse, begun, over = ReportsPool(database_url), asyncio.Event(), asyncio.Event()

    async def shop(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/report":
            async with warehouse.snapshot():
                begun.set()
                await over.wait()
        await PlainTextResponse("Here")(scope, receive, send)

    door = limited(shop, max_concurrent=1, read_queue_timeout=0.2)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://shop.test") as visitor:
        reports = [asyncio.create_task(visitor.get("/report")) for _ in range(3)]
        await begun.wait()
        page = await visitor.get("/")
        over.set()
        answers = await asyncio.gather(*reports)
    await warehouse.close()

    assert page.status_code == 200
    assert [answer.status_code for answer in answers] == [200, 200, 200]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not say who comes first")
async def test_the_database_works_on_a_report_with_what_others_leave_of_the_processors(
    database_url: str, sessions: Sessions
) -> None:
    if not str(make_url(database_url).query.get("host", "")).startswith("/"):
        pytest.skip("the database is on another machine")
    warehouse = ReportsPool(database_url)

    async with warehouse.snapshot() as (session, _):
        theirs = int(await session.scalar(select(func.pg_backend_pid())) or 0)
    async with begin(sessions) as session:
        ours = int(await session.scalar(select(func.pg_backend_pid())) or 0)

    assert _nice(theirs) == min(_nice(ours) + NICE, NICEST)
    assert (_nice_of_session(theirs), _nice_of_session(ours)) in {(NICE, 0), (None, None)}
    await warehouse.close()


def _nice(pid: int) -> int:
    return os.getpriority(os.PRIO_PROCESS, pid)


def _nice_of_session(pid: int) -> int | None:
    """None where the system shares out processors without looking at sessions."""
    file = Path(f"/proc/{pid}/autogroup")
    return int(file.read_text().split()[-1]) if file.exists() else None

"""What the owner sees of how the shop runs: processes, queues, backups, and what failed last."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func

from server.analytics.models import AnalyticsOutbox
from server.app import WebProcess
from server.background import BackgroundWork
from server.config import Settings
from server.operations import heartbeats
from server.operations.heartbeats import ProcessHealth, Pulse
from server.operations.models import Heartbeat
from server.operations.overview import QueuesByKind, overview
from server.platform.core.db import Sessions, begin
from server.platform.core.models import FailedJob, Job
from server.run.reports import ReportsProcess
from tests.api.asking import ask
from tests.api.conftest import Shop

SECONDS = 30
PAGE = """
{ admin { operations {
  at reportsLagSeconds
  processes { id role version host pid startedAt seenAt isAlive isLeader indexAgeSeconds replica { lagSeconds } }
  queues { name running waiting oldestSeconds retrying failed }
  failures { kind reference error }
  backups { missingSince wholeAt verifiedAt restorableFrom restorableUntil problem }
} } }
"""


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(_env_file=None, port=23_410, database_url=database_url, shop_data=tmp_path)  # type: ignore[call-arg]


async def said(sessions: Sessions, **values: Any) -> UUID:
    """A row as a process somewhere else may have left it; `ago` seconds have passed since."""
    ago = timedelta(seconds=values.pop("ago", 0))
    columns = {"role": "worker", "version": "0.1.0", "host": "elsewhere", "pid": 7, "is_leader": False, **values}
    row = Heartbeat(id=uuid4(), **columns, started_at=func.now() - timedelta(days=1), seen_at=func.now() - ago)
    async with begin(sessions) as session:
        session.add(row)
        await session.flush()
        return row.id


async def rows(sessions: Sessions) -> dict[str, Heartbeat]:
    """What each process says of itself, by its role."""
    async with sessions() as session:
        return {row.role: row for row in await heartbeats.listed(session)}


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110 - nobody sets an event for it
            await asyncio.sleep(0.02)


async def operations(shop: Shop) -> dict[str, Any]:
    """The page, without the process that answers it."""
    seen: dict[str, Any] = (await ask(shop, "primary", PAGE))["admin"]["operations"]
    return seen | {"processes": [each for each in seen["processes"] if each["host"] == "elsewhere"]}


async def test_each_role_is_listed_while_it_lives_and_no_longer(
    settings: Settings, sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heartbeats, "SECONDS", 0.05)
    worker, web, reports = BackgroundWork(settings), WebProcess(settings), ReportsProcess(settings)
    async with AsyncExitStack() as running:
        for each in (worker.running(), web.doing(web.follower.run(web.sessions)), reports.doing()):
            await running.enter_async_context(each)

        async def all_are_up() -> bool:
            seen = await rows(sessions)
            up = {role for role, row in seen.items() if row.index_age in (0, None)}
            return up == {"web", "worker", "reports"} and seen["worker"].is_leader

        await until(all_are_up)
        seen = await rows(sessions)
    left = await rows(sessions)

    assert {role: (row.is_leader, row.index_age, row.replica_lag) for role, row in seen.items()} == {
        "worker": (True, None, None),
        "web": (False, 0.0, None),
        "reports": (False, None, None),
    }
    assert {row.pid for row in seen.values()} == {os.getpid()}
    assert {row.version for row in seen.values()} == {"checkout"}
    assert left == {}


async def test_a_process_keeps_its_row_and_the_moment_when_it_began(settings: Settings, sessions: Sessions) -> None:
    process = BackgroundWork(settings)
    health = ProcessHealth()
    pulse = Pulse("worker", lambda: health)
    await pulse.beat(process.env)
    first = (await rows(sessions))["worker"]
    health = ProcessHealth(is_leader=True, index_age=3.0, replica_lag=float("inf"))

    await pulse.beat(process.env)
    second = (await rows(sessions))["worker"]
    await process.engine.dispose()

    assert (second.id, second.started_at) == (first.id, first.started_at)
    assert second.seen_at > first.seen_at
    assert (second.is_leader, second.index_age, second.replica_lag) == (True, 3.0, float("inf"))


async def test_a_process_that_says_nothing_is_shown_as_silent_and_then_dropped(
    shop: Shop, sessions: Sessions, settings: Settings
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # The shop that is asked drops others as well, at moments of its own.
        patch.setattr(heartbeats, "FORGOTTEN", timedelta(hours=1))
        alive = await said(sessions, ago=15)
        silent = await said(sessions, ago=25)
        await said(sessions, ago=605)
        listed = {UUID(each["id"]): each["isAlive"] for each in (await operations(shop))["processes"]}

    process = BackgroundWork(settings)
    await Pulse("worker", ProcessHealth).beat(process.env)
    await process.engine.dispose()
    left = {UUID(each["id"]) for each in (await operations(shop))["processes"]}

    assert (listed[alive], listed[silent], len(listed)) == (True, False, 3)
    assert left == {alive, silent}


async def test_the_owner_sees_what_a_process_says_of_index_and_replica(shop: Shop, sessions: Sessions) -> None:
    await said(sessions, role="web", index_age=12.5, replica_lag=0.25)
    await said(sessions, role="reports", replica_lag=float("inf"))

    seen = await operations(shop)

    reports, web = seen["processes"]
    assert (web["role"], web["version"], web["host"], web["pid"]) == ("web", "0.1.0", "elsewhere", 7)
    assert (web["indexAgeSeconds"], web["replica"]) == (12.5, {"lagSeconds": 0.25})
    assert (reports["indexAgeSeconds"], reports["replica"]) == (None, {"lagSeconds": None})
    day = datetime.fromisoformat(seen["at"]) - datetime.fromisoformat(web["startedAt"])
    assert timedelta(days=1) <= day < timedelta(days=1, minutes=5)


async def test_jobs_are_counted_by_queue_as_running_waiting_tried_again_and_given_up(sessions: Sessions) -> None:
    queues = QueuesByKind({"mail": "mail", "refund": "payments", "cancellation": "payments"})
    hour, now = timedelta(hours=1), func.now()
    async with begin(sessions) as session:
        session.add_all(
            [
                Job(kind="refund", payload={}, run_at=now - hour, leased_until=now + hour, attempts=1),
                Job(kind="refund", payload={}, run_at=now - timedelta(minutes=2)),
                Job(kind="cancellation", payload={}, run_at=now - timedelta(minutes=7), leased_until=now - hour),
                Job(kind="cancellation", payload={}, run_at=now + hour, attempts=3, last_error="ProviderDown"),
                Job(kind="of a newer version", payload={}, run_at=now + hour),
                FailedJob(id=uuid4(), kind="refund", payload={}, attempts=9, error="x", created_at=now),
            ]
        )
    async with sessions() as session:
        counted = (await overview(session, queues)).queues

    counts = {each.name: (each.running, each.waiting, each.retrying, each.failed) for each in counted}
    assert counts == {"mail": (0, 0, 0, 0), "payments": (1, 2, 1, 1), "of a newer version": (0, 0, 0, 0)}
    oldest = {each.name: each.oldest for each in counted}
    assert (oldest["mail"], oldest["of a newer version"]) == (None, None)
    assert 420 <= (oldest["payments"] or 0) < 480


async def test_every_queue_is_shown_and_the_last_five_failures(shop: Shop) -> None:
    async with begin(shop.sessions) as session:
        for number in range(7):
            failed = {"id": UUID(int=number), "kind": "refund", "attempts": 1, "error": "Refused"}
            session.add(FailedJob(**failed, payload={"refund_id": f"r-{number}"}, created_at=func.now()))

    seen = await operations(shop)

    assert [each["name"] for each in seen["queues"]] == [
        *("payments", "identity", "restock", "mail", "imports", "content", "reports")
    ]
    assert seen["queues"][0]["failed"] == 7
    assert [each["reference"] for each in seen["failures"]] == ["r-6", "r-5", "r-4", "r-3", "r-2"]


async def test_backups_are_as_far_as_a_living_worker_saw_them(shop: Shop, sessions: Sessions) -> None:
    before = (await operations(shop))["backups"]
    moments = [datetime.fromisoformat(f"2026-11-24T0{hour}:00:00+00:00") for hour in range(4)]
    await said(sessions, archived_until=moments[1], base_backup_at=moments[0])
    await said(sessions, archived_until=moments[2])
    await said(sessions, archived_until=moments[3], base_backup_at=moments[3], ago=60)

    seen = (await operations(shop))["backups"]

    assert before is None
    assert [datetime.fromisoformat(seen[name]) for name in ("missingSince", "wholeAt")] == [moments[2], moments[0]]


async def test_what_the_backups_prove_is_what_was_read_last(shop: Shop, sessions: Sessions) -> None:
    moments = [datetime.fromisoformat(f"2026-11-24T0{hour}:00:00+00:00") for hour in range(4)]
    watching = {"archived_until": moments[3], "base_backup_at": moments[0]}
    verified = {"restorable_from": moments[0], "restorable_until": moments[1]}
    await said(sessions, **watching)
    before = (await operations(shop))["backups"]
    await said(sessions, **watching, **verified, backup_verified_at=moments[2], backup_problem="")
    proved = (await operations(shop))["backups"]
    await said(sessions, **watching, backup_verified_at=moments[3], backup_problem="A segment is missing")

    seen = (await operations(shop))["backups"]

    assert [before[name] for name in ("verifiedAt", "restorableFrom", "problem")] == [None, None, None]
    names = ("restorableFrom", "restorableUntil", "verifiedAt")
    assert [datetime.fromisoformat(proved[name]) for name in names] == moments[:3]
    assert proved["problem"] is None
    assert (seen["restorableFrom"], seen["problem"]) == (None, "A segment is missing")


async def test_the_age_of_facts_that_reports_lack_is_told(shop: Shop) -> None:
    before = (await operations(shop))["reportsLagSeconds"]
    async with begin(shop.sessions) as session:
        session.add(AnalyticsOutbox(at=func.now() - timedelta(hours=1), order_id=uuid4()))

    after = (await operations(shop))["reportsLagSeconds"]

    assert before == 0
    assert 3_600 <= after < 3_700

"""Worker processes share the queues of a shop; one of them keeps its schedule, and another after it."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select, text

from server import wiring
from server.background import BackgroundWork
from server.config import Settings
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, JobQueue, enqueue
from server.platform.core.locks import Lock
from server.platform.core.models import Job

SECONDS = 30
END = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = :lock"
A_WHILE = 40
"""Rounds of the schedule, in which a second leader would show itself."""


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(_env_file=None, port=23_400, database_url=database_url, shop_data=tmp_path)  # type: ignore[call-arg]


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """How often each process did what is scheduled, by its environment's id."""
    counted: Counter[int] = Counter()

    async def note(env: JobEnvironment) -> None:
        counted[id(env)] += 1

    monkeypatch.setattr(wiring, "PERIODIC", [(0.02, note)])
    return counted


async def test_one_keeps_the_schedule_and_when_it_ends_another(settings: Settings, rounds: Counter[int]) -> None:
    first, second = BackgroundWork(settings), BackgroundWork(settings)
    async with contextlib.AsyncExitStack() as running:
        async with first.running():
            await until(lambda: rounds[id(first.env)] > 0)
            await running.enter_async_context(second.running())
            await until(lambda: second.listener.is_connected)
            seen = rounds[id(first.env)]
            await until(lambda: rounds[id(first.env)] > seen + A_WHILE)
            of_the_second = rounds[id(second.env)]
        await until(lambda: rounds[id(second.env)] > 0)

    assert of_the_second == 0


async def test_a_leader_that_lost_its_connection_leads_no_more(
    settings: Settings, rounds: Counter[int], sessions: Sessions
) -> None:
    leader = BackgroundWork(settings)
    async with leader.running():
        await until(lambda: leader.listener.is_leader)
        async with begin(sessions) as session:
            ended = (await session.scalars(text(END), {"lock": Lock.SCHEDULE.value})).all()
        await until(lambda: not leader.listener.is_leader)
        await until(lambda: leader.listener.is_leader)

    assert ended == [True]


async def test_a_worker_of_some_queues_leaves_the_others_alone(
    settings: Settings, sessions: Sessions, rounds: Counter[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    def handler(kind: str) -> JobQueue:
        async def run(_env: JobEnvironment, _payload: dict[str, object]) -> None:
            done.append(kind)

        return JobQueue({kind: run})

    monkeypatch.setattr(wiring, "QUEUES", {"money": handler("refund of a test"), "slow": handler("import of a test")})
    async with begin(sessions) as session:
        await enqueue(session, "import of a test", {})
        await enqueue(session, "refund of a test", {})
    async with BackgroundWork(settings, ["money"]).running():
        await until_open(sessions, {"import of a test"})
        some = list(done)
    async with BackgroundWork(settings, ["money", "slow"]).running():
        await until_open(sessions, set())

    assert some == ["refund of a test"]
    assert done == ["refund of a test", "import of a test"]


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not happened():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def until_open(sessions: Sessions, kinds: set[str]) -> None:
    """Waits until only jobs of these kinds are left: one whose result is not yet recorded would run again."""
    async with asyncio.timeout(SECONDS), sessions() as session:
        while set(await session.scalars(select(Job.kind))) != kinds:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

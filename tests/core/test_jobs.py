import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import func, select, update

from server.core.db import Sessions, begin
from server.core.jobs import Env, Worker, carry_on, close, enqueue, hold
from server.core.models import Job
from server.core.notify import Listener
from server.core.resources import Resources


@pytest.fixture
def env(sessions: Sessions) -> Env:
    return Env(sessions, Resources())


async def open_jobs(env: Env) -> int:
    async with env.sessions() as session:
        return (await session.scalars(select(func.count()).select_from(Job))).one()


async def add(env: Env, kind: str, **payload: Any) -> None:
    async with begin(env.sessions) as session:
        await enqueue(session, kind, payload)


async def test_a_job_of_a_transaction_that_was_rolled_back_never_runs(env: Env) -> None:
    async with env.sessions() as session:
        await enqueue(session, "greet", {})
        await session.rollback()

    assert await open_jobs(env) == 0


async def test_a_key_makes_one_open_job(env: Env) -> None:
    for _ in range(3):
        async with begin(env.sessions) as session:
            await enqueue(session, "greet", {}, key="greet:1")

    assert await open_jobs(env) == 1


async def test_a_job_that_fails_is_tried_again_until_it_succeeds(env: Env) -> None:
    tries = []

    async def flaky(_env: Env, payload: dict[str, Any]) -> None:
        tries.append(payload["n"])
        if len(tries) < 3:
            raise ConnectionError("not yet")

    await add(env, "flaky", n=7)
    worker = Worker(env, {"flaky": flaky})
    for _ in range(3):
        async with begin(env.sessions) as session:
            await session.execute(update(Job).values(run_at=datetime.now(UTC)))
        await worker.run_due()

    assert tries == [7, 7, 7]
    assert await open_jobs(env) == 0


async def test_a_job_that_leaves_the_rest_of_its_work_goes_on_with_it_at_once(env: Env) -> None:
    done = []

    async def in_parts(env: Env, payload: dict[str, Any]) -> None:
        done.append(payload["n"])
        async with begin(env.sessions) as session:
            assert await hold(session, "long") == payload
            if payload["n"] < 3:
                await carry_on(session, "long", {"n": payload["n"] + 1})

    async with begin(env.sessions) as session:
        await enqueue(session, "in parts", {"n": 1}, key="long")
    worker = Worker(env, {"in parts": in_parts})
    while await worker.run_due():
        pass

    assert done == [1, 2, 3]
    assert await open_jobs(env) == 0


async def test_what_was_left_by_a_transaction_that_was_rolled_back_is_left_as_it_was(env: Env) -> None:
    async with begin(env.sessions) as session:
        await enqueue(session, "in parts", {"n": 1}, key="long")

    async with env.sessions() as session:
        await carry_on(session, "long", {"n": 2})
        await close(session, "long")
        await session.rollback()

    async with begin(env.sessions) as session:
        assert await hold(session, "long") == {"n": 1}
        assert await hold(session, "another") is None


async def test_several_workers_do_each_job_once(env: Env) -> None:
    done: list[int] = []

    async def count(_env: Env, payload: dict[str, Any]) -> None:
        await asyncio.sleep(0.005)
        done.append(payload["n"])

    for n in range(40):
        await add(env, "count", n=n)
    workers = [Worker(env, {"count": count}) for _ in range(4)]

    async def drain(worker: Worker) -> None:
        while await worker.run_due():
            pass

    await asyncio.gather(*(drain(worker) for worker in workers))

    assert sorted(done) == list(range(40))


async def test_the_lease_of_a_worker_that_died_runs_out(env: Env) -> None:
    done = []

    async def note(_env: Env, payload: dict[str, Any]) -> None:
        done.append(payload)

    await add(env, "note")
    async with begin(env.sessions) as session:
        await session.execute(update(Job).values(leased_until=datetime(2020, 1, 1, tzinfo=UTC)))

    await Worker(env, {"note": note}).run_due()

    assert done == [{}]


async def test_a_commit_wakes_a_worker_that_listens(env: Env, database_url: str) -> None:
    done = asyncio.Event()

    async def note(_env: Env, _payload: dict[str, Any]) -> None:
        done.set()

    worker, listener = Worker(env, {"note": note}), Listener(database_url)
    listener.on("jobs", worker.wake)
    tasks = [asyncio.create_task(worker.run()), asyncio.create_task(listener.run())]
    await asyncio.sleep(0.2)

    await add(env, "note")

    await asyncio.wait_for(done.wait(), 0.9)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

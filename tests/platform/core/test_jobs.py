import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import func, select, update
from sqlalchemy.exc import IntegrityError
from structlog.testing import LogCapture

from server import wiring
from server.platform.core import failed_jobs, jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import NotFound
from server.platform.core.jobs import (
    Deferred,
    GivenUp,
    JobEnvironment,
    JobKind,
    Worker,
    close,
    continue_with,
    enqueue,
    hold,
)
from server.platform.core.models import FailedJob, Job
from server.platform.core.notify import Listener
from server.platform.core.resources import Resources
from tests.clocks import clock_moved_by
from tests.due_jobs import run_all_due, run_due


@pytest.fixture
def env(sessions: Sessions) -> JobEnvironment:
    return JobEnvironment(sessions, Resources())


async def open_jobs(env: JobEnvironment) -> int:
    async with env.sessions() as session:
        return (await session.scalars(select(func.count()).select_from(Job))).one()


async def add(env: JobEnvironment, kind: str, **payload: Any) -> None:
    async with begin(env.sessions) as session:
        await enqueue(session, kind, payload)


async def test_a_job_of_a_transaction_that_was_rolled_back_never_runs(env: JobEnvironment) -> None:
    async with env.sessions() as session:
        await enqueue(session, "greet", {})
        await session.rollback()

    assert await open_jobs(env) == 0


async def test_a_key_makes_one_open_job(env: JobEnvironment) -> None:
    for _ in range(3):
        async with begin(env.sessions) as session:
            await enqueue(session, "greet", {}, key="greet:1")

    assert await open_jobs(env) == 1


async def test_a_job_that_fails_is_tried_again_until_it_succeeds(env: JobEnvironment) -> None:
    tries = []

    async def flaky(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        tries.append(payload["n"])
        if len(tries) < 3:
            raise ConnectionError("not yet")

    await add(env, "flaky", n=7)
    worker = Worker(env, {"flaky": flaky})
    for _ in range(3):
        async with begin(env.sessions) as session:
            await session.execute(update(Job).values(run_at=datetime.now(UTC)))
        await run_due(worker)

    assert tries == [7, 7, 7]
    assert await open_jobs(env) == 0


async def test_a_job_that_leaves_the_rest_of_its_work_goes_on_with_it_at_once(env: JobEnvironment) -> None:
    done = []

    async def in_parts(env: JobEnvironment, payload: dict[str, Any]) -> None:
        done.append(payload["n"])
        async with begin(env.sessions) as session:
            assert await hold(session, "long") == payload
            if payload["n"] < 3:
                await continue_with(session, "long", {"n": payload["n"] + 1})

    async with begin(env.sessions) as session:
        await enqueue(session, "in parts", {"n": 1}, key="long")
    worker = Worker(env, {"in parts": in_parts})
    await run_all_due(worker)

    assert done == [1, 2, 3]
    assert await open_jobs(env) == 0


async def test_what_was_left_by_a_transaction_that_was_rolled_back_is_left_as_it_was(env: JobEnvironment) -> None:
    async with begin(env.sessions) as session:
        await enqueue(session, "in parts", {"n": 1}, key="long")

    async with env.sessions() as session:
        await continue_with(session, "long", {"n": 2})
        await close(session, "long")
        await session.rollback()

    async with begin(env.sessions) as session:
        assert await hold(session, "long") == {"n": 1}
        assert await hold(session, "another") is None


async def test_several_workers_do_each_job_once(env: JobEnvironment) -> None:
    done: list[int] = []

    async def count(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        await asyncio.sleep(0.005)
        done.append(payload["n"])

    for n in range(40):
        await add(env, "count", n=n)
    workers = [Worker(env, {"count": count}) for _ in range(4)]

    await asyncio.gather(*(run_all_due(worker) for worker in workers))

    assert sorted(done) == list(range(40))


async def test_the_lease_of_a_worker_that_died_runs_out(env: JobEnvironment) -> None:
    done = []

    async def note(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        done.append(payload)

    await add(env, "note")
    async with begin(env.sessions) as session:
        await session.execute(update(Job).values(leased_until=datetime(2020, 1, 1, tzinfo=UTC)))

    await run_due(Worker(env, {"note": note}))

    assert done == [{}]


async def test_a_commit_wakes_a_worker_that_listens(
    env: JobEnvironment, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks for jobs by itself once an hour."""
    monkeypatch.setattr(jobs, "IDLE_SECONDS", 3600)
    done = []

    async def note(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        done.append(payload)

    async def is_connected() -> bool:
        return listener.is_connected

    worker, listener = Worker(env, {"note": note}), Listener(database_url)
    listener.on("jobs", worker.wake)
    listening = asyncio.create_task(listener.run())
    try:
        await until(is_connected)
        await add(env, "note", n=1)
        async with working(worker):
            await until(lambda: is_empty(env))
            await add(env, "note", n=2)
            await until(lambda: is_empty(env))
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)

    assert done == [{"n": 1}, {"n": 2}]


@asynccontextmanager
async def working(*workers: Worker) -> AsyncIterator[None]:
    tasks = [asyncio.create_task(worker.run()) for worker in workers]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(holds: Callable[[], Awaitable[bool]], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def is_empty(env: JobEnvironment) -> bool:
    return await open_jobs(env) == 0


async def the_job(env: JobEnvironment) -> Job:
    async with env.sessions() as session:
        return (await session.scalars(select(Job))).one()


async def make_due(env: JobEnvironment) -> None:
    async with begin(env.sessions) as session:
        await session.execute(update(Job).values(run_at=func.now()))


async def failures(env: JobEnvironment) -> list[FailedJob]:
    async with env.sessions() as session:
        return list(await failed_jobs.page(session, 100))


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=3))
    monkeypatch.setattr(jobs, "IDLE_SECONDS", 0.05)


@pytest.fixture(autouse=True)
def said(monkeypatch: pytest.MonkeyPatch) -> LogCapture:
    said = LogCapture()
    monkeypatch.setattr(jobs, "log", structlog.wrap_logger(None, processors=[said]))
    return said


@pytest.mark.io_bound
@pytest.mark.usefixtures("short_leases")
async def test_a_job_longer_than_several_leases_is_done_once_and_whole(env: JobEnvironment, said: LogCapture) -> None:
    begun, ended = [], []

    async def long(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        begun.append(payload)
        await asyncio.sleep(7)
        ended.append(payload)

    await add(env, "long")
    async with working(*(Worker(env, {"long": long}) for _ in range(3))):
        await until(lambda: is_empty(env))

    assert (begun, ended) == ([{}], [{}])
    assert said.entries == []


@pytest.mark.io_bound
@pytest.mark.usefixtures("short_leases")
async def test_a_job_that_holds_its_own_row_costs_no_other_job_its_lease(env: JobEnvironment) -> None:
    begun = []

    async def holding(env: JobEnvironment, _payload: dict[str, Any]) -> None:
        begun.append("holding")
        async with begin(env.sessions) as session:
            await hold(session, "held")
            await asyncio.sleep(7)
            await close(session, "held")

    async def waiting(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        begun.append("waiting")
        await asyncio.sleep(7)

    async with begin(env.sessions) as session:
        await enqueue(session, "holding", {}, key="held")
        await enqueue(session, "waiting", {})
    async with working(*(Worker(env, {"holding": holding, "waiting": waiting}) for _ in range(2))):
        await until(lambda: is_empty(env))

    assert sorted(begun) == ["holding", "waiting"]


@pytest.mark.io_bound
async def test_a_killed_workers_job_runs_again_once_its_lease_expires(env: JobEnvironment, database_url: str) -> None:
    done = asyncio.Event()

    async def note(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        done.set()

    await add(env, "note")
    command = [sys.executable, "-m", "tests.platform.core.stuck_worker", database_url, "note", "3"]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[3], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert await asyncio.to_thread(process.stdout.readline) == b"begun\n"
    async with working(Worker(env, {"note": note})):
        await asyncio.sleep(5)
        while_it_lived = done.is_set()
        process.kill()
        process.wait()
        await asyncio.wait_for(done.wait(), 30)
        await until(lambda: is_empty(env))

    assert process.returncode == -signal.SIGKILL
    assert not while_it_lived


async def test_jobs_of_a_dead_worker_run_again_within_a_minute() -> None:
    assert jobs.LEASE.total_seconds() + jobs.IDLE_SECONDS < 45


@pytest.mark.io_bound
async def test_a_late_result_of_a_stopped_worker_is_ignored(env: JobEnvironment, database_url: str) -> None:
    """The first is stopped for longer than its lease, as by a paused machine, and ends while the second works."""
    go_on = asyncio.Event()

    async def wait(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        await go_on.wait()

    await add(env, "wait")
    command = [sys.executable, "-m", "tests.platform.core.stuck_worker", database_url, "wait", "1", "ends when told"]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[3], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdin is not None
    assert await asyncio.to_thread(process.stdout.readline) == b"begun\n"
    process.send_signal(signal.SIGSTOP)
    async with working(Worker(env, {"wait": wait})):
        await until(lambda: taken_up(env))
        process.stdin.close()
        process.send_signal(signal.SIGCONT)
        assert await asyncio.to_thread(process.wait, 20) == 0
        after_the_first = await the_job(env)
        go_on.set()
        await until(lambda: is_empty(env))

    assert after_the_first.attempts == 2
    assert after_the_first.lease is not None


async def taken_up(env: JobEnvironment) -> bool:
    return (await the_job(env)).attempts == 2


@pytest.mark.io_bound
@pytest.mark.usefixtures("short_leases")
async def test_a_worker_that_has_lost_a_lease_ends_its_own_run_of_the_job(
    env: JobEnvironment, said: LogCapture
) -> None:
    ends = []

    async def wait(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ends.append("ended")
            raise

    await add(env, "wait")
    async with working(Worker(env, {"wait": wait})):
        await until(lambda: has_attempts(env, 1))
        async with begin(env.sessions) as session:
            taken = {"lease": func.uuidv7(), "leased_until": func.now() + timedelta(minutes=1)}
            await session.execute(update(Job).values(**taken))
        await until(lambda: has_ended(ends))

    assert [line["event"] for line in said.entries] == ["job.lease_lost"]
    assert (await the_job(env)).leased_until is not None


async def has_attempts(env: JobEnvironment, number: int) -> bool:
    return (await the_job(env)).attempts == number


async def has_ended(ends: list[str]) -> bool:
    return bool(ends)


async def test_a_worker_whose_clock_is_wrong_takes_nothing_up_too_early_or_too_late(
    env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []

    async def note(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        done.append(payload["n"])

    async with begin(env.sessions) as session:
        await enqueue(session, "note", {"n": "in an hour"}, delay=timedelta(hours=1))
        await enqueue(session, "note", {"n": "another's"}, key="another's")
        await session.execute(
            update(Job).where(Job.key == "another's").values(leased_until=func.now() + timedelta(minutes=1))
        )
    for days in (1, -1):
        monkeypatch.setattr(jobs, "datetime", clock_moved_by(timedelta(days=days)), raising=False)
        async with begin(env.sessions) as session:
            await enqueue(session, "note", {"n": f"due, {days:+}"})
        await run_all_due(Worker(env, {"note": note}))

    assert done == ["due, +1", "due, -1"]


async def test_a_slow_job_holds_up_no_other_job_of_its_queue(env: JobEnvironment) -> None:
    done: list[int] = []
    go_on = asyncio.Event()

    async def work(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        if payload["n"] == 0:
            await go_on.wait()
        done.append(payload["n"])

    async def others_are_done() -> bool:
        return len(done) == 30

    for n in range(31):
        await add(env, "work", n=n)
    async with working(Worker(env, {"work": work}, concurrency=3)):
        await until(others_are_done)
        go_on.set()
        await until(lambda: is_empty(env))

    assert sorted(done[:-1]) == list(range(1, 31))
    assert done[-1] == 0


async def test_no_more_jobs_run_at_once_than_the_queue_allows(env: JobEnvironment) -> None:
    running, most = 0, 0

    async def work(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1

    for n in range(12):
        await add(env, "work", n=n)
    async with working(Worker(env, {"work": work}, concurrency=3)):
        await until(lambda: is_empty(env))

    assert most == 3


async def test_a_worker_that_is_told_to_end_hands_its_jobs_back(env: JobEnvironment) -> None:
    async def wait(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        await asyncio.sleep(60)

    await add(env, "wait")
    async with working(Worker(env, {"wait": wait})):
        await until(lambda: has_attempts(env, 1))

    left = await the_job(env)
    assert (left.attempts, left.lease, left.leased_until) == (0, None, None)


async def test_after_its_last_attempt_a_job_keeps_its_error_until_it_is_retried(
    env: JobEnvironment, said: LogCapture
) -> None:
    tries = []

    async def fails(_env: JobEnvironment, payload: dict[str, Any]) -> None:
        tries.append(payload)
        if len(tries) < 4:
            raise ConnectionError("of ann@minimal.test")

    worker = Worker(env, {"fails": JobKind(fails, attempts=3)})
    async with begin(env.sessions) as session:
        await enqueue(session, "fails", {"n": 7}, key="fails:7")
    for _ in range(5):
        await make_due(env)
        await run_due(worker)
    [failed] = await failures(env)
    last = said.entries[-1]
    left_in_the_queue = await open_jobs(env)

    async with begin(env.sessions) as session:
        await jobs.restart(session, failed.id)
    await run_due(worker)

    assert tries == [{"n": 7}] * 4
    assert left_in_the_queue == 0
    assert (failed.kind, failed.key, failed.payload, failed.attempts) == ("fails", "fails:7", {"n": 7}, 3)
    assert failed.error.startswith("ConnectionError in ")
    assert "minimal.test" not in failed.error
    assert (last["event"], last["log_level"], last["kind"], last["attempts"]) == ("job.given_up", "error", "fails", 3)
    assert await failures(env) == []
    assert await open_jobs(env) == 0


async def test_a_job_that_says_that_trying_again_is_no_use_fails_at_once(env: JobEnvironment) -> None:
    async def refused(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        raise GivenUp from ValueError("secret")

    await add(env, "refused")
    await run_due(Worker(env, {"refused": refused}))

    [failed] = await failures(env)
    assert failed.attempts == 1
    assert failed.error.startswith("ValueError")
    assert "secret" not in failed.error


async def test_a_job_that_kills_its_worker_each_time_is_given_up(env: JobEnvironment) -> None:
    async def never(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        raise AssertionError("It is not to be run once more.")

    await add(env, "deadly")
    async with begin(env.sessions) as session:
        await session.execute(update(Job).values(attempts=jobs.ATTEMPTS))

    await run_due(Worker(env, {"deadly": never}))

    [failed] = await failures(env)
    assert failed.error == jobs.WORKER_DIED


async def test_a_job_that_could_not_begin_uses_up_no_attempt(env: JobEnvironment) -> None:
    async def busy(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        raise Deferred

    await add(env, "busy")
    worker = Worker(env, {"busy": JobKind(busy, attempts=2)})
    for _ in range(5):
        await make_due(env)
        await run_due(worker)

    assert (await the_job(env)).attempts == 0
    assert await failures(env) == []


async def test_of_failed_jobs_with_one_key_the_latest_is_listed_unless_one_is_open(
    env: JobEnvironment,
) -> None:
    async def refused(_env: JobEnvironment, _payload: dict[str, Any]) -> None:
        raise GivenUp

    for n in range(2):
        async with begin(env.sessions) as session:
            await enqueue(session, "refused", {"n": n}, key="k")
        await run_due(Worker(env, {"refused": refused}))
    [failed] = await failures(env)
    async with begin(env.sessions) as session:
        await enqueue(session, "refused", {"n": 2}, key="k")
        await jobs.restart(session, failed.id)
        with pytest.raises(NotFound):
            await jobs.restart(session, failed.id)

    assert failed.payload == {"n": 1}
    assert await failures(env) == []
    assert (await the_job(env)).payload == {"n": 2}


async def test_the_text_of_a_database_error_which_quotes_values_is_not_kept(env: JobEnvironment) -> None:
    async def twice(env: JobEnvironment, _payload: dict[str, Any]) -> None:
        async with begin(env.sessions) as session:
            for _ in range(2):
                session.add(
                    Job(kind="later", key="ann@minimal.test", payload={}, run_at=datetime(2100, 1, 1, tzinfo=UTC))
                )
                await session.flush()

    await add(env, "twice")
    await run_due(Worker(env, {"twice": JobKind(twice, attempts=1)}))

    [failed] = await failures(env)
    assert failed.error.startswith(IntegrityError.__name__)
    assert "ann" not in failed.error


def test_each_kind_of_job_is_in_one_queue_and_money_waits_for_nothing_else() -> None:
    kinds = [kind for queue in wiring.QUEUES.values() for kind in queue.handlers]

    assert len(kinds) == len(set(kinds))
    assert set(wiring.QUEUES["payments"].handlers) == {"refund", "cancellation"}

"""A rebuild of the facts continues after an interruption, and equals the incremental result while orders change."""

import asyncio
import random
import signal
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.analytics.models import AnalyticsState, Sale, SalesDay, ShopEvent
from server.analytics.reports.pool import ReportsPool
from server.config import Settings
from server.platform.core import jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.models import Job
from server.platform.core.resources import Resources
from server.shop import service as shop
from server.shop.service import SettingsCache
from tests.analytics.reports import books
from tests.due_jobs import run_all_due, run_due

ZONE = "Europe/Stockholm"
SETTINGS = Settings(time_zone=ZONE)
SEEDS = range(2)


@pytest.fixture
def env(sessions: Sessions) -> JobEnvironment:
    return JobEnvironment(sessions, Resources(SETTINGS, SettingsCache(SETTINGS)))


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "BATCH", 4)
    monkeypatch.setattr(facts, "EVENTS_AT_ONCE", 5)


async def some_past(sessions: Sessions, dice: random.Random, count: int = 24) -> list[books.BookOrder]:
    """A shop that has sold, been looked at and paid back; returns the orders that are still to come."""
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, count + count // 2)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
        views = [
            {"at": moment, "local_at": func.timezone(ZONE, moment), "visit": UUID(int=number), "kind": "viewed"}
            for number, moment in enumerate(order.at for order in orders[:count])
        ]
        for view in views:
            product = {"product_id": pieces[0].product, "category": pieces[0].category}
            await session.execute(insert(ShopEvent).values(**view, **product))
    await books.live_through(sessions, orders[:count], dice)
    return orders[count:]


async def want(sessions: Sessions) -> None:
    """As it is after a release that keeps other facts."""
    async with begin(sessions) as session:
        await session.execute(update(AnalyticsState).values(rebuilt_at=None))
        await jobs.enqueue(session, facts.JOB, {}, key=facts.JOB)


async def step(sessions: Sessions, settings: Settings = SETTINGS) -> facts.RebuildProgress | None:
    async with begin(sessions) as session:
        return await facts.step(session, settings)


async def facts_state(sessions: Sessions) -> facts.FactsState:
    async with sessions() as session:
        return await facts.facts_state(session)


async def open_jobs(sessions: Sessions) -> int:
    async with sessions() as session:
        return await session.scalar(select(func.count()).select_from(Job)) or 0


@pytest.mark.parametrize("seed", SEEDS)
async def test_ended_at_any_moment_it_goes_on_and_comes_to_what_the_increments_came_to(
    sessions: Sessions, seed: int
) -> None:
    dice = random.Random(seed)
    await some_past(sessions, dice)
    followed = await books.contents(sessions)
    await want(sessions)

    lost, taken = 0, [await step(sessions)]
    while not (await facts_state(sessions)).is_whole:
        async with sessions() as session:
            progress = await facts.step(session, SETTINGS)
            if dice.random() < 0.4:
                await session.rollback()
                lost += 1
            else:
                await session.commit()
                taken.append(progress)

    done = [each.done for each in taken if each is not None and each.stage == "orders"]
    assert lost > 0
    assert done == list(range(0, 25, 4))
    assert await books.contents(sessions) == followed
    assert await open_jobs(sessions) == 0


@pytest.mark.parametrize("seed", SEEDS)
async def test_what_is_sold_and_paid_back_between_the_batches_is_counted_once(sessions: Sessions, seed: int) -> None:
    dice = random.Random(seed)
    coming = await some_past(sessions, dice)
    await want(sessions)

    while not (await facts_state(sessions)).is_whole:
        await step(sessions)
        if coming:
            await books.live_through(sessions, [coming.pop()], dice)
    rebuilt = await books.contents(sessions)
    async with begin(sessions) as session:
        await facts.build(session)

    assert coming == []
    assert rebuilt == await books.contents(sessions)


async def test_without_the_place_in_the_queue_a_rebuild_that_is_ended_loses_what_it_had(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_past(sessions, random.Random(1))
    followed = await books.contents(sessions)
    await want(sessions)

    async def forgetful(session: Any, key: str, payload: dict[str, Any]) -> None:
        await continue_with(session, key, {})

    continue_with = jobs.continue_with
    monkeypatch.setattr(jobs, "continue_with", forgetful)
    for _ in range(30):
        await step(sessions)

    assert not (await facts_state(sessions)).is_whole
    assert await books.contents(sessions) != followed


async def test_a_lease_shorter_than_the_rebuild_ends_in_a_rebuilt_shop(
    sessions: Sessions, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_past(sessions, random.Random(2))
    followed = await books.contents(sessions)
    monkeypatch.setattr(facts, "BATCH", 1)
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=5.25))
    await want(sessions)

    began = time.perf_counter()
    while not (await facts_state(sessions)).is_whole:
        await run_due(Worker(env, facts.HANDLERS))
        await asyncio.sleep(0)
    took = time.perf_counter() - began

    assert took > 0.25
    assert await books.contents(sessions) == followed
    assert await open_jobs(sessions) == 0


async def test_the_command_and_the_workers_of_two_servers_rebuild_together(
    sessions: Sessions, env: JobEnvironment
) -> None:
    await some_past(sessions, random.Random(3))
    followed = await books.contents(sessions)
    workers = [asyncio.create_task(Worker(env, facts.HANDLERS).run()) for _ in range(2)]
    lines: list[str] = []

    done = await facts.rebuild(sessions, SETTINGS, on_progress=lines.append)

    for worker in workers:
        worker.cancel()
    await asyncio.gather(*workers, return_exceptions=True)
    assert done == 24
    assert len(lines) == len(set(lines))
    assert await books.contents(sessions) == followed


async def test_the_command_gives_way_to_who_reads_the_facts(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_past(sessions, random.Random(11), 4)
    monkeypatch.setattr(facts, "LOCK_TIMEOUT", "50ms")
    monkeypatch.setattr(facts, "PAUSE", 0.05)
    lines: list[str] = []
    gave_way = asyncio.Event()

    def hear(line: str) -> None:
        lines.append(line)
        gave_way.set()

    async with begin(sessions) as backup:
        await backup.execute(text("LOCK TABLE sales_by_day IN ACCESS SHARE MODE"))
        rebuilding = asyncio.create_task(facts.rebuild(sessions, SETTINGS, on_progress=hear))
        await gave_way.wait()
    done = await rebuilding

    assert lines[0] == "Giving way to a report, a payment or a backup"
    assert done == 4


COMMAND = """
import asyncio, sys
from server.analytics import facts
from server.config import Settings
from server.platform.core.db import create_engine, sessionmaker

facts.BATCH = 1
sessions = sessionmaker(create_engine(sys.argv[1]))
asyncio.run(facts.rebuild(sessions, Settings(time_zone=sys.argv[2]), on_progress=lambda line: print(line, flush=True)))
"""


async def test_killed_the_command_leaves_the_rest_to_the_server(
    sessions: Sessions, env: JobEnvironment, database_url: str
) -> None:
    await some_past(sessions, random.Random(4))
    followed = await books.contents(sessions)
    command = (sys.executable, "-c", COMMAND, database_url, ZONE)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    while not (await process.stdout.readline()).startswith(b"7 of 24 orders"):
        assert process.returncode is None

    process.send_signal(signal.SIGKILL)
    await process.wait()
    left = (await facts_state(sessions)).progress
    # The dead one's step holds the job until PostgreSQL has noticed.
    async with asyncio.timeout(60):
        while not (await facts_state(sessions)).is_whole:
            await run_all_due(Worker(env, facts.HANDLERS))
            await asyncio.sleep(0.02)

    assert left is not None
    assert left.stage == "orders"
    assert 7 <= left.done < 24
    assert await books.contents(sessions) == followed


async def test_another_zone_begins_the_rebuild_anew(sessions: Sessions, env: JobEnvironment) -> None:
    await some_past(sessions, random.Random(5))
    await want(sessions)
    for _ in range(5):
        await step(sessions)
    async with begin(sessions) as session:
        await shop.change(session, None, {"time_zone": "Asia/Kolkata"}, SETTINGS)

    progress = await step(sessions)
    await run_all_due(Worker(env, facts.HANDLERS))

    assert progress is not None
    assert progress.done == 0
    rebuilt_in = await facts_state(sessions)
    assert (rebuilt_in.time_zone, rebuilt_in.is_whole, rebuilt_in.progress) == ("Asia/Kolkata", True, None)
    assert await off_the_clock(sessions) == 0
    rebuilt = await books.contents(sessions)
    async with begin(sessions) as session:
        await facts.build(session)
    assert rebuilt == await books.contents(sessions)


async def off_the_clock(sessions: Sessions) -> int:
    """Events and facts that do not show the time of the shop's days."""
    wrong = " WHERE local_at <> at AT TIME ZONE (SELECT time_zone FROM analytics_state)"
    async with sessions() as session:
        counts = [await session.scalar(text(f"SELECT count(*) FROM {t}{wrong}")) for t in ("sale_facts", "shop_events")]
    return sum(count or 0 for count in counts)


async def test_facts_that_somebody_else_emptied_are_begun_anew(sessions: Sessions) -> None:
    await some_past(sessions, random.Random(6))
    followed = await books.contents(sessions)
    await want(sessions)
    for _ in range(5):
        await step(sessions)
    async with begin(sessions) as session:
        await session.execute(text("TRUNCATE sale_facts, sales_by_day, sales_by_day_category, sales_by_day_product"))

    while not (await facts_state(sessions)).is_whole:
        await step(sessions)

    assert await books.contents(sessions) == followed


async def test_a_shop_whose_days_begin_elsewhere_is_rebuilt_by_itself_and_once(
    sessions: Sessions, env: JobEnvironment
) -> None:
    await some_past(sessions, random.Random(7))
    async with begin(sessions) as session:
        await session.execute(update(AnalyticsState).values(time_zone="UTC", rebuilt_at=datetime.now(UTC)))

    await asyncio.gather(facts.check(env), facts.check(env))
    assert await open_jobs(sessions) == 1
    await run_all_due(Worker(env, facts.HANDLERS))
    rebuilt = await facts_state(sessions)
    await facts.check(env)

    assert (rebuilt.time_zone, rebuilt.is_whole, rebuilt.progress) == (ZONE, True, None)
    assert await off_the_clock(sessions) == 0
    assert await open_jobs(sessions) == 0


async def test_a_rebuild_that_was_asked_for_when_it_was_over_does_not_empty_the_facts(
    sessions: Sessions, env: JobEnvironment
) -> None:
    await some_past(sessions, random.Random(8))
    followed = await books.contents(sessions)
    async with begin(sessions) as session:
        await jobs.enqueue(session, facts.JOB, {}, key=facts.JOB)

    await run_due(Worker(env, facts.HANDLERS))

    assert await books.contents(sessions) == followed
    assert await open_jobs(sessions) == 0


async def test_a_report_that_has_begun_is_not_emptied_under_its_eyes(
    sessions: Sessions, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_past(sessions, random.Random(9))
    monkeypatch.setattr(facts, "LOCK_TIMEOUT", "50ms")
    await want(sessions)
    warehouse = ReportsPool(database_url)

    async with warehouse.snapshot() as (session, _):
        with pytest.raises(DBAPIError, match="lock timeout"):
            await step(sessions)
        days = await session.scalar(select(func.count()).select_from(SalesDay))
        lines = await session.scalar(select(func.count()).select_from(Sale))
    await step(sessions)
    await warehouse.close()

    assert (days, lines) != (0, 0)
    assert (await facts_state(sessions)).progress is not None


def lines_of(progress: Sequence[facts.RebuildProgress]) -> list[str]:
    return [str(each) for each in progress]


async def test_it_says_how_far_it_is(sessions: Sessions) -> None:
    await some_past(sessions, random.Random(10), 8)
    await want(sessions)

    steps = []
    while progress := await step(sessions):
        steps.append(progress)

    assert lines_of(steps) == [
        "0 of 8 orders",
        "4 of 8 orders",
        "8 of 8 orders",
        "0 of 8 events of visits",
        "5 of 8 events of visits",
        "8 of 8 events of visits",
    ]


async def test_a_large_batch_without_statistics_reads_no_more_for_each_order(sessions: Sessions) -> None:
    """In the transaction that fills a shop the planner knows nothing of its tables, and takes every set for small."""
    dice = random.Random(1)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 240)
    async with begin(sessions) as session:
        await facts.begin_bulk(session)
        await books.stock_range(session, pieces, ZONE)
        for order in orders:
            await books.enter(session, order)
            for refund in order.refunds:
                await books.pay_back(session, order, refund, is_last=False)
        await session.execute(text("SET LOCAL plan_cache_mode = force_generic_plan"))
        await session.execute(text("PREPARE batch (uuid[]) AS SELECT * FROM sales_of($1)"))

        small, large = [await rows_read(session, orders[:count]) / count for count in (30, 240)]
        await session.execute(text("DEALLOCATE batch"))

    assert small > 10
    assert large < 1.5 * small


async def rows_read(session: AsyncSession, orders: Sequence[books.BookOrder]) -> int:
    """Rows that all nodes of the plan return or remove, in all their loops."""
    ids = ",".join(f"'{order.id}'" for order in orders)
    explained = text(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE batch (ARRAY[{ids}]::uuid[])")
    return _rows_of((await session.scalar(explained))[0]["Plan"])


def _rows_of(node: dict[str, Any]) -> int:
    removed = sum(node.get(f"Rows Removed by {kind}", 0) for kind in ("Filter", "Join Filter"))
    own: int = round((node["Actual Rows"] + removed) * node["Actual Loops"])
    return own + sum(map(_rows_of, node.get("Plans", ())))

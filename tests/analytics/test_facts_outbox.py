"""Changes of orders only add outbox rows; the facts follow each change exactly once, whatever fails meanwhile."""

import asyncio
import json
import os
import random
import signal
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.ext.asyncio import create_async_engine

from server.analytics import facts, follower, popularity
from server.analytics.follower import FactsFollower
from server.analytics.models import AnalyticsOutbox, Sale, SalesDay
from server.catalog.models import Product
from server.config import Settings
from server.orders.models import Order
from server.platform.core.db import Sessions, begin, sessionmaker
from server.platform.core.jobs import JobEnvironment
from server.platform.core.notify import Listener
from server.platform.core.resources import Resources
from server.shop.service import SettingsCache
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books
from tests.crash_points import FACTS
from tests.payments.conftest import until
from tests.statements import counted_statements

ZONE = "Europe/Stockholm"
CHANGE_CATEGORY = text("UPDATE products SET gender = 'women', subcategory = 'trousers' WHERE id = :id")
REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a defect in the facts'; END $$
"""
DEFECT = "CREATE TRIGGER refuse BEFORE INSERT ON sale_facts FOR EACH ROW {when} EXECUTE FUNCTION refuse()"
WITHOUT_DEFECT = text("DROP TRIGGER refuse ON sale_facts")


@pytest.fixture
def env(sessions: Sessions) -> JobEnvironment:
    settings = Settings(time_zone=ZONE)
    return JobEnvironment(sessions, Resources(settings, SettingsCache(settings)))


async def on_offer(sessions: Sessions, dice: random.Random, count: int) -> list[books.BookOrder]:
    """A range, and orders that are still to come in; those with refunds are the last."""
    pieces = books.some_pieces(dice)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
    return sorted(books.some_orders(dice, pieces, count), key=lambda order: len(order.refunds))


async def plant_defect(sessions: Sessions, order: books.BookOrder | None = None) -> None:
    """In the facts of one order, or of all."""
    async with begin(sessions) as session:
        number = await session.scalar(select(Order.number).where(Order.id == order.id)) if order else None
        await session.execute(text(REFUSE))
        await session.execute(text(DEFECT.format(when=f"WHEN (NEW.order_number = {number})" if number else "")))


async def mend(sessions: Sessions) -> None:
    async with begin(sessions) as session:
        await session.execute(WITHOUT_DEFECT)
        await session.execute(update(AnalyticsOutbox).values(retry_at=func.now()))


async def rounds(sessions: Sessions) -> None:
    """As many as find something to do."""
    while await follower.follow(sessions):
        pass


async def facts_state(sessions: Sessions) -> facts.FactsState:
    async with sessions() as session:
        return await facts.facts_state(session)


async def counted_orders(sessions: Sessions) -> int:
    async with sessions() as session:
        return int(await session.scalar(select(func.coalesce(func.sum(SalesDay.orders), 0))) or 0)


async def waiting(sessions: Sessions) -> int:
    async with sessions() as session:
        return await session.scalar(select(func.count()).select_from(AnalyticsOutbox)) or 0


async def popular(sessions: Sessions) -> dict[UUID, int]:
    async with sessions() as session:
        return {row.id: row.popularity for row in await session.execute(select(Product.id, Product.popularity))}


def sold(orders: list[books.BookOrder]) -> dict[UUID, int]:
    units: dict[UUID, int] = {}
    for line in (line for order in orders for line in order.lines):
        units[line.piece.product] = units.get(line.piece.product, 0) + line.quantity
    return units


async def are_right(sessions: Sessions) -> bool:
    """Whether facts are what they come to when they are made anew."""
    followed = await books.contents(sessions)
    async with begin(sessions) as session:
        await facts.build(session)
    return followed == await books.contents(sessions)


async def test_a_defect_in_the_facts_fails_no_payment_refund_or_change_of_category(sessions: Sessions) -> None:
    orders = await on_offer(sessions, random.Random(1), 12)
    await plant_defect(sessions)

    await books.come_in(sessions, orders, random.Random(1))
    async with begin(sessions) as session:
        await session.execute(CHANGE_CATEGORY, {"id": orders[0].lines[0].piece.product})
    await rounds(sessions)

    said = (await facts_state(sessions)).missing
    assert await counted_orders(sessions) == 0
    assert said is not None
    assert "and 11 more could not be counted" in said
    await mend(sessions)
    assert await are_right(sessions)
    assert await counted_orders(sessions) == 12
    assert (await facts_state(sessions)).missing is None


async def test_an_order_that_cannot_be_counted_is_named_and_keeps_no_other_waiting(
    sessions: Sessions, capsys: pytest.CaptureFixture[str]
) -> None:
    poisonous, *others = await on_offer(sessions, random.Random(2), 8)
    await books.come_in(sessions, [poisonous], random.Random(2))
    await plant_defect(sessions, poisonous)

    await books.come_in(sessions, others, random.Random(2))
    await rounds(sessions)

    stands = await facts_state(sessions)
    async with sessions() as session:
        number = await session.scalar(select(Order.number).where(Order.id == poisonous.id))
    assert await counted_orders(sessions) == 7
    assert stands.missing == (
        f"Order M-{number} could not be counted. The shop tries again by itself; its log says why it failed."
    )
    assert stands.waiting_since is None
    [failed] = [line for line in map(json.loads, capsys.readouterr().out.splitlines()) if line["level"] == "error"]
    assert (failed["event"], failed["order"], failed["attempts"]) == ("facts.failed", str(poisonous.id), 1)
    await mend(sessions)
    await rounds(sessions)
    assert (await facts_state(sessions)).missing is None
    assert await are_right(sessions)


async def test_an_order_that_was_written_first_and_committed_last_is_not_skipped(sessions: Sessions) -> None:
    early, late, *_ = await on_offer(sessions, random.Random(3), 6)

    async with begin(sessions) as slow:
        await books.enter(slow, early)
        await slow.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
        await books.come_in(sessions, [late], random.Random(3))
        await rounds(sessions)
        before = await counted_orders(sessions)
    await rounds(sessions)

    assert before == 1
    assert await counted_orders(sessions) == 2
    assert await waiting(sessions) == 0


async def test_what_changes_while_it_is_being_counted_is_counted_again(sessions: Sessions) -> None:
    order = (await on_offer(sessions, random.Random(4), 12))[-1]
    async with begin(sessions) as session:
        await books.enter(session, order)

    async with begin(sessions) as slow:
        await follower._count(slow, [order.id])
        async with begin(sessions) as session:
            await books.pay_back(session, order, order.refunds[0], is_last=len(order.refunds) == 1)
    left = await waiting(sessions)

    assert left > 0
    assert await are_right(sessions)


@pytest.mark.parametrize("seed", range(2))
async def test_two_followers_beside_what_sells_count_everything_once(
    sessions: Sessions, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(seed)
    monkeypatch.setattr(follower, "BATCH", 3)
    orders = await on_offer(sessions, dice, 30)
    env = JobEnvironment(sessions, Resources())
    followers = [asyncio.create_task(FactsFollower(env).run()) for _ in range(2)]

    await asyncio.gather(*(books.come_in(sessions, orders[start::3], dice) for start in range(3)))
    await facts_caught_up(sessions)
    for each in followers:
        each.cancel()
    await asyncio.gather(*followers, return_exceptions=True)

    assert await counted_orders(sessions) == 30
    assert await popular(sessions) == sold(orders)
    assert await are_right(sessions)


FOLLOWING = """
import asyncio, sys
from server.analytics import follower
from server.platform.core.db import create_engine, sessionmaker

asyncio.run(follower.follow(sessionmaker(create_engine(sys.argv[1]))))
"""


async def test_killed_before_its_commit_a_batch_is_counted_once(
    sessions: Sessions, database_url: str, tmp_path: Path
) -> None:
    orders = await on_offer(sessions, random.Random(5), 10)
    await books.come_in(sessions, orders, random.Random(5))
    (tmp_path / FACTS).touch()
    command = (sys.executable, "-c", FOLLOWING, database_url)

    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, "CRASH_POINTS": str(tmp_path)})
    ended = await process.wait()
    left = (await counted_orders(sessions), await waiting(sessions) > 0)
    await facts_caught_up(sessions)

    assert ended == -signal.SIGKILL
    assert left == (0, True)
    assert await counted_orders(sessions) == 10
    assert await popular(sessions) == sold(orders)
    assert await are_right(sessions)


async def test_a_change_of_category_is_counted_in_batches_after_its_commit(
    sessions: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = await on_offer(sessions, random.Random(6), 24)
    await books.live_through(sessions, orders, random.Random(6))
    product = orders[0].lines[0].piece.product
    batches: list[int] = []
    count = follower._count

    async def noted(session: object, ids: list[UUID]) -> None:
        batches.append(len(ids))
        await count(session, ids)  # type: ignore[arg-type]

    monkeypatch.setattr(follower, "BATCH", 2)
    monkeypatch.setattr(follower, "_count", noted)
    async with begin(sessions) as session:
        before = await books.contents(sessions)
        with counted_statements() as statements:
            await session.execute(CHANGE_CATEGORY, {"id": product})
            await session.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
        written = await session.scalar(select(func.count()).select_from(AnalyticsOutbox))
        touched = await session.scalar(text("SELECT count(*) FROM sale_facts WHERE xmin = pg_current_xact_id()::xid"))
    await rounds(sessions)

    affected = sum(any(line.piece.product == product for line in order.lines) for order in orders)
    assert (len(statements), written, touched) == (2, 1, 0)
    assert affected > 4
    assert sum(batches) == affected
    assert max(batches) <= 2
    assert await books.contents(sessions) != before
    assert await are_right(sessions)


async def test_products_get_more_popular_once_a_round_and_wait_for_nobody(
    sessions: Sessions, env: JobEnvironment
) -> None:
    orders = await on_offer(sessions, random.Random(7), 12)
    await books.come_in(sessions, orders, random.Random(7))
    product = orders[0].lines[0].piece.product
    await rounds(sessions)

    async with begin(sessions) as editing:
        await editing.execute(select(Product.id).where(Product.id == product).with_for_update())
        with counted_statements("UPDATE products") as updates:
            async with asyncio.timeout(20):
                await popularity.apply(env)
        without = await popular(sessions)
    await popularity.apply(env)
    with counted_statements("UPDATE products") as idle:
        await popularity.apply(env)

    assert len(updates) == 1
    assert without == {**sold(orders), product: 0}
    assert await popular(sessions) == sold(orders)
    assert idle == []


async def test_a_rebuild_finds_out_how_often_products_were_sold(sessions: Sessions) -> None:
    orders = await on_offer(sessions, random.Random(8), 12)
    await books.live_through(sessions, orders[:8], random.Random(8))
    await books.come_in(sessions, orders[8:], random.Random(8))
    async with begin(sessions) as session:
        await session.execute(update(Product).values(popularity=Product.popularity + 5))

    await facts.rebuild(sessions, Settings(time_zone=ZONE), on_progress=lambda _line: None)
    await facts_caught_up(sessions)

    assert await popular(sessions) == sold(orders)


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set by every round that finds nothing to do."""
    event, follow = asyncio.Event(), follower.follow

    async def noted(sessions: Sessions) -> bool:
        has_worked = await follow(sessions)
        if not has_worked:
            event.set()
        return has_worked

    monkeypatch.setattr(follower, "follow", noted)
    return event


@pytest.mark.parametrize("by", ["word", "clock"])
async def test_a_follower_is_woken_by_a_payment_and_by_the_clock(
    sessions: Sessions,
    env: JobEnvironment,
    database_url: str,
    idle: asyncio.Event,
    by: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order, *_ = await on_offer(sessions, random.Random(9), 1)
    monkeypatch.setattr(follower, "POLL_SECONDS", 3600.0 if by == "word" else 0.05)
    following, listener = FactsFollower(env), Listener(database_url)
    listener.on(follower.CHANNEL, following.wake)
    work = [asyncio.create_task(following.run())]

    async def is_listening() -> bool:
        return listener.is_connected

    async def is_counted() -> bool:
        return await counted_orders(sessions) == 1

    if by == "word":
        work.append(asyncio.create_task(listener.run()))
        await until(is_listening)
        idle.clear()
        following.wake()
    await idle.wait()
    async with begin(sessions) as session:
        await books.enter(session, order)
    await until(is_counted)

    for task in work:
        task.cancel()
    await asyncio.wait(work)
    assert await waiting(sessions) == 0


async def test_facts_say_until_when_they_are_true(sessions: Sessions) -> None:
    now = datetime.now(UTC)
    async with begin(sessions) as session:
        for minutes in (3, 7):
            await session.execute(
                insert(AnalyticsOutbox).values(order_id=UUID(int=minutes), at=now - timedelta(minutes=minutes))
            )
    behind = await facts_state(sessions)
    await facts_caught_up(sessions)
    caught_up = await facts_state(sessions)

    assert behind.fresh_until == now - timedelta(minutes=7)
    assert behind.lag == behind.as_of - behind.fresh_until
    assert caught_up.fresh_until == caught_up.as_of
    assert caught_up.lag == timedelta()


async def test_facts_that_are_far_behind_are_an_error_in_the_log(
    sessions: Sessions, env: JobEnvironment, capsys: pytest.CaptureFixture[str]
) -> None:
    async with begin(sessions) as session:
        hour_ago = datetime.now(UTC) - timedelta(hours=1)
        await session.execute(insert(AnalyticsOutbox).values(order_id=UUID(int=1), at=hour_ago))

    await facts.check(env)

    assert '"event":"facts.behind","level":"error"' in capsys.readouterr().out


SLOW_TOGETHER = (
    """
    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_sleep(20) WHERE (SELECT count(DISTINCT order_number) FROM added) > 1;
        RETURN NULL;
    END $$
    """,
    "CREATE TRIGGER dawdle AFTER INSERT ON sale_facts REFERENCING NEW TABLE AS added FOR EACH STATEMENT"
    " EXECUTE FUNCTION dawdle()",
)


async def test_orders_that_take_too_long_together_are_counted_one_by_one(sessions: Sessions, database_url: str) -> None:
    orders = await on_offer(sessions, random.Random(11), 4)
    await books.come_in(sessions, orders, random.Random(11))
    async with begin(sessions) as session:
        for statement in SLOW_TOGETHER:
            await session.execute(text(statement))
    hasty = create_async_engine(database_url, connect_args={"server_settings": {"statement_timeout": "500"}})

    await rounds(sessionmaker(hasty))
    await hasty.dispose()

    assert (await facts_state(sessions)).set_aside == 0
    assert await counted_orders(sessions) == 4


async def test_a_batch_that_has_to_wait_is_not_an_orders_fault(sessions: Sessions) -> None:
    orders = await on_offer(sessions, random.Random(10), 4)
    await books.come_in(sessions, orders, random.Random(10))

    async with begin(sessions) as backup:
        await backup.execute(text("LOCK TABLE sale_facts IN ACCESS EXCLUSIVE MODE"))
        async with begin(sessions) as session:
            await session.execute(text("ALTER FUNCTION follow_sales(uuid[]) SET lock_timeout = '50ms'"))
        with pytest.raises(Exception, match="lock timeout"):
            await follower.follow(sessions)
    set_aside = (await facts_state(sessions)).set_aside
    await facts_caught_up(sessions)

    assert set_aside == 0
    async with sessions() as session:
        assert await session.scalar(select(func.count(Sale.order_number.distinct()))) == 4

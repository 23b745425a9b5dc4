"""The follower updates the facts of each order independently, and orders of one customer one after the other."""

import asyncio
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.analytics.models import AnalyticsOutbox
from server.platform.core.db import Sessions, begin
from server.platform.core.locks import Lock
from tests.analytics.reports import books
from tests.statements import ended_or_blocked

ZONE = "Europe/Stockholm"
READ = text(
    "SELECT sum(seq_tup_read + idx_tup_fetch) FROM pg_stat_xact_user_tables"
    " WHERE relname IN ('orders', 'order_lines', 'refunds')"
)
FOLLOW = text("SELECT follow_sales(:ids)")
WITHOUT_WAITING = (
    "DO $$ BEGIN EXECUTE replace("
    f"pg_get_functiondef('follow_sales'::regproc), 'PERFORM pg_advisory_xact_lock({Lock.FACTS.value});', ''); END $$"
)


async def sold(sessions: Sessions, dice: random.Random, count: int) -> list[books.BookOrder]:
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, count)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
    return orders


async def read_by(session: AsyncSession, statement: str, **values: list[UUID]) -> int:
    """Rows of orders, lines and refunds that a statement looked at."""
    await session.execute(text("SET LOCAL enable_seqscan = off"))
    before = int(await session.scalar(READ) or 0)
    await session.execute(text(statement), values)
    return int(await session.scalar(READ) or 0) - before


async def test_following_one_order_reads_no_other(sessions: Sessions) -> None:
    dice = random.Random(1)
    orders = await sold(sessions, dice, 200)
    await books.live_through(sessions, orders, dice)
    refunded = next(order for order in orders if order.refunds)
    async with begin(sessions) as session:
        await session.execute(text("ANALYZE"))

    async with begin(sessions) as session:
        followed = await read_by(session, "SELECT follow_sales(:ids)", ids=[refunded.id])
        everything = await read_by(session, FOLLOW.text, ids=[order.id for order in orders])

    assert followed < 60
    assert everything > 700


WRITTEN_BY_THE_SYSTEM = text("SELECT coalesce(sum(n_tup_ins), 0) FROM pg_stat_xact_sys_tables")


async def test_following_an_order_makes_no_table_of_its_own(sessions: Sessions) -> None:
    dice = random.Random(3)
    orders = await sold(sessions, dice, 1)

    async with begin(sessions) as session:
        before = await session.scalar(WRITTEN_BY_THE_SYSTEM)
        await books.enter(session, orders[0])
        await session.execute(text("SET CONSTRAINTS ALL IMMEDIATE"))
        await session.execute(FOLLOW, {"ids": [orders[0].id]})
        followed = await session.scalar(WRITTEN_BY_THE_SYSTEM)
        facts_of_it = await session.scalar(text("SELECT count(*) FROM sale_facts"))
        await session.execute(text("CREATE TEMP TABLE its_own (number int) ON COMMIT DROP"))
        with_a_table = await session.scalar(WRITTEN_BY_THE_SYSTEM)

    assert facts_of_it == len(orders[0].lines)
    assert followed == before
    assert with_a_table > followed


async def test_following_uses_one_plan_for_every_order(sessions: Sessions) -> None:
    """Planned anew for each order, following takes more than three times as long."""
    async with sessions() as session:
        settings = await session.scalar(text("SELECT proconfig FROM pg_proc WHERE proname = 'follow_sales'"))

    assert settings == ["plan_cache_mode=force_generic_plan"]


async def of_one_customer(sessions: Sessions, count: int) -> list[books.BookOrder]:
    """The latest first, each on a day of its own; in a shop that has sold everything before, everywhere."""
    dice = random.Random(2)
    everything = await sold(sessions, dice, 40 + count)
    await books.live_through(sessions, everything[count:], dice)
    orders = everything[:count]
    day = datetime(2025, 6, 1, 12, tzinfo=UTC)
    return [
        replace(order, email="one@shop.test", customer=orders[0].customer, refunds=(), at=day - timedelta(days=number))
        for number, order in enumerate(orders)
    ]


async def two_at_once(sessions: Sessions, one: books.BookOrder, other: books.BookOrder) -> None:
    """The second is followed before what follows the first is committed, as beside a rebuild."""
    async with begin(sessions) as session:
        await books.enter(session, one)
        await books.enter(session, other)

    async def second() -> None:
        async with begin(sessions) as later:
            await later.execute(FOLLOW, {"ids": [other.id]})

    async with begin(sessions) as first:
        await first.execute(FOLLOW, {"ids": [one.id]})
        waiting = asyncio.create_task(second())
        await ended_or_blocked(waiting, sessions)
    await waiting


async def are_right(sessions: Sessions) -> bool:
    """Without anybody who would follow them once more."""
    async with begin(sessions) as session:
        await session.execute(delete(AnalyticsOutbox))
    followed = await books.contents(sessions)
    async with begin(sessions) as session:
        await facts.build(session)
    return followed == await books.contents(sessions)


@pytest.mark.parametrize("known", [0, 1])
async def test_of_two_orders_of_a_customer_that_come_at_once_one_is_the_first(sessions: Sessions, known: int) -> None:
    *earlier, one, other = await of_one_customer(sessions, known + 2)
    await books.live_through(sessions, earlier, random.Random(2))

    await two_at_once(sessions, one, other)

    assert await are_right(sessions)


async def test_without_waiting_for_each_other_both_are_the_first(sessions: Sessions) -> None:
    latest, one, other = await of_one_customer(sessions, 3)
    await books.live_through(sessions, [latest], random.Random(2))
    async with begin(sessions) as session:
        await session.execute(text(WITHOUT_WAITING))

    await two_at_once(sessions, one, other)

    assert not await are_right(sessions)


@pytest.mark.parametrize(("latest_first", "written_again"), [(False, 0), (True, 10)])
async def test_facts_of_a_customer_who_buys_again_are_written_once(
    sessions: Sessions, *, latest_first: bool, written_again: int
) -> None:
    """A rebuild goes by time; an order that turns out to be earlier changes the facts of all later ones."""
    orders = [replace(order, lines=order.lines[:1]) for order in await of_one_customer(sessions, 5)]
    async with begin(sessions) as session:
        for order in orders:
            await books.enter(session, order)

    async with begin(sessions) as session:
        for order in orders if latest_first else reversed(orders):
            await session.execute(FOLLOW, {"ids": [order.id]})
        updated = await session.scalar(
            text("SELECT n_tup_upd FROM pg_stat_xact_user_tables WHERE relname = 'sale_facts'")
        )

    assert updated == written_again
    assert await are_right(sessions)

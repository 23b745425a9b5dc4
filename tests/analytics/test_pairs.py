"""Sums of pairs: which products are bought together is what the books say, whatever becomes of orders and products."""

import asyncio
import os
import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time, timedelta
from itertools import combinations
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from alembic import command
from server.analytics import facts
from server.analytics.behaviour import baskets
from server.analytics.models import SalesDayPair
from server.analytics.reports.ranges import Span
from server.platform.core.db import Sessions, begin
from server.run.migrations import alembic_config
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books

SHOP_ZONE = "Europe/Stockholm"
DAY = timedelta(days=1)
MOST = 100
SEEDS = [int(os.environ["REPORT_SEED"])] if "REPORT_SEED" in os.environ else range(3)


def some_span(dice: random.Random, orders: Sequence[books.BookOrder]) -> Span:
    """It begins or ends on the day of an order."""
    zone = ZoneInfo(dice.choice((SHOP_ZONE, SHOP_ZONE, "America/New_York", "Asia/Tokyo")))
    day = datetime.combine(dice.choice(orders).at.astimezone(zone).date(), time())
    length = dice.choice((1, 30, 90, 365, 700)) * DAY
    return Span(day, day + length, zone) if dice.random() < 0.5 else Span(day + DAY - length, day + DAY, zone)


def bought_in(span: Span, orders: Sequence[books.BookOrder]) -> list[set[UUID]]:
    return [
        {line.piece.product for line in order.lines}
        for order in orders
        if span.start <= order.at.astimezone(span.zone).replace(tzinfo=None) < span.end
    ]


async def hold_against(session: AsyncSession, span: Span, orders: Sequence[books.BookOrder], least: int) -> int:
    """The pairs of the span, and how often each of them was bought, are those of the books. Returns how many."""
    bought = bought_in(span, orders)
    alone = Counter(product for basket in bought for product in basket)
    together = Counter(frozenset(pair) for basket in bought for pair in combinations(basket, 2))

    pairs = await baskets.pairs(session, span, SHOP_ZONE, least=least, limit=MOST)

    expected = {pair: count for pair, count in together.items() if count >= least}
    assert {frozenset((pair.first, pair.second)): pair.together for pair in pairs} == expected, span
    assert [(pair.orders, pair.with_first, pair.with_second) for pair in pairs] == [
        (len(bought), alone[pair.first], alone[pair.second]) for pair in pairs
    ]
    return len(pairs)


@pytest.mark.parametrize("seed", SEEDS)
async def test_pairs_of_any_days_are_what_the_books_say(sessions: Sessions, seed: int) -> None:
    """Orders come in, are paid back, are charged back and are not; products change their category."""
    dice = random.Random(seed)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 50)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)

    await books.come_in(sessions, orders[:30], dice)
    await facts_caught_up(sessions)
    void = dice.sample(orders[:30], 6)
    await set_status(sessions, void, "failed")
    await books.come_in(sessions, orders[30:], dice)
    await change_category(sessions, dice.choice(pieces).product)
    await facts_caught_up(sessions)
    await set_status(sessions, void[:3], "paid")
    await facts_caught_up(sessions)

    standing = [order for order in orders if order not in void[3:]]
    async with sessions() as session:
        total = sum(
            [
                await hold_against(session, some_span(dice, standing), standing, dice.choice((1, 1, 2, 4)))
                for _ in range(60)
            ]
        )
    assert total > 100
    grown = await books.contents(sessions)
    async with begin(sessions) as session:
        await facts.build(session)
    assert await books.contents(sessions) == grown


async def set_status(sessions: Sessions, orders: Sequence[books.BookOrder], status: str) -> None:
    async with begin(sessions) as session:
        changed = text("UPDATE orders SET payment_status = :status WHERE id = ANY (:ids)")
        await session.execute(changed, {"status": status, "ids": [order.id for order in orders]})


async def change_category(sessions: Sessions, product: UUID) -> None:
    async with begin(sessions) as session:
        other = "CASE subcategory WHEN 'jeans' THEN 'shirts' ELSE 'jeans' END"
        await session.execute(text(f"UPDATE products SET subcategory = {other} WHERE id = :id"), {"id": product})


async def test_whoever_empties_the_facts_empties_their_pairs(sessions: Sessions) -> None:
    """As the version before does, which does not know of them."""
    dice = random.Random(4)
    pieces = books.some_pieces(dice)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, books.some_orders(dice, pieces, 10), dice)
    counted = select(func.sum(SalesDayPair.orders))

    async with begin(sessions) as session:
        before = await session.scalar(counted)
        await session.execute(text("TRUNCATE sale_facts"))
        after = await session.scalar(counted)

    assert before
    assert after is None


async def test_a_migration_counts_the_pairs_that_were_bought_before(sessions: Sessions, database_url: str) -> None:
    dice = random.Random(6)
    pieces = books.some_pieces(dice)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, books.some_orders(dice, pieces, 20), dice)
    before = await books.contents(sessions)

    for move, revision in ((command.downgrade, "0035"), (command.upgrade, "head")):
        await asyncio.to_thread(move, alembic_config(database_url), revision)

    assert before["pairs"]
    assert await books.contents(sessions) == before

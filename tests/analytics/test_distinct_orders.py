"""The facts' bits that count an order once among lines that share some members."""

import random
from collections.abc import Iterator
from itertools import combinations

from sqlalchemy import text

from server.analytics.models import FIRSTS
from server.core.db import Sessions, begin
from tests.analytics.reports import books

ZONE = "Europe/Stockholm"
BAND = "width_bucket(unit_price_cents, ARRAY[5000, 10000, 15000])"


def choices() -> Iterator[tuple[str, ...]]:
    for count in range(len(FIRSTS) + 1):
        yield from combinations(FIRSTS, count)


def orders_by(columns: tuple[str, ...], count: str) -> str:
    """How many orders are in each row."""
    keys = ", ".join(("is_sale", *columns))
    return f"SELECT {count} FROM sale_facts WHERE is_sale GROUP BY {keys} ORDER BY {keys}"


async def test_the_first_lines_of_every_choice_are_as_many_as_the_orders(sessions: Sessions) -> None:
    dice = random.Random(5)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
    await books.live_through(sessions, orders, dice)

    found, expected = [], []
    async with sessions() as session:
        for chosen in choices():
            number = sum(FIRSTS[name] for name in chosen)
            for bits, columns in (("firsts", chosen), ("firsts_in_band", (*chosen, BAND))):
                by_lines = orders_by(columns, f"count(*) FILTER (WHERE {bits} >> {number} & 1 = 1)")
                by_orders = orders_by(columns, "count(DISTINCT order_number)")
                found.append((columns, list(await session.scalars(text(by_lines)))))
                expected.append((columns, list(await session.scalars(text(by_orders)))))

    assert len(found) == 128
    assert found == expected

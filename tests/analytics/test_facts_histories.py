"""Whatever happens to orders, refunds, products and accounts, the facts say it, and a rebuild says the same.

`FACTS_EXAMPLES=2000` tries thousands of histories.
"""

import os
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from server.analytics import visit_sums
from server.platform.core.db import Sessions, begin
from tests.analytics.histories import (
    CATEGORIES,
    PEOPLE,
    ZONES,
    Buy,
    CatchUp,
    ChangeEmail,
    ChangeZone,
    DeleteAccount,
    Fail,
    Line,
    Move,
    PayBack,
    Shop,
    Step,
    View,
    violations,
)
from tests.analytics.reports import books

EXAMPLES = int(os.environ.get("FACTS_EXAMPLES", "25"))
EMPTY = "TRUNCATE orders, refunds, shop_events, users, analytics_outbox CASCADE"
PIECES = books.some_pieces(random.Random(4))[::6][:5]
"""Of different products, so that each line of an order has a product of its own."""


@pytest.fixture
async def shop(sessions: Sessions) -> Shop:
    async with begin(sessions) as session:
        await books.stock_range(session, PIECES, ZONES[0])
    return Shop(sessions, PIECES)


people, places = st.integers(0, len(PEOPLE) - 1), st.integers(0, 4)
lines = st.builds(
    Line,
    piece=places,
    quantity=st.integers(1, 3),
    unit=st.sampled_from((0, 1, 333, 7_680, 19_999)),
    off=st.sampled_from((0, 0, 7, 100)),
    tax=st.sampled_from((0, 7, 25)),
)
purchases = st.builds(
    Buy,
    person=people,
    lines=st.lists(lines, min_size=1, max_size=3, unique_by=lambda line: line.piece).map(tuple),
    shipping=st.sampled_from((0, 499)),
    shipping_tax=st.sampled_from((0, 0, 57)),
    tax_included=st.booleans(),
    as_guest=st.sampled_from((False, False, True)),
)
paid_back = st.builds(
    PayBack,
    order=places,
    kind=st.sampled_from(("all", "line", "line", "goodwill")),
    part=st.sampled_from((1, 33, 100, 100)),
    line=st.integers(0, 2),
)
steps: st.SearchStrategy[Step] = st.one_of(
    purchases,
    purchases,
    paid_back,
    paid_back,
    st.builds(Fail, st.integers(0, 3)),
    st.builds(Move, places, st.integers(0, len(CATEGORIES) - 1)),
    st.builds(View, st.integers(1, 3), places),
    st.builds(ChangeEmail, people),
    st.builds(DeleteAccount, people),
    st.builds(ChangeZone, st.integers(0, len(ZONES) - 1)),
    st.builds(CatchUp),
)


@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(history=st.lists(steps, min_size=1, max_size=14))
async def test_facts_hold_after_any_history_of_a_shop(shop: Shop, history: list[Step]) -> None:
    async with begin(shop.sessions) as session:
        await session.execute(text(EMPTY))
    anew = Shop(shop.sessions, PIECES)
    await anew.change_zone(ChangeZone(0))

    await anew.live(history)

    assert await violations(anew) == []


SHIRT = Line(0, 1, 7_680, 0, 7)
JEANS = Line(1, 1, 19_999, 0, 7)
ORDER = Buy(0, (SHIRT, JEANS), 499, 35, tax_included=False)
KNOWN: dict[str, tuple[Step, ...]] = {
    "fails late": (ORDER, PayBack(0, "goodwill", 33), PayBack(0, "line", 100), CatchUp(), Fail(0), CatchUp()),
    "all in parts": (ORDER, PayBack(0, "goodwill", 33), PayBack(0, "goodwill", 33), PayBack(0, "all")),
    "all in parts without delivery": (
        Buy(0, (SHIRT,), 0, 57, tax_included=True),
        PayBack(0, "goodwill", 33),
        PayBack(0, "all"),
    ),
    "goodwill after a return": (ORDER, PayBack(0, "line", 100), PayBack(0, "goodwill", 33)),
    "named twice": (ORDER, PayBack(0, "line", 100), PayBack(0, "line", 100)),
    "account deleted": (ORDER, ChangeEmail(0), ORDER, CatchUp(), DeleteAccount(0), ORDER),
    "product moved": (ORDER, View(1, 0), CatchUp(), Move(0, 1), View(2, 0)),
    "a day is emptied": (ORDER, *(CatchUp(),) * 4, PayBack(0, "line"), CatchUp(), Fail(0)),
    "other days": (ORDER, PayBack(0, "line"), ChangeZone(1), ORDER, ChangeZone(2)),
}


@pytest.mark.parametrize("name", KNOWN)
async def test_facts_hold_after_histories_that_once_broke_them(shop: Shop, name: str) -> None:
    await shop.live(KNOWN[name])

    assert await violations(shop) == []


PLANTED = (
    ("follow_refund", "IF coalesce(", "IF NEW.status = 'succeeded' AND coalesce(", "fails late"),
    ("sales_of", "lag(tax_upto_cents, 1, 0::bigint)", "lag(0::bigint, 1, 0::bigint)", "all in parts"),
    ("sales_of", "WHEN 0 = ALL (remaining)", "WHEN false", "all in parts without delivery"),
    ("divide_refund", "least(named[place], remaining[place], rest)", "least(named[place], rest)", "named twice"),
    (
        "divide_refund",
        "running + remaining[place] - paid_back[place]",
        "running + whole / cardinality(remaining)",
        "goodwill after a return",
    ),
    ("sales_of", "coalesce(former_customer, ", "coalesce(", "account deleted"),
    ("follow_sales", "WHERE change.grain = 'day' AND", "WHERE false AND", "a day is emptied"),
)
"""A function, what of it is replaced by what, and the history after which that is noticed."""


@pytest.mark.parametrize(("function", "good", "bad", "name"), PLANTED)
async def test_a_fault_planted_in_the_facts_is_noticed(
    shop: Shop, function: str, good: str, bad: str, name: str
) -> None:
    async with begin(shop.sessions) as session:
        source = await session.scalar(text(f"SELECT pg_get_functiondef('{function}'::regproc)"))
        assert source is not None
        assert good in source
        connection = await session.connection()
        await connection.exec_driver_sql(source.replace(good, bad))

    await shop.live(KNOWN[name])

    assert await violations(shop) != []


async def test_visits_that_stay_behind_when_their_product_moves_are_noticed(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stay(*_: object) -> bool:
        return False

    monkeypatch.setattr(visit_sums, "move_events", stay)

    await shop.live(KNOWN["product moved"])

    assert "visits are where their products are" in await violations(shop)

"""Events of visits, from the browser's batch to funnel, cohorts and basket pairs."""

import json
import random
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.behaviour import baskets, cohorts, events, funnel, routes
from server.analytics.behaviour.cohorts import CohortPeriod
from server.analytics.models import ShopEvent, VisitEvent
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import Dimension
from server.analytics.reports.ranges import Span
from server.platform.core import jobs
from server.platform.core.db import Sessions, begin
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books, oracle
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop

ZONE = "Europe/Stockholm"
YEAR = Span(datetime.fromisoformat("2025-01-01"), datetime.fromisoformat("2026-01-01"), ZoneInfo(ZONE))
DAY = timedelta(days=1)


async def send(shop: Shop, batch: dict[str, Any], **headers: str) -> int:
    answer = await shop.clients["visitor"].post("/events", content=json.dumps(batch), headers=headers)
    return answer.status_code


async def kept(shop: Shop) -> list[tuple[str, UUID | None]]:
    async with shop.sessions() as session:
        rows = await session.execute(select(ShopEvent.kind, ShopEvent.product_id).order_by(ShopEvent.at))
        return [(row.kind, row.product_id) for row in rows]


async def test_a_batch_is_kept_in_the_order_in_which_it_happened(shop: Shop) -> None:
    product = str(shop.people.product)
    batch = {
        "visit": str(uuid4()),
        "events": [
            {"kind": "added", "products": [product], "ago": 1_000},
            {"kind": "viewed", "products": [product], "ago": 9_000},
        ],
    }

    assert await send(shop, batch) == 204
    assert await kept(shop) == [("viewed", shop.people.product), ("added", shop.people.product)]


async def test_products_that_are_not_there_are_left_out(shop: Shop) -> None:
    batch = {"visit": str(uuid4()), "events": [{"kind": "viewed", "products": [str(uuid4())]}]}

    assert await send(shop, batch) == 204
    assert await kept(shop) == []


@pytest.mark.parametrize("header", ["dnt", "sec-gpc"])
async def test_who_asks_not_to_be_followed_is_not(shop: Shop, header: str) -> None:
    batch = {"visit": str(uuid4()), "events": [{"kind": "viewed", "products": [str(shop.people.product)]}]}

    assert await send(shop, batch, **{header: "1"}) == 204
    assert await kept(shop) == []


async def test_a_batch_that_is_none_is_refused_and_leaves_nothing(shop: Shop) -> None:
    product = str(shop.people.product)
    event = {"kind": "viewed", "products": [product]}
    wrong: list[dict[str, Any]] = [
        {},
        {"visit": "me", "events": [event]},
        {"visit": str(uuid4()), "events": []},
        {"visit": str(uuid4()), "events": [event] * 51},
        {"visit": str(uuid4()), "events": [{**event, "kind": "paid"}]},
        {"visit": str(uuid4()), "events": [{**event, "ago": -1}]},
        {"visit": str(uuid4()), "events": [{**event, "products": []}]},
    ]

    assert [await send(shop, batch) for batch in wrong] == [400] * len(wrong)
    assert await kept(shop) == []


async def test_too_many_batches_from_one_address_are_put_off(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "PER_MINUTE", 2)
    batch = {"visit": str(uuid4()), "events": [{"kind": "viewed", "products": [str(shop.people.product)]}]}

    assert [await send(shop, batch) for _ in range(3)] == [204, 204, 429]


async def happen(session: AsyncSession, visit: UUID, piece: books.Piece, *moments: datetime | None) -> None:
    """A visit that took each of the steps at a moment, or never."""
    for kind, at in zip(("viewed", "added", "checkout"), moments, strict=False):
        if at is not None:
            local = func.timezone(ZONE, at)
            values = {"at": at, "visit": visit, "kind": kind, "product_id": piece.product, "category": piece.category}
            await session.execute(insert(ShopEvent).values(**values, local_at=local))


async def test_a_step_counts_after_the_one_before_and_within_the_window(session: AsyncSession) -> None:
    pieces = books.some_pieces(random.Random(1))
    await books.stock_range(session, pieces, ZONE)
    piece, other = pieces[0], next(each for each in pieces if each.category != pieces[0].category)
    noon = datetime.fromisoformat("2025-06-01T10:00:00+00:00")
    minute = timedelta(minutes=1)
    await happen(session, uuid4(), piece, noon, noon + minute, noon + 2 * minute)
    await happen(session, uuid4(), piece, noon, noon + minute)
    await happen(session, uuid4(), piece, noon)
    await happen(session, uuid4(), piece, noon, noon - minute)
    await happen(session, uuid4(), piece, noon, noon + 2 * DAY)
    wanders = uuid4()
    await happen(session, wanders, piece, noon)
    await happen(session, wanders, other, None, noon + minute)

    [whole] = await funnel.progress(session, YEAR, ZONE, DAY)
    split = {each.member: each.visits for each in await funnel.progress(session, YEAR, ZONE, DAY, Dimension.CATEGORY)}

    assert whole.visits == (6, 3, 1, 0)
    assert split == {piece.category: (6, 2, 1, 0)}


async def pay_in(shop: Shop, visit: UUID) -> None:
    """A visit that views, adds, goes to a checkout, twice as if the page were reloaded, and pays."""
    async with begin(shop.sessions) as session:
        checkout = await session.scalar(
            text(
                "INSERT INTO checkouts (email, status, fingerprint, total_cents, currency, shipping_address,"
                " stripe_session_id, expires_at, check_at)"
                " VALUES ('a@shop.test', 'completed', '', 100, 'usd', '{}', 'cs_1', now(), now()) RETURNING id"
            )
        )
    product = str(shop.people.product)
    steps = [
        {"kind": "viewed", "products": [product], "ago": 3_000},
        {"kind": "added", "products": [product], "ago": 2_000},
        {"kind": "checkout", "products": [product], "ago": 1_000, "session": "cs_1"},
    ]
    await send(shop, {"visit": str(visit), "events": steps})
    await send(shop, {"visit": str(visit), "events": steps[2:]})
    async with begin(shop.sessions) as session:
        await session.execute(
            text(
                "INSERT INTO orders (email, payment_status, total_cents, currency, shipping_address, paid_at,"
                " checkout_id) VALUES ('a@shop.test', 'paid', 100, 'usd', '{}', now(), :checkout)"
            ),
            {"checkout": checkout},
        )


async def test_a_checkout_is_counted_once_however_often_its_page_is_opened(shop: Shop) -> None:
    await pay_in(shop, uuid4())

    assert [kind for kind, _ in await kept(shop)] == ["viewed", "added", "checkout"]


async def test_after_a_day_a_visit_has_no_link_to_its_checkout_but_counts_as_paid(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    await pay_in(shop, uuid4())
    env = jobs.JobEnvironment(shop.sessions, shop.app.state.shop.resources)
    before = await visit_events(shop)

    await events.tidy(env)
    young = await linked(shop)
    monkeypatch.setattr(events, "LINKED", timedelta())
    await events.tidy(env)

    assert [event.kind for event in before] == ["viewed", "added", "checkout", "paid"]
    assert (young, await linked(shop)) == (1, 0)
    assert await visit_events(shop) == before


async def visit_events(shop: Shop) -> list[Any]:
    async with shop.sessions() as session:
        return list(await session.execute(select(VisitEvent).order_by(VisitEvent.c.at)))


async def linked(shop: Shop) -> int:
    async with shop.sessions() as session:
        query = select(func.count()).where(ShopEvent.checkout_id.is_not(None))
        return int(await session.scalar(query) or 0)


async def test_a_visit_has_paid_when_its_checkout_became_a_paid_order(shop: Shop) -> None:
    await pay_in(shop, uuid4())
    query = "{ admin { analytics { funnel(range: { preset: LAST_7_DAYS }, by: PRODUCT) {"
    query += " steps { name visits ofFirst ofPrevious } rows { label steps { visits } } } } } }"

    answer = (await shop.clients["admin"].post("/graphql", content=json.dumps({"query": query}))).json()

    answer_funnel = answer["data"]["admin"]["analytics"]["funnel"]
    assert [step["visits"] for step in answer_funnel["steps"]] == [1, 1, 1, 1]
    assert answer_funnel["steps"][3] == {"name": "paid", "visits": 1, "ofFirst": "100.00", "ofPrevious": "100.00"}
    assert answer_funnel["rows"] == [{"label": "Oxford Shirt", "steps": [{"visits": 1}] * 4}]


@pytest.fixture
async def sold(sessions: Sessions) -> list[books.BookOrder]:
    dice = random.Random(23)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
        for order in orders:
            await books.enter(session, order)
        for order in orders:
            for refund in order.refunds:
                await books.pay_back(session, order, refund, is_last=refund is order.refunds[-1])
    await facts_caught_up(sessions)
    return orders


def month(at: datetime) -> datetime:
    local = at.astimezone(YEAR.zone).replace(tzinfo=None)
    return local.replace(day=1, hour=0, minute=0, second=0, microsecond=0)


async def test_cohorts_are_what_the_books_say(session: AsyncSession, sold: list[books.BookOrder]) -> None:
    firsts: dict[UUID, datetime] = {}
    for order in sorted(sold, key=lambda each: each.at):
        firsts.setdefault(order.customer, month(order.at))

    answer = await cohorts.cohorts(session, YEAR, ZONE, CohortPeriod.MONTH, datetime.fromisoformat("2026-03-31"))

    assert {cohort.start for cohort in answer} == {began for began in firsts.values() if began.year == 2025}
    for cohort in answer:
        people = {customer for customer, began in firsts.items() if began == cohort.start}
        assert cohort.size == len(people)
        assert cohort.stays[-1].start == datetime.fromisoformat("2026-03-01")
        for stay in cohort.stays:
            orders = [order for order in sold if order.customer in people and month(order.at) == stay.start]
            assert stay.customers == len({order.customer for order in orders})
            assert stay.net_cents == net(sold, people, stay.start)


def net(sold: list[books.BookOrder], people: set[UUID], start: datetime) -> int:
    own = [order for order in sold if order.customer in people]
    entries = [entry for entry in oracle.entries(own) if month(entry.at) == start]
    return sum(entry.gross - entry.discounts - entry.refunds for entry in entries)


async def test_baskets_are_what_the_books_say(session: AsyncSession, sold: list[books.BookOrder]) -> None:
    year = [order for order in sold if order.at.astimezone(YEAR.zone).year == 2025]
    holding = [{line.piece.product for line in order.lines} for order in year]
    expected = {}
    for one, other in combinations({product for basket in holding for product in basket}, 2):
        together = sum({one, other} <= basket for basket in holding)
        if together >= 2:
            expected[frozenset((one, other))] = together

    answer = await baskets.pairs(session, YEAR, ZONE, least=2, limit=100)

    assert {frozenset((pair.first, pair.second)): pair.together for pair in answer} == expected
    assert [pair.lift for pair in answer] == sorted((pair.lift for pair in answer), reverse=True)
    for pair in answer:
        first = sum(pair.first in basket for basket in holding)
        second = sum(pair.second in basket for basket in holding)
        assert (pair.orders, pair.with_first, pair.with_second) == (len(year), first, second)
        assert abs(pair.lift - Decimal(pair.together * len(year)) / (first * second)) <= Decimal("0.005")


async def test_what_does_not_fit_a_funnel_or_cohorts_is_said(session: AsyncSession) -> None:
    with pytest.raises(IncompatibleDimensions, match="cannot be split by COUNTRY"):
        funnel.check(Dimension.COUNTRY, DAY)
    with pytest.raises(IncompatibleDimensions, match="window"):
        funnel.check(None, timedelta(days=31))
    two_years = replace(YEAR, start=datetime.fromisoformat("2024-01-01"))
    with pytest.raises(IncompatibleDimensions, match="By week these would be 105 cohorts; the limit is 60"):
        await cohorts.cohorts(session, two_years, ZONE, CohortPeriod.WEEK, two_years.end)


@pytest.mark.parametrize(
    ("period", "says"),
    [("HOUR", "does not exist in 'CohortPeriod' enum"), ("DAY", "does not exist in 'CohortPeriod' enum"), ("YEAR", "")],
)
async def test_a_cohort_shorter_than_a_week_cannot_be_asked_for(shop: Shop, period: str, says: str) -> None:
    document = f"{{ admin {{ analytics {{ cohorts(range: {{ preset: ALL_TIME }}, period: {period}) {{ label }} }} }} }}"

    answer = (await shop.clients["primary"].post("/graphql", json={"query": document})).json()

    assert [error["message"] for error in answer.get("errors", [])] == ([f"Value '{period}' {says}."] if says else [])

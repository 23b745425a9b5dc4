"""Random reports over random histories are, to the cent, what the books say.

`just random-reports` asks for thousands, over histories that it makes anew each time.
"""

import os
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from server import wiring
from server.analytics import facts
from server.analytics.reports import report
from server.analytics.reports.language import Dimension
from server.analytics.reports.pool import ReportsPool
from server.analytics.reports.request import ReportRequest
from server.analytics.reports.result import Report
from server.app import create_app
from server.config import Settings
from server.identity.models import User
from server.platform.core.db import Sessions, begin
from tests.analytics.reports import books, documents, oracle
from tests.analytics.reports.answers import OTHER, ExpectedComparison, ExpectedReport, percent, text_of
from tests.analytics.reports.questions import (
    BEST_HOURS,
    EMPTY_DAYS_FIRST,
    MOMENTS,
    RUNNING,
    SHOP_ZONE,
    PagedQuestion,
    asks,
    paged,
)
from tests.api.conftest import client_of
from tests.session_tokens import session_token

EXAMPLES = int(os.environ.get("REPORT_EXAMPLES", "100"))
"""A quarter of them are asked for as documents."""
SEED = int(os.environ.get("REPORT_SEED", "11"))
"""What history and questions are made from."""
RANDOM = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))


class Kept:
    """A history, and the entries that it comes to. No dataclass, of which Hypothesis prints each field."""

    def __init__(self, orders: list[books.BookOrder]) -> None:
        self.orders = orders
        self.entries = oracle.entries(orders)


@pytest.fixture
async def kept(sessions: Sessions) -> Kept:
    dice = random.Random(SEED)
    pieces = books.some_pieces(dice)
    orders = books.some_orders(dice, pieces, 60)
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
    await books.live_through(sessions, orders, dice)
    return Kept(orders)


@dataclass(repr=False)
class ReportsClient:
    """An admin of a shop with the history; `as_of` is the moment that its reports take for now."""

    http: httpx.AsyncClient
    as_of: datetime

    async def ask(self, question: PagedQuestion, after: str | None) -> dict[str, Any]:
        ask = question.ask
        body = {"query": documents.document(ask), "variables": documents.variables(ask, question.first, after)}
        answer = (await self.http.post("/graphql", json=body)).json()
        assert "errors" not in answer, (answer["errors"], body)
        answered: dict[str, Any] = answer["data"]["admin"]["analytics"]["report"]
        return answered


@pytest.fixture
async def admin(
    kept: Kept, database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[ReportsClient]:
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None, port=23_200, database_url=database_url, shop_data=tmp_path, time_zone=SHOP_ZONE
    )
    async with begin(sessions) as session:
        owner = User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True)
        session.add(owner)
        await session.flush()
        token = await session_token(session, owner.id)
    monkeypatch.setattr(wiring, "PERIODIC", [])
    app = create_app(settings)
    async with app.router.lifespan_context(app), client_of(app, token) as http:
        client = ReportsClient(http, MOMENTS[0])
        real = ReportsPool.snapshot

        @asynccontextmanager
        async def snapshot(pool: ReportsPool) -> AsyncIterator[tuple[AsyncSession, datetime]]:
            async with real(pool) as (session, _):
                yield session, client.as_of

        monkeypatch.setattr(ReportsPool, "snapshot", snapshot)
        yield client


@seed(SEED)
@settings(RANDOM, max_examples=EXAMPLES * 3 // 4)
@given(ask=asks(), as_of=st.sampled_from(MOMENTS))
@example(ask=BEST_HOURS, as_of=MOMENTS[0])
@example(ask=EMPTY_DAYS_FIRST, as_of=MOMENTS[0])
async def test_any_report_is_what_the_books_say(
    kept: Kept, session: AsyncSession, ask: ReportRequest, as_of: datetime
) -> None:
    result = await report.run(session, ask, shop_zone=SHOP_ZONE, as_of=as_of)

    expected = ExpectedReport(ask, kept.entries, as_of)
    assert {row.key for row in result.shown} == expected.keys
    assert [expected.decided_by(row.key) for row in result.shown] == expected.in_order()
    for row in result.shown:
        for measure in ask.measures:
            assert result.value(measure, row) == expected.value(measure, row.key), (row.key, measure)
    for measure in ask.measures:
        assert result.value(measure, result.total) == expected.total(measure)
    for comparison in ask.comparisons:
        check_comparison(result, ExpectedComparison(expected, comparison))


def check_comparison(made: Report, expected: ExpectedComparison) -> None:
    comparison, window = expected.comparison, expected.earlier
    if window:
        span = made.compared[comparison].span
        assert (span.start, span.end) == (window.start, window.end)
    for measure in made.ask.measures:
        assert made.compared_value(comparison, measure, made.total) == expected.total(measure)
        for row in made.shown:
            value = made.compared_value(comparison, measure, row)
            assert value == expected.value(measure, row.key), (comparison, row.key, measure)


@seed(SEED)
@settings(RANDOM, max_examples=EXAMPLES // 4)
@given(question=paged(), as_of=st.sampled_from(MOMENTS))
@example(question=RUNNING, as_of=MOMENTS[0])
@example(question=PagedQuestion(BEST_HOURS, first=30, pages=1), as_of=MOMENTS[0])
async def test_any_document_is_answered_as_the_books_say(
    kept: Kept, admin: ReportsClient, question: PagedQuestion, as_of: datetime
) -> None:
    expected = ExpectedReport(question.ask, kept.entries, as_of)
    rows, in_order, names = len(expected.keys), expected.in_order(), names_of(expected)
    admin.as_of, after = as_of, None
    seen: set[oracle.Key] = set()

    for page in range(question.pages):
        answer = await admin.ask(question, after)

        start, end = page * question.first, min((page + 1) * question.first, rows)
        keys = [names[name_of(question, row)] for row in answer["rows"]]
        after = answer["pageInfo"].pop("endCursor")
        assert answer["rowCount"] == rows
        assert answer["pageInfo"] == {"hasNextPage": end < rows, "hasPreviousPage": page > 0}
        assert [expected.decided_by(key) for key in keys] == in_order[start:end]
        assert seen.isdisjoint(keys)
        seen.update(keys)
        check_totals(expected, answer["totals"])
        for key, row in zip(keys, answer["rows"], strict=True):
            check_row(expected, key, row)
        if after is None or end == rows:
            break


Name = tuple[tuple[str | None, bool], ...]
"""A row's keys as GraphQL has them, each with whether it is Other."""


def names_of(expected: ExpectedReport) -> dict[Name, oracle.Key]:
    ask = expected.ask
    return {
        tuple(
            (key_text(dimension, part), bool(ask.top and ask.top.of is dimension and part == OTHER))
            for dimension, part in zip(ask.by, key, strict=True)
        ): key
        for key in expected.keys
    }


def key_text(dimension: Dimension, part: Any) -> str | None:
    if isinstance(part, datetime):
        return f"{part:%Y-%m-%dT%H:%M}" if dimension is Dimension.HOUR else f"{part:%Y-%m-%d}"
    return text_of(part) or None


def name_of(question: PagedQuestion, row: dict[str, Any]) -> Name:
    dims = (row[f"d{place}"] for place in range(len(question.ask.by)))
    return tuple((each["key"], each["isOther"]) for each in dims)


def check_totals(expected: ExpectedReport, answered: dict[str, Any]) -> None:
    for place, measure in enumerate(expected.ask.measures):
        figures, value = answered[f"m{place}"], expected.total(measure)
        assert number(figures["amount"]) == value
        assert number(figures["share"]) == expected.share(measure, value)
        assert figures["rank"] is figures["cumulative"] is None
        for turn, comparison in enumerate(expected.ask.comparisons):
            before = expected.compared(comparison).total(measure)
            assert compared_of(figures[f"v{turn}"]) == against(value, before), (measure, comparison)


def check_row(expected: ExpectedReport, key: oracle.Key, answered: dict[str, Any]) -> None:
    for place, measure in enumerate(expected.ask.measures):
        figures, value = answered[f"m{place}"], expected.value(measure, key)
        assert number(figures["amount"]) == value, (measure, key)
        assert number(figures["share"]) == expected.share(measure, value), (measure, key)
        assert number(figures["cumulative"]) == expected.cumulative(measure, key), (measure, key)
        assert figures["rank"] == expected.rank(measure, key), (measure, key)
        for turn, comparison in enumerate(expected.ask.comparisons):
            before = expected.compared(comparison).value(measure, key)
            assert compared_of(figures[f"v{turn}"]) == against(value, before), (measure, key, comparison)


def against(now: Decimal | None, before: Decimal | None) -> tuple[Decimal | None, ...]:
    """What it was, the difference, and the change in percent."""
    if now is None or before is None:
        return before, None, None
    return before, now - before, percent(now - before, abs(before))


def compared_of(answered: dict[str, Any]) -> tuple[Decimal | None, ...]:
    return number(answered["amount"]), number(answered["difference"]), number(answered["change"])


def number(answered: str | None) -> Decimal | None:
    """Every figure is a text, so that no client rounds it."""
    assert answered is None or isinstance(answered, str)
    return None if answered is None else Decimal(answered)


async def test_a_rebuild_comes_to_what_the_increments_came_to(kept: Kept, sessions: Sessions) -> None:
    followed = await books.contents(sessions)

    async with begin(sessions) as session:
        await facts.build(session)
    built = await books.contents(sessions)
    done = await facts.rebuild(sessions, Settings(time_zone=SHOP_ZONE), on_progress=lambda _line: None)
    rebuilt = await books.contents(sessions)

    assert done == len(kept.orders)
    assert built == followed
    assert rebuilt == followed


async def test_a_product_that_changes_its_category_takes_its_past_along(kept: Kept, sessions: Sessions) -> None:
    product = kept.orders[0].lines[0].piece.product
    async with begin(sessions) as session:
        await session.execute(
            text("UPDATE products SET gender = 'women', subcategory = 'trousers' WHERE id = :id"), {"id": product}
        )
    followed = await books.contents(sessions)

    async with begin(sessions) as session:
        await facts.build(session)

    assert await books.contents(sessions) == followed
    async with sessions() as session:
        of_product = text(f"SELECT category FROM ({books.FACTS}) AS facts WHERE product = :id")
        named = await session.scalars(of_product, {"id": str(product)})
        assert set(named) == {"women_trousers"}

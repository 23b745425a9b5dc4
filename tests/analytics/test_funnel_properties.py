"""Random funnels over random visits are what the visits did, however many of their days are summed by then."""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import exists, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts, visit_sums
from server.analytics.behaviour import events, funnel
from server.analytics.models import SettledVisits, ShopEvent, VisitsDay
from server.analytics.reports.language import Dimension
from server.analytics.reports.ranges import Grain, Span
from server.config import Settings
from server.platform.core import jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from tests.analytics.reports import books

SHOP_ZONE = "Europe/Stockholm"
ZONES = (SHOP_ZONE, SHOP_ZONE, SHOP_ZONE, "America/New_York")
FIRST = datetime(2025, 8, 20, tzinfo=UTC)
DAYS = 90
"""The clock is set back on one of them."""
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
WINDOWS = (MINUTE, 30 * MINUTE, DAY - MINUTE, DAY, DAY + MINUTE, 7 * DAY, 30 * DAY)
GRAINS = {Dimension[grain.name]: grain for grain in Grain}
SEEDS = [int(os.environ["REPORT_SEED"])] if "REPORT_SEED" in os.environ else range(3)


@dataclass(frozen=True)
class Event:
    """`known` is when the shop has it. Nobody tells that a visit paid: the checkout has become an order."""

    at: datetime
    known: datetime
    visit: UUID
    kind: str
    piece: books.Piece
    checkout: UUID | None = None


def some_visits(dice: random.Random, pieces: Sequence[books.Piece], count: int) -> list[Event]:
    return [event for _ in range(count) for event in _visit(dice, pieces)]


def _visit(dice: random.Random, pieces: Sequence[books.Piece]) -> Iterator[Event]:
    """A tab that is left open for minutes or weeks, and often looked at again around midnight."""
    visit = UUID(int=dice.getrandbits(128), version=4)
    at = FIRST + timedelta(seconds=dice.randrange(DAYS * 86_400))
    if dice.random() < 0.4:
        midnight = datetime.combine(at.date(), time(), ZoneInfo(SHOP_ZONE)).astimezone(UTC)
        at = midnight + timedelta(microseconds=dice.choice((-1, 0, 1, 600_000_000)))
    some = dice.sample(pieces, 2)
    for _ in range(dice.randint(1, 9)):
        kind = dice.choice(("viewed", "viewed", "viewed", "added", "added", "checkout"))
        piece, checkout = dice.choice(some), UUID(int=dice.getrandbits(128)) if kind == "checkout" else None
        yield Event(at, at + timedelta(seconds=dice.randrange(600)), visit, kind, piece, checkout)
        if kind == "checkout" and dice.random() < 0.7:
            paid = at + dice.choice((10 * MINUTE, HOUR, 20 * HOUR))
            yield Event(paid, paid, visit, "paid", piece, checkout)
        step = dice.choice((timedelta(microseconds=1), MINUTE, 5 * MINUTE, 10 * HOUR, DAY, DAY, 9 * DAY, 25 * DAY))
        at += step + timedelta(seconds=dice.choice((-1, 0, 0, 1))) if step >= MINUTE else step


_CHECKOUT = text(
    "INSERT INTO checkouts (id, email, status, fingerprint, total_cents, currency, shipping_address, expires_at,"
    " check_at) VALUES (:checkout, 'a@shop.test', 'completed', '', 1, 'usd', '{}', :at, :at)"
)
_ORDER = text(
    "INSERT INTO orders (email, payment_status, total_cents, currency, shipping_address, paid_at, checkout_id)"
    " VALUES ('a@shop.test', 'paid', 1, 'usd', '{}', :at, :checkout)"
)


async def tell(session: AsyncSession, event: Event) -> None:
    """The event as the shop keeps it."""
    if event.checkout:
        row = {"checkout": event.checkout, "at": event.at}
        await session.execute(_ORDER if event.kind == "paid" else _CHECKOUT, row)
    if event.kind != "paid":
        local = func.timezone(SHOP_ZONE, event.at)
        product = {"product_id": event.piece.product, "category": event.piece.category}
        values = {"at": event.at, "local_at": local, "visit": event.visit, "kind": event.kind, **product}
        await session.execute(insert(ShopEvent).values(**values, checkout_id=event.checkout))


@dataclass(frozen=True)
class Question:
    span: Span
    by: Dimension | None
    window: timedelta


def some_question(dice: random.Random) -> Question:
    zone = ZoneInfo(dice.choice(ZONES))
    start = datetime.combine(FIRST.date(), time()) + dice.randint(-3, DAYS + 30) * DAY
    span = Span(start, start + dice.choice((1, 2, 7, 31, 90, 400)) * DAY, zone)
    return Question(span, dice.choice((None, *funnel.SPLITS)), dice.choice(WINDOWS))


def member_of(piece: books.Piece, by: Dimension | None) -> Any:
    gender, kind = piece.category.split("_")
    members: dict[Dimension | None, Any] = {
        Dimension.PRODUCT: piece.product,
        Dimension.CATEGORY: piece.category,
        Dimension.GENDER: gender,
        Dimension.SUBCATEGORY: kind,
    }
    return members.get(by, "")


def expected(question: Question, events: Sequence[Event]) -> dict[Any, tuple[int, ...]]:
    """From what is said of a funnel, visit by visit and in the order of time."""
    did: dict[tuple[UUID, Any], list[tuple[datetime, str]]] = {}
    for event in events:
        did.setdefault((event.visit, member_of(event.piece, question.by)), []).append((event.at, event.kind))
    counted: dict[Any, list[int]] = {}
    for (_, member), happened in did.items():
        views = [at for at, kind in happened if kind == "viewed" and _is_in(question.span, at)]
        if views:
            steps = counted.setdefault(_key(question, member, min(views)), [0, 0, 0, 0])
            for place in range(_depth(min(views), question.window, happened)):
                steps[place] += 1
    return {key: tuple(steps) for key, steps in counted.items()}


def _is_in(span: Span, at: datetime) -> bool:
    return span.start <= at.astimezone(span.zone).replace(tzinfo=None) < span.end


def _key(question: Question, member: Any, first: datetime) -> Any:
    grain = GRAINS.get(question.by) if question.by else None
    return grain.floor(first.astimezone(question.span.zone).replace(tzinfo=None)) if grain else member


def _depth(first: datetime, window: timedelta, happened: Sequence[tuple[datetime, str]]) -> int:
    reached, before = 1, first
    for kind in ("added", "checkout", "paid"):
        moments = [at for at, other in happened if other == kind and before <= at <= first + window]
        if not moments:
            return reached
        reached, before = reached + 1, min(moments)
    return reached


async def found(session: AsyncSession, question: Question) -> dict[Any, tuple[int, ...]]:
    rows = await funnel.progress(session, question.span, SHOP_ZONE, question.window, question.by)
    assert [row.member for row in rows] == sorted(row.member for row in rows)
    return {row.member: row.visits for row in rows}


async def sums(sessions: Sessions) -> list[Any]:
    steps = (VisitsDay.viewed, VisitsDay.added, VisitsDay.checkout, VisitsDay.paid)
    keys = (VisitsDay.split, VisitsDay.day, VisitsDay.member, VisitsDay.previous_day, VisitsDay.minutes)
    async with sessions() as session:
        return list(await session.execute(select(*keys, *steps).order_by(*keys)))


@pytest.fixture(params=SEEDS)
def dice(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
async def pieces(sessions: Sessions) -> list[books.Piece]:
    pieces_of_range = books.some_pieces(random.Random(5))
    async with begin(sessions) as session:
        await books.stock_range(session, pieces_of_range, SHOP_ZONE)
        await session.execute(text("UPDATE analytics_state SET rebuilt_at = now()"))
    return pieces_of_range


async def live_until(sessions: Sessions, coming: list[Event], now: datetime, *, cut: bool = True) -> list[Event]:
    """What comes in before `now`, and the work that is due then. Returns what came."""
    came = [event for event in coming if event.known <= now]
    async with begin(sessions) as session:
        for event in came:
            await tell(session, event)
    if cut:
        async with begin(sessions) as session:
            await session.execute(events._CUT, {"before": now - events.LINKED})
    await visit_sums.settle(sessions, now)
    return came


async def test_any_funnel_is_what_visits_did_while_days_are_summed(
    sessions: Sessions, pieces: list[books.Piece], dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visit_sums, "DAYS_AT_ONCE", 4)
    coming = some_visits(dice, pieces, 60)
    happened: list[Event] = []
    now = FIRST

    while coming:
        now += dice.choice((HOUR, 5 * HOUR, DAY, 6 * DAY, 20 * DAY))
        came = await live_until(sessions, coming, now, cut=dice.random() < 0.5)
        happened += came
        coming = [event for event in coming if event not in came]
        async with sessions() as session:
            for _ in range(12):
                question = some_question(dice)
                assert await found(session, question) == expected(question, happened), question
    grown = await sums(sessions)
    async with begin(sessions) as session:
        await visit_sums.forget(session)
    await visit_sums.settle(sessions, now)

    assert grown
    assert await sums(sessions) == grown
    async with sessions() as session:
        settled = {row.minutes: row.until for row in await session.scalars(select(SettledVisits))}
        for _ in range(60):
            question = some_question(dice)
            assert await found(session, question) == expected(question, happened), question
    assert settled[1_440] > settled[43_200] > FIRST.date()


async def test_a_step_that_is_told_ten_minutes_late_is_counted(sessions: Sessions, pieces: list[books.Piece]) -> None:
    midnight = datetime(2025, 9, 1, tzinfo=ZoneInfo(SHOP_ZONE)).astimezone(UTC)
    visit = UUID(int=1)
    view = Event(midnight - 5 * MINUTE, midnight, visit, "viewed", pieces[0])
    added = Event(view.at + DAY - MINUTE, midnight + DAY + 4 * MINUTE, visit, "added", pieces[0])

    await live_until(sessions, [view], midnight + DAY + 2 * MINUTE)
    await live_until(sessions, [added], midnight + DAY + 2 * HOUR)

    day = Span(datetime(2025, 8, 31), datetime(2025, 9, 1), ZoneInfo(SHOP_ZONE))  # noqa: DTZ001 - wall clocks
    async with sessions() as session:
        assert await session.scalar(select(func.min(SettledVisits.until))) == day.end.date()
        assert await found(session, Question(day, None, DAY)) == {"": (1, 1, 0, 0)}


async def test_days_are_deleted_whole_with_their_sums_and_events(
    sessions: Sessions, pieces: list[books.Piece], dice: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    coming = some_visits(dice, pieces, 60)
    now = max(event.known for event in coming) + 40 * DAY
    happened = await live_until(sessions, sorted(coming, key=lambda event: event.known), now)
    deleted = FIRST + DAYS // 3 * DAY + 7 * HOUR
    monkeypatch.setattr(events, "KEPT", datetime.now(UTC) - deleted)

    await events.tidy(JobEnvironment(sessions, Resources()))

    first = datetime.combine(deleted.astimezone(ZoneInfo(SHOP_ZONE)).date() + DAY, time())
    left = [event for event in happened if event.at.astimezone(ZoneInfo(SHOP_ZONE)).replace(tzinfo=None) >= first]
    async with sessions() as session:
        for deleted_rows in (ShopEvent.local_at < first, VisitsDay.day < first.date()):
            assert not await session.scalar(select(exists().where(deleted_rows)))
        for _ in range(80):
            question = some_question(dice)
            question = replace(question, span=replace(question.span, zone=ZoneInfo(SHOP_ZONE)))
            assert await found(session, question) == expected(question, left), question


async def test_sums_begin_anew_in_another_time_zone_when_all_events_are_in_it(
    sessions: Sessions, pieces: list[books.Piece], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "EVENTS_AT_ONCE", 40)
    dice = random.Random(8)
    coming = some_visits(dice, pieces, 40)
    now = max(event.known for event in coming) + 40 * DAY
    happened = await live_until(sessions, coming, now)
    before = await sums(sessions)
    async with begin(sessions) as session:
        await jobs.enqueue(session, facts.JOB, {}, key=facts.JOB)

    while await one_step(sessions, "Asia/Kolkata"):
        await visit_sums.settle(sessions, now)
        assert await sums(sessions) == []
    await visit_sums.settle(sessions, now)

    monkeypatch.setattr("tests.analytics.test_funnel_properties.SHOP_ZONE", "Asia/Kolkata")
    after = await sums(sessions)
    assert after
    assert after != before
    async with sessions() as session:
        for _ in range(60):
            question = some_question(dice)
            question = replace(question, span=replace(question.span, zone=ZoneInfo("Asia/Kolkata")))
            assert await found(session, question) == expected(question, happened), question


async def one_step(sessions: Sessions, zone: str) -> facts.RebuildProgress | None:
    async with begin(sessions) as session:
        return await facts.step(session, Settings(time_zone=zone))


async def test_sums_begin_anew_when_a_past_is_inserted_at_once(
    sessions: Sessions, pieces: list[books.Piece], dice: random.Random
) -> None:
    happened = await live_until(sessions, some_visits(dice, pieces, 10), FIRST + 2 * DAYS * DAY)
    inserted = some_visits(dice, pieces, 10)
    async with begin(sessions) as session:
        await facts.begin_bulk(session)
        for event in sorted(inserted, key=lambda each: each.known):
            await tell(session, event)
        await facts.build(session)

    async with sessions() as session:
        for _ in range(20):
            question = some_question(dice)
            assert await found(session, question) == expected(question, [*happened, *inserted]), question

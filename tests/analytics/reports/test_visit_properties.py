"""Random reports of visits and stock equal those of a slow oracle."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import ShopEvent
from server.analytics.reports import report
from server.analytics.reports.language import GOODS, KINDS, Dimension, Measure, Source
from server.analytics.reports.question import GRAINS, Condition
from server.analytics.reports.ranges import Period, Span
from server.analytics.reports.request import ReportRequest
from server.catalog.models import StockMovement
from server.platform.core.db import Sessions, begin
from tests.analytics.caught_up import facts_caught_up
from tests.analytics.reports import books, oracle
from tests.analytics.reports.questions import AS_OF, SHOP_ZONE

ZONES = (SHOP_ZONE, "America/New_York")
EVENT_MEASURES = (Measure.VIEWS, Measure.ADDS_TO_CART, Measure.CHECKOUTS, Measure.CONVERSION)
STOCK_MEASURES = (Measure.STOCK_ON_HAND, Measure.SELL_THROUGH, Measure.DAYS_OF_COVER)
EVENT_DIMENSIONS = (*GRAINS, Dimension.WEEKDAY, Dimension.HOUR_OF_DAY, *KINDS, Dimension.PRODUCT)
RECORDED = datetime(2025, 2, 14, 15, 20, tzinfo=UTC)
"""No visit was recorded before: months of the history have orders, and no visits."""
KINDS_OF_EVENT = ("viewed", "viewed", "viewed", "added", "checkout", "paid")


ABOUT_TO_PAY = timedelta(minutes=2)


@dataclass(frozen=True)
class Event:
    at: datetime
    visit: UUID
    kind: str
    piece: books.Piece


@dataclass(frozen=True)
class Movement:
    at: datetime
    piece: books.Piece
    quantity: int


Happened = TypeVar("Happened", Event, Movement)


class Past:
    """What happened. No dataclass, of which Hypothesis prints each field."""

    def __init__(self, events: list[Event], movements: list[Movement], entries: list[oracle.Entry]) -> None:
        self.events, self.movements, self.entries = events, movements, entries


def a_moment(dice: random.Random) -> datetime:
    if dice.random() < 0.4:
        return dice.choice(books.TURNS) + timedelta(seconds=dice.choice((-3_601, -1, 0, 1, 3_600)))
    return books.FIRST + timedelta(seconds=dice.randrange(int((books.LAST - books.FIRST).total_seconds())))


@pytest.fixture
async def past(sessions: Sessions) -> Past:
    """Events of few visits, so that many coincide; sales; and what came to the shelves and left them."""
    dice = random.Random(29)
    pieces = books.some_pieces(dice)
    visits = [UUID(int=dice.getrandbits(128)) for _ in range(40)]
    events = [
        Event(a_moment(dice), dice.choice(visits), dice.choice(KINDS_OF_EVENT), dice.choice(pieces)) for _ in range(360)
    ]
    events = [event for event in events if event.at >= RECORDED]
    orders = books.some_orders(dice, pieces, 30)
    moved = [Movement(a_moment(dice), dice.choice(pieces), dice.choice((-2, -1, 4, 12))) for _ in range(120)]
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, SHOP_ZONE)
        for order in orders:
            await books.enter(session, order)
        await _keep(session, events, moved)
        bought = [order for order in orders if order.at - ABOUT_TO_PAY >= RECORDED][:10]
        events += [event for order in bought for event in await _buy(session, order, dice.choice(visits))]
    await facts_caught_up(sessions)
    return Past(events, moved, oracle.entries([_unrefunded(order) for order in orders]))


def _unrefunded(order: books.BookOrder) -> books.BookOrder:
    return books.BookOrder(**{**vars(order), "refunds": ()})


async def _keep(session: AsyncSession, events: Sequence[Event], moved: Sequence[Movement]) -> None:
    for event in events:
        await _note(session, event)
    for movement in moved:
        values = {"created_at": movement.at, "variant_id": movement.piece.variant, "quantity": movement.quantity}
        await session.execute(insert(StockMovement).values(**values, reason="counted"))


async def _note(session: AsyncSession, event: Event, checkout: UUID | None = None) -> None:
    product = {"product_id": event.piece.product, "category": event.piece.category}
    values = {"at": event.at, "local_at": func.timezone(SHOP_ZONE, event.at), "visit": event.visit, "kind": event.kind}
    await session.execute(insert(ShopEvent).values(**values, **product, checkout_id=checkout))


async def _buy(session: AsyncSession, order: books.BookOrder, visit: UUID) -> list[Event]:
    """The visit's checkout became the order; nobody wrote down that it paid."""
    checkout = await session.scalar(
        text(
            "INSERT INTO checkouts (email, status, fingerprint, total_cents, currency, shipping_address, expires_at,"
            " check_at) VALUES ('a@shop.test', 'completed', '', 100, 'usd', '{}', now(), now()) RETURNING id"
        )
    )
    link = text("UPDATE orders SET checkout_id = :checkout WHERE id = :order")
    await session.execute(link, {"checkout": checkout, "order": order.id})
    pieces = {line.piece.product: line.piece for line in order.lines}.values()
    begun = [Event(order.at - ABOUT_TO_PAY, visit, "checkout", piece) for piece in pieces]
    for event in begun:
        await _note(session, event, checkout)
    return [*begun, *(Event(order.at, visit, "paid", event.piece) for event in begun)]


@st.composite
def asks(
    draw: st.DrawFn, measures: Sequence[Measure], dimensions: Sequence[Dimension], source: Source
) -> ReportRequest:
    zone = ZoneInfo(draw(st.sampled_from(ZONES)))
    start = datetime.combine(draw(st.dates(books.FIRST.date(), AS_OF.date())), time())
    length = draw(st.sampled_from((1, 7, 31, 200, 500)))
    by = draw(st.lists(st.sampled_from(dimensions), max_size=2, unique=True))
    if Dimension.HOUR in by and length > 31:
        by.remove(Dimension.HOUR)
    versus = st.tuples(st.sampled_from((Period.PREVIOUS_YEAR, Period.PREVIOUS_PERIOD)), st.booleans())
    condition = st.builds(Condition, st.just(Dimension.CATEGORY), st.just(("men_shirts", "women_jeans")), st.booleans())
    return ReportRequest(
        span=Span(start, start + timedelta(days=length), zone),
        by=tuple(by),
        measures=tuple(draw(st.lists(st.sampled_from(measures), min_size=1, max_size=3, unique=True))),
        where=tuple(draw(st.lists(condition, max_size=1))),
        fill_gaps=source is Source.EVENTS and draw(st.booleans()),
        comparisons=tuple(draw(st.lists(versus, max_size=1))),
        rows_of=(source,),
    )


def key_of(at: datetime, piece: books.Piece, dimension: Dimension, zone: ZoneInfo) -> Any:
    """As the books have it of a line sold then."""
    order = books.BookOrder(piece.variant, at, piece.variant, "", "", "", None, 0, 0, True, (), ())
    line = books.BookLine(piece.variant, piece, 1, 0, 0, 0, 0)
    return oracle.key_of(oracle.Entry(at, order, line, True, True), dimension, zone)


def is_wanted(ask: ReportRequest, piece: books.Piece) -> bool:
    return all((piece.category in condition.values) is not condition.negated for condition in ask.where)


def by_key(ask: ReportRequest, rows: Sequence[Happened]) -> dict[oracle.Key, list[Happened]]:
    groups: dict[oracle.Key, list[Happened]] = {}
    for row in rows:
        key = tuple(key_of(row.at, row.piece, dimension, ask.span.zone) for dimension in ask.by)
        groups.setdefault(key, []).append(row)
    return groups


def told(measure: Measure, events: Sequence[Event]) -> Decimal | None:
    def visits(kind: str) -> int:
        return len({event.visit for event in events if event.kind == kind})

    kinds = {Measure.VIEWS: "viewed", Measure.ADDS_TO_CART: "added", Measure.CHECKOUTS: "checkout"}
    if measure in kinds:
        return Decimal(sum(event.kind == kinds[measure] for event in events))
    return oracle.rounded(visits("paid") * 100, visits("viewed"))


def lying(measure: Measure, moved: Sequence[Movement], units: int, days: int) -> Decimal | None:
    stock = sum(movement.quantity for movement in moved)
    match measure:
        case Measure.STOCK_ON_HAND:
            return Decimal(stock)
        case Measure.SELL_THROUGH:
            return oracle.rounded(units * 100, units + stock)
        case _:
            return oracle.rounded(stock * days, units)


class ExpectedVisits:
    """What the events of one span say; nothing of times before the first of all."""

    def __init__(self, past: Past, ask: ReportRequest, span: Span) -> None:
        self.ask, self.span = ask, span
        zone = span.zone
        self.counted = [
            event
            for event in past.events
            if span.start <= event.at.astimezone(zone).replace(tzinfo=None) < span.end and is_wanted(ask, event.piece)
        ]
        self.by_key = by_key(ask, self.counted)
        self.first = min(event.at for event in past.events).astimezone(zone).replace(tzinfo=None)
        self._times = [place for place, dimension in enumerate(ask.by) if dimension in GRAINS]
        self._recorded = {self._parts(moment) for moment in self._moments()}

    def total(self, measure: Measure) -> Decimal | None:
        return told(measure, self.counted) if self.first < self.span.end else None

    def value(self, measure: Measure, key: oracle.Key) -> Decimal | None:
        times = tuple(key[place] for place in self._times)
        if self.first >= self.span.end or (times and times not in self._recorded):
            return None
        return told(measure, self.by_key.get(key, []))

    def _moments(self) -> Iterator[datetime]:
        """Every day of the span on which visits were recorded, or every hour where rows stand for hours."""
        step = timedelta(hours=1) if Dimension.HOUR in self.ask.by else timedelta(days=1)
        moment = self.span.start
        while moment < self.span.end:
            if moment + step > self.first:
                yield moment
            moment += step

    def _parts(self, moment: datetime) -> oracle.Key:
        return tuple(GRAINS[self.ask.by[place]].floor(moment) for place in self._times)


quickly: Callable[[Any], Any] = settings(
    max_examples=80, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


NOT_BEGUN = ReportRequest(
    Span(datetime.combine(AS_OF, time()), datetime.combine(AS_OF, time()) + timedelta(days=1), ZoneInfo(ZONES[1])),
    (),
    (Measure.VIEWS,),
    comparisons=((Period.PREVIOUS_YEAR, True),),
    rows_of=(Source.EVENTS,),
)
"""A day that has not begun in this zone: the span that it is compared with is empty."""


@quickly
@example(ask=NOT_BEGUN)
@given(ask=asks(EVENT_MEASURES, EVENT_DIMENSIONS, Source.EVENTS))
async def test_any_report_of_visits_is_what_they_did(past: Past, session: AsyncSession, ask: ReportRequest) -> None:
    result = await report.run(session, ask, shop_zone=SHOP_ZONE, as_of=AS_OF)

    expected = ExpectedVisits(past, ask, ask.span)
    keys = {row.key for row in result.shown}
    assert keys >= set(expected.by_key) if ask.fill_gaps else keys == (set(expected.by_key) if ask.by else {()})
    for measure in ask.measures:
        assert result.value(measure, result.total) == expected.total(measure)
        for row in result.shown:
            assert result.value(measure, row) == expected.value(measure, row.key), (row.key, measure)
    for comparison, other in result.compared.items():
        before = ExpectedVisits(past, ask, other.span)
        for measure in ask.measures:
            assert result.compared_value(comparison, measure, result.total) == before.total(measure)
            for row in result.shown:
                key = other.key_of(row.key)
                value = None if key is None else before.value(measure, key)
                assert result.compared_value(comparison, measure, row) == value, (row.key, measure)


@quickly
@given(ask=asks(STOCK_MEASURES, GOODS, Source.STOCK))
async def test_any_report_of_stock_is_what_the_ledger_says(
    past: Past, session: AsyncSession, ask: ReportRequest
) -> None:
    result = await report.run(session, ask, shop_zone=SHOP_ZONE, as_of=AS_OF)

    end = ask.span.end.replace(tzinfo=ask.span.zone)
    there = [movement for movement in past.movements if movement.at < end and is_wanted(ask, movement.piece)]
    expected = by_key(ask, there)
    sold = oracle.kept(past.entries, ask.span, ask.where)
    units = {key: sum(row.units for row in rows) for key, rows in oracle.grouped(sold, ask.by, ask.span.zone).items()}
    now = AS_OF.astimezone(ask.span.zone).replace(tzinfo=None)
    days = sum(ask.span.start + timedelta(days=day) <= now for day in range(ask.span.days))
    assert {row.key for row in result.shown} == set(expected) | ({()} if not ask.by else set())
    for measure in ask.measures:
        assert result.value(measure, result.total) == lying(measure, there, sum(row.units for row in sold), days)
        for row in result.shown:
            value = lying(measure, expected.get(row.key, []), units.get(row.key, 0), days)
            assert result.value(measure, row) == value, (row.key, measure)

"""Visits are counted by a number, which they get with their first event and keep."""

import asyncio
import random
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.analytics.models import ShopEvent
from server.config import Settings
from server.platform.core.db import Sessions, begin
from tests.analytics.reports import books
from tests.statements import ended_or_blocked

ZONE = "Europe/Stockholm"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
WITHOUT_WAITING = (
    "DO $$ BEGIN EXECUTE regexp_replace("
    "pg_get_functiondef('number_event'::regproc), 'PERFORM pg_advisory_xact_lock.*?;', ''); END $$"
)


@pytest.fixture
async def piece(sessions: Sessions) -> books.Piece:
    pieces = books.some_pieces(random.Random(3))
    async with begin(sessions) as session:
        await books.stock_range(session, pieces, ZONE)
    return pieces[0]


async def view(session: AsyncSession, visit: UUID, piece: books.Piece) -> None:
    product = {"product_id": piece.product, "category": piece.category}
    values = {"at": NOON, "local_at": func.timezone(ZONE, NOON), "visit": visit, "kind": "viewed"}
    await session.execute(insert(ShopEvent).values(**values, **product))


async def two_at_once(sessions: Sessions, visit: UUID, piece: books.Piece) -> None:
    """The second begins before the first is committed."""

    async def second() -> None:
        async with begin(sessions) as later:
            await view(later, visit, piece)

    async with begin(sessions) as first:
        await view(first, visit, piece)
        waiting = asyncio.create_task(second())
        await ended_or_blocked(waiting, sessions)
    await waiting


async def numbers(sessions: Sessions) -> list[tuple[UUID, int | None]]:
    async with sessions() as session:
        rows = await session.execute(select(ShopEvent.visit, ShopEvent.visit_number).order_by(ShopEvent.visit))
        return [(row.visit, row.visit_number) for row in rows]


async def test_a_visit_has_one_number_though_its_first_batches_come_at_once(
    sessions: Sessions, piece: books.Piece
) -> None:
    visits = [uuid4() for _ in range(3)]

    for visit in visits:
        await two_at_once(sessions, visit, piece)

    rows = await numbers(sessions)
    assert len(rows) == 6
    assert len({number for _, number in rows}) == len(set(rows)) == 3


async def test_without_waiting_for_each_other_two_batches_give_a_visit_two_numbers(
    sessions: Sessions, piece: books.Piece
) -> None:
    async with begin(sessions) as session:
        await session.execute(text(WITHOUT_WAITING))

    await two_at_once(sessions, uuid4(), piece)

    assert len(set(await numbers(sessions))) == 2


async def test_a_rebuild_numbers_the_visits_of_before_and_sets_their_clocks(
    sessions: Sessions, piece: books.Piece
) -> None:
    visits = [uuid4(), uuid4()]
    async with begin(sessions) as session:
        await session.execute(text("ALTER TABLE shop_events DISABLE TRIGGER shop_events_number"))
        for visit in (*visits, visits[0]):
            await view(session, visit, piece)
        await session.execute(text("ALTER TABLE shop_events ENABLE TRIGGER shop_events_number"))
        await view(session, visits[1], piece)

    await facts.rebuild(sessions, Settings(time_zone="Asia/Kolkata"), on_progress=lambda _line: None)

    rows = await numbers(sessions)
    assert len(rows) == 4
    assert len({number for _, number in rows}) == len(set(rows)) == 2
    async with sessions() as session:
        event = (await session.scalars(select(ShopEvent).limit(1))).one()
        members = await session.execute(text("SELECT number, member FROM event_members"))
        named = {row.number: row.member for row in members}
    assert event.local_at == datetime(2026, 3, 2, 17, 30)  # noqa: DTZ001 - a wall clock
    assert named[event.product_number] == str(piece.product)
    gender, kind = piece.category.split("_")
    assert [named[n] for n in (event.category_number, event.gender_number, event.subcategory_number)] == [
        piece.category,
        gender,
        kind,
    ]

"""Manual stock adjustments."""

import asyncio
from uuid import uuid4

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.models import StockMovement
from server.catalog.service import RESTOCKED
from server.inventory import service
from server.inventory.errors import NotEnoughStock
from server.inventory.service import StockAdjustment
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import InvalidInput, NotFound
from server.platform.core.models import Job
from tests.cart.stock import stock_of
from tests.inventory.shelf import ADMIN, ledger_of, make_shelf


async def test_a_change_moves_stock_and_says_why_who_and_when(session: AsyncSession) -> None:
    goods = await make_shelf(session, sizes=("S", "M"), stock=5)
    small, medium = goods.variants.values()

    await service.adjust(
        session, [StockAdjustment(small, by=-2), StockAdjustment(medium, to=9)], "counted", " Shelf 4 ", ADMIN
    )
    await session.commit()

    assert (await stock_of(session, small), await stock_of(session, medium)) == (3, 9)
    assert await ledger_of(session, small) == [("opening", 5), ("counted", -2)]
    assert await ledger_of(session, medium) == [("opening", 5), ("counted", 4)]
    [last] = (await session.scalars(select(StockMovement).where(StockMovement.quantity == 4))).all()
    assert (last.note, last.actor_id, last.actor_email) == ("Shelf 4", ADMIN.user_id, "admin@shop.test")


async def test_each_changed_variant_has_an_entry_in_the_audit_log(session: AsyncSession) -> None:
    goods = await make_shelf(session, sizes=("S", "M"), stock=5)
    small, medium = goods.variants.values()

    await service.adjust(session, [StockAdjustment(small, to=7), StockAdjustment(medium, to=5)], "received", "", ADMIN)

    [entry] = (await session.scalars(select(AuditEntry))).all()
    assert (entry.action, entry.subject_kind, entry.subject_id) == ("stock adjusted", "variant", str(small))
    assert (entry.before, entry.after) == ({"stock": 5}, {"stock": 7, "reason": "received"})


async def test_a_number_that_is_right_already_writes_nothing(session: AsyncSession) -> None:
    goods = await make_shelf(session, stock=5)

    await service.adjust(session, [StockAdjustment(goods.variant_id, to=5)], "counted", "", ADMIN)
    await session.commit()

    assert await ledger_of(session, goods.variant_id) == [("opening", 5)]


async def test_more_than_is_free_cannot_be_taken_and_nothing_of_the_rest_is_done(session: AsyncSession) -> None:
    plenty, few = await make_shelf(session, stock=9), await make_shelf(session, stock=2)

    with pytest.raises(NotEnoughStock) as refusal:
        await service.adjust(
            session,
            [StockAdjustment(plenty.variant_id, by=-1), StockAdjustment(few.variant_id, by=-3)],
            "damaged",
            "",
            ADMIN,
        )
    await session.rollback()

    assert refusal.value.free == 2
    assert (await stock_of(session, plenty.variant_id), await stock_of(session, few.variant_id)) == (9, 2)


@pytest.mark.parametrize(
    ("changes", "note", "field"),
    [
        ([], "", "changes"),
        ([{}], "", "changes"),
        ([{"by": 1, "to": 1}], "", "changes"),
        ([{"by": 1}, {"by": 1}], "", "changes"),
        ([{"to": -1}], "", "changes"),
        ([{"to": 1_000_001}], "", "changes"),
        ([{"by": 1_000_000}], "", "changes"),
        ([{"by": 1}] * 101, "", "changes"),
        ([{"by": 1}], "x" * 501, "note"),
        ([{"by": 1}], "a\x00b", "note"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    session: AsyncSession, changes: list[dict[str, int]], note: str, field: str
) -> None:
    goods = await make_shelf(session, stock=5)

    with pytest.raises(InvalidInput) as refusal:
        await service.adjust(
            session, [StockAdjustment(goods.variant_id, **change) for change in changes], "adjustment", note, ADMIN
        )

    assert list(refusal.value.errors) == [field]


async def test_a_made_up_item_does_not_exist(session: AsyncSession) -> None:
    with pytest.raises(NotFound):
        await service.adjust(session, [StockAdjustment(uuid4(), by=1)], "received", "", ADMIN)


async def test_who_waits_is_told_when_a_sold_out_item_comes_back_and_only_then(session: AsyncSession) -> None:
    gone, there = await make_shelf(session, stock=0), await make_shelf(session, stock=1)

    await service.adjust(
        session,
        [StockAdjustment(gone.variant_id, by=4), StockAdjustment(there.variant_id, by=4)],
        "received",
        "",
        ADMIN,
    )

    [job] = (await session.scalars(select(Job).where(Job.kind == RESTOCKED))).all()
    assert job.payload == {"variant_id": str(gone.variant_id)}


async def test_twenty_who_take_the_last_ten_at_once_take_ten(sessions: Sessions, session: AsyncSession) -> None:
    goods = await make_shelf(session, stock=10)

    async def take() -> bool:
        try:
            async with begin(sessions) as own:
                await service.adjust(own, [StockAdjustment(goods.variant_id, by=-1)], "damaged", "", ADMIN)
        except NotEnoughStock:
            return False
        return True

    taken = await asyncio.gather(*(take() for _ in range(20)))

    assert sum(taken) == 10
    assert await stock_of(session, goods.variant_id) == 0
    assert await ledger_of(session, goods.variant_id) == [("opening", 10)] + [("damaged", -1)] * 10

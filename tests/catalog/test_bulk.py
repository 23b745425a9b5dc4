"""Bulk changes are applied exactly as previewed, or not at all."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import admin_queries, bulk
from server.catalog.bulk import (
    BulkSelection,
    BulkStockChange,
    Change,
    DiscountChange,
    PriceChange,
    PriceOperation,
    RetireChange,
)
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, StockMovement, Variant
from server.platform.core.errors import InvalidInput
from tests.catalog.editors import ADMIN, ledger_matches, log, make_jean, stock_of
from tests.catalog.goods import put_on_offer

TEN_PERCENT_MORE = PriceChange(PriceOperation.RAISE_PERCENT, Decimal(10))


async def done(session: AsyncSession, selection: BulkSelection, change: Change) -> list[UUID]:
    shown = await bulk.preview(session, selection, change)
    changed = await bulk.apply(session, selection, change, shown.token, actor=ADMIN)
    await session.commit()
    return changed


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (PriceChange(PriceOperation.SET, Decimal(5_000)), 5_000),
        (PriceChange(PriceOperation.RAISE_PERCENT, Decimal("12.5")), 10_013),
        (PriceChange(PriceOperation.RAISE_PERCENT, Decimal("12.5"), 100), 10_000),
        (PriceChange(PriceOperation.LOWER_PERCENT, Decimal(10), 10), 8_010),
        (PriceChange(PriceOperation.RAISE_AMOUNT, Decimal(250)), 9_150),
        (PriceChange(PriceOperation.LOWER_AMOUNT, Decimal(900)), 8_000),
    ],
)
async def test_a_new_price_is_right_to_the_cent(session: AsyncSession, change: PriceChange, expected: int) -> None:
    product_id = await put_on_offer(session, price=8_900)

    await done(session, BulkSelection((product_id,)), change)

    assert await session.scalar(select(Product.price_cents)) == expected


async def test_the_preview_names_what_changes_and_what_cannot_and_counts_the_rest(session: AsyncSession) -> None:
    dear = await put_on_offer(session, "Dear", price=5_000)
    cheap = await put_on_offer(session, "Cheap", price=300)
    same = await put_on_offer(session, "Same", price=500)
    change = PriceChange(PriceOperation.LOWER_AMOUNT, Decimal(400))

    shown = await bulk.preview(session, BulkSelection((dear, cheap)), change)
    unchanged = await bulk.preview(session, BulkSelection((same,)), PriceChange(PriceOperation.SET, Decimal(500)))

    assert {row.name: (row.after.price_cents, row.problem) for row in shown.rows} == {
        "Dear": (4_600, ""),
        "Cheap": (300, "The price would be nothing"),
    }
    assert (unchanged.rows, unchanged.unchanged) == ([], 1)


async def test_nothing_is_done_when_a_product_changed_after_the_preview(session: AsyncSession) -> None:
    both = (await put_on_offer(session, price=1_000), await put_on_offer(session, price=2_000))
    shown = await bulk.preview(session, BulkSelection(both), TEN_PERCENT_MORE)
    await session.execute(update(Product).where(Product.id == both[1]).values(price_cents=1_900))
    await session.commit()

    with pytest.raises(ChangedMeanwhile):
        await bulk.apply(session, BulkSelection(both), TEN_PERCENT_MORE, shown.token, actor=ADMIN)
    await session.rollback()

    prices = await session.scalars(select(Product.price_cents).order_by(Product.price_cents))
    assert list(prices) == [1_000, 1_900]
    assert await log(session) == []


async def test_nothing_is_done_when_the_filter_matches_other_products_by_now(session: AsyncSession) -> None:
    await put_on_offer(session, price=1_000)
    everything = BulkSelection(criteria=admin_queries.AdminListFilter())
    shown = await bulk.preview(session, everything, TEN_PERCENT_MORE)
    await put_on_offer(session, price=2_000)

    with pytest.raises(ChangedMeanwhile):
        await bulk.apply(session, everything, TEN_PERCENT_MORE, shown.token, actor=ADMIN)


async def test_a_token_stands_for_its_own_change_alone(session: AsyncSession) -> None:
    one = BulkSelection((await put_on_offer(session, price=1_000),))
    shown = await bulk.preview(session, one, TEN_PERCENT_MORE)

    with pytest.raises(ChangedMeanwhile):
        await bulk.apply(session, one, PriceChange(PriceOperation.SET, Decimal(1)), shown.token, actor=ADMIN)


@pytest.mark.parametrize(
    ("discounted", "percent", "starts_in", "raises"),
    [
        (6_000, 25, None, True),
        (6_000, 45, None, False),
        (6_000, 50, None, False),
        (6_000, 50, 1, True),
        (6_000, None, None, True),
        (None, 25, None, False),
        (None, 25, 1, False),
    ],
)
async def test_a_preview_marks_prices_that_a_discount_would_raise(
    session: AsyncSession, discounted: int | None, percent: int | None, starts_in: int | None, raises: bool
) -> None:
    product_id = await put_on_offer(session, price=10_000)
    await session.execute(update(Product).values(discounted_price_cents=discounted))
    now = datetime.now(UTC)
    starts = None if starts_in is None else now + timedelta(days=starts_in)

    shown = await bulk.preview(session, BulkSelection((product_id,)), DiscountChange(percent, starts))

    assert [row.raises_price(now) for row in shown.rows] == [raises]


async def test_a_later_discount_is_compared_with_the_one_that_it_replaces_when_it_begins(
    session: AsyncSession,
) -> None:
    now = datetime.now(UTC)
    product_id = await put_on_offer(session, price=10_000)
    await session.execute(
        update(Product).values(discounted_price_cents=6_000, discount_starts_at=now + timedelta(hours=1))
    )

    shown = await bulk.preview(session, BulkSelection((product_id,)), DiscountChange(10, now + timedelta(days=1)))

    assert [row.raises_price(now) for row in shown.rows] == [True]


async def test_a_discount_runs_between_its_moments_and_is_logged_for_each_product(session: AsyncSession) -> None:
    product_id = await put_on_offer(session, price=10_000)
    begins = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)

    await done(session, BulkSelection((product_id,)), DiscountChange(25, begins, begins + timedelta(days=7)))

    row = await session.execute(select(Product.discounted_price_cents, Product.discount_percentage, Product.is_on_sale))
    assert tuple(row.one()) == (7_500, 25, False)
    [(action, email, before, after)] = await log(session)
    assert (action, email, before) == (
        "discount changed",
        "admin@shop.test",
        {"discounted_price_cents": None, "discount_starts": None, "discount_ends": None},
    )
    assert after["discounted_price_cents"] == 7_500
    await done(session, BulkSelection((product_id,)), DiscountChange(None))
    assert await session.scalar(select(Product.discounted_price_cents)) is None


async def test_pieces_are_added_to_every_variant_through_the_ledger(session: AsyncSession) -> None:
    product_id = await make_jean(session)

    await done(session, BulkSelection((product_id,)), BulkStockChange(4, reason="received", note="Van of Monday"))

    assert await stock_of(session, product_id) == [10, 10, 10, 10]
    moves = await session.execute(
        select(StockMovement.quantity, StockMovement.reason, StockMovement.note).where(
            StockMovement.reason != "opening"
        )
    )
    assert [tuple(row) for row in moves] == [(4, "received", "Van of Monday")] * 4
    assert (await log(session))[-1][2:] == ({"stock": 24}, {"stock": 40})
    assert await ledger_matches(session)


async def test_a_product_without_that_many_pieces_keeps_all_it_has(session: AsyncSession) -> None:
    few = await put_on_offer(session, "Few", stock={("Sky", "S"): 1, ("Sky", "M"): 9})
    many = await put_on_offer(session, "Many", stock=9)
    change = BulkStockChange(-5)

    changed = await done(session, BulkSelection((few, many)), change)

    assert changed == [many]
    assert sorted(await stock_of(session, few)) == [1, 9]
    assert await stock_of(session, many) == [4, 4]


async def test_a_sale_after_the_preview_stops_a_change_of_stock(session: AsyncSession) -> None:
    one = BulkSelection((await put_on_offer(session, stock=9),))
    shown = await bulk.preview(session, one, BulkStockChange(5, replaces=True))
    await session.execute(update(Variant).values(stock=8))
    await session.commit()

    with pytest.raises(ChangedMeanwhile):
        await bulk.apply(session, one, BulkStockChange(5, replaces=True), shown.token, actor=ADMIN)


async def test_products_are_retired_and_restored_together(session: AsyncSession) -> None:
    both = BulkSelection((await put_on_offer(session), await put_on_offer(session)))

    await done(session, both, RetireChange(True))
    assert await admin_queries.total(session, admin_queries.AdminListFilter()) == 0
    await done(session, both, RetireChange(False))

    assert await admin_queries.total(session, admin_queries.AdminListFilter()) == 2
    assert [entry[0] for entry in await log(session)] == ["retired", "retired", "restored", "restored"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (PriceChange(PriceOperation.SET, Decimal(0)), "amount"),
        (PriceChange(PriceOperation.SET, Decimal(100), 7), "roundTo"),
        (PriceChange(PriceOperation.RAISE_PERCENT, Decimal(2_000)), "amount"),
        (DiscountChange(100), "percent"),
        (DiscountChange(10, datetime(2026, 5, 2, tzinfo=UTC), datetime(2026, 5, 1, tzinfo=UTC)), "endsAt"),
        (BulkStockChange(0), "pieces"),
        (BulkStockChange(-1, replaces=True), "pieces"),
    ],
)
async def test_a_change_that_makes_no_sense_is_refused(session: AsyncSession, change: Change, field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await bulk.preview(session, BulkSelection((uuid4(),)), change)

    assert list(refusal.value.errors) == [field]


async def test_nothing_selected_is_refused(session: AsyncSession) -> None:
    with pytest.raises(InvalidInput) as refusal:
        await bulk.preview(session, BulkSelection(), TEN_PERCENT_MORE)

    assert refusal.value.errors == {"selection": "No product is selected"}

"""CSV imports and exports: checked completely, applied completely, applied once."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.fields import DEFAULT_GRAMS
from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.catalog.service import RESTOCKED
from server.identity.models import User
from server.inventory import catalog_io, csv_file, imports, queries
from server.inventory import import_plan as planning
from server.inventory.csv_file import TEXT_COLUMNS
from server.inventory.errors import ImportNotReady
from server.inventory.models import Import
from server.platform.core import jobs
from server.platform.core.db import Sessions, begin
from server.platform.core.errors import Forbidden
from server.platform.core.jobs import JobEnvironment
from server.platform.core.models import FailedJob, Job
from tests.cart.stock import Goods, make_product, stock_of
from tests.inventory.files import brought, checksums, done, exported, file_of, known, rows_of, work
from tests.inventory.import_files import NEW, sku_of
from tests.inventory.shelf import ADMIN, OWNER, ledger_of, make_shelf
from tests.statements import counted_statements

BLUE, RED = ("Indigo", "#2f4e7d"), ("Brick", "#8c3b2e")


def messages(import_row: Import) -> list[tuple[int, str, str]]:
    return [(each["row"], each["cell"], each["message"]) for each in import_row.problems]


async def test_an_export_imports_to_the_same_shop_and_changes_nothing(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    await make_shelf(session, name="=Formula Shirt", colors=(BLUE, RED), sizes=("S", "XXL"), pictures=True)
    await make_shelf(session, name='Café "Noir"; 2,5', discounted=4_000, sizes=("XS", "M"), stock=0)
    await session.execute(text("UPDATE products SET description = E'@two\\nlines', title = '-1'"))
    await session.commit()
    before = await checksums(sessions)

    import_row = await done(env, await exported(sessions))

    assert (import_row.state, import_row.rows, import_row.summary["unchanged_rows"], import_row.changes) == (
        "done",
        6,
        6,
        [],
    )
    assert await checksums(sessions) == before


async def test_an_export_with_times_beyond_the_bounds_changes_nothing(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    await make_shelf(session, discounted=4_000)
    await session.execute(
        text("UPDATE products SET discount_starts_at = '1990-01-01', discount_ends_at = '9999-12-30'")
    )
    await session.commit()
    before = await checksums(sessions)

    import_row = await done(env, await exported(sessions))

    assert (import_row.state, import_row.changes) == ("done", [])
    assert await checksums(sessions) == before


async def test_an_export_brings_back_what_it_was_taken_from(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session, colors=(BLUE, RED), sizes=("S", "M"), stock=7, pictures=True)
    content = await exported(sessions)
    before = await range_of(session)
    await session.execute(
        update(Product).values(name="Other", price_cents=1, discounted_price_cents=2, gender="women", weight_grams=9)
    )
    await session.execute(update(ProductColor).values(hex="#000000"))
    await session.execute(update(ProductImage).values(position=-ProductImage.position))
    await session.execute(update(Variant).where(Variant.id == goods.variant_id).values(stock=1))
    await session.commit()

    import_row = await done(env, without(content, "exported_stock"))

    assert import_row.summary["changed_prices"] == 1
    assert await range_of(session) == before


async def test_every_text_goes_out_and_another_one_comes_in_and_is_logged(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session)
    [before] = rows_of(await exported(sessions))
    product = await session.get_one(Product, goods.product_id)
    texts = {column: f"Another {column}" for column in TEXT_COLUMNS}

    import_row = await done(env, file_of([{"sku": before["sku"], **texts}]))

    [after] = rows_of(await exported(sessions))
    logged = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "edited"))).one()
    assert {column: before[column] for column in texts} == {
        column: getattr(product, text.name) for column, text in TEXT_COLUMNS.items()
    }
    assert after == {**before, **texts}
    assert {each["column"]: each["after"] for each in import_row.changes} == texts
    assert logged.after == {text.audit_name: texts[column] for column, text in TEXT_COLUMNS.items()}


LENGTHS = {"chest": {"S": 1_041_400, "M": 1_092_201}, "length": {"M": 736_600}, "hem": {"S": 431_800}}
"""Micrometers; shirts are not measured at the hem."""


async def make_measured(session: AsyncSession) -> Goods:
    """In two colors, S and M."""
    goods = await make_shelf(session, colors=(BLUE, RED), sizes=("S", "M"))
    await session.execute(update(Product).where(Product.id == goods.product_id).values(measurements=LENGTHS))
    await session.commit()
    return goods


@pytest.mark.parametrize("unit", ["cm", "in"])
async def test_measurements_go_out_and_come_back_to_the_micrometer(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment, unit: str
) -> None:
    await make_measured(session)
    content = await exported(sessions, unit)
    before = await checksums(sessions)

    same = await done(env, content)
    after = await checksums(sessions)
    shown = {point: lengths for point, lengths in LENGTHS.items() if point != "hem"}
    await session.execute(update(Product).values(measurements={"collar": {"S": 300_000}, "hem": LENGTHS["hem"]}))
    await session.commit()
    await done(env, content)

    rows = rows_of(content)
    assert [row[f"chest_{unit}"] for row in rows] == (
        ["104.14", "109.2201"] * 2 if unit == "cm" else ["41", "43.00004"] * 2
    )
    assert {row[f"hem_{unit}"] for row in rows} == {""}
    assert (same.changes, after) == ([], before)
    assert await session.scalar(select(Product.measurements)) == {**shown, "hem": LENGTHS["hem"]}


async def test_measurements_change_by_size_and_are_logged_by_cell(session: AsyncSession, env: JobEnvironment) -> None:
    await make_measured(session)
    skus = (await session.execute(select(Variant.sku, Variant.size).order_by(Variant.size.desc(), Variant.sku))).all()
    rows = [{"sku": sku, "Chest (in)": "42" if size == "S" else "43.00004", "length_in": ""} for sku, size in skus]

    import_row = await done(env, file_of(rows))

    assert [(each["column"], each["before"], each["after"]) for each in import_row.changes] == [
        ("chest_in", "41", "42"),
        ("length_in", "29", ""),
    ]
    expected = {"chest": {"S": 1_066_800, "M": 1_092_201}, "hem": LENGTHS["hem"]}
    assert await session.scalar(select(Product.measurements)) == expected
    assert await session.scalar(select(Product.version)) == 2
    edited = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "edited"))).one()
    assert (edited.before, edited.after) == (
        {"measurements": {"chest S": 1_041_400, "length M": 736_600}},
        {"measurements": {"chest S": 1_066_800}},
    )


async def test_a_new_product_brings_its_measurements(session: AsyncSession, env: JobEnvironment) -> None:
    await done(env, file_of([{**NEW, "chest_cm": "104,5"}, {**NEW, "sku": "L-M", "size": "M", "chest_cm": "109"}]))

    assert await session.scalar(select(Product.measurements)) == {"chest": {"S": 1_045_000, "M": 1_090_000}}


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        ({"inseam_cm": ["", "", "81", ""]}, [(4, "B4", "This kind of garment is not measured there")]),
        (
            {"chest_cm": ["104", "109", "105", "109"]},
            [(4, "B4", "Differs from row 2, which is of the same product and size")],
        ),
        (
            {"chest_cm": ["104", "wide", "104", "109"]},
            [(3, "B3", "A measurement is a number of centimeters from 1 to 300")],
        ),
    ],
)
async def test_a_measurement_that_cannot_be_is_told_at_its_cell(
    session: AsyncSession, env: JobEnvironment, lengths: dict[str, list[str]], expected: list[tuple[int, str, str]]
) -> None:
    await make_measured(session)
    skus = (await session.scalars(select(Variant.sku).order_by(Variant.id))).all()
    [(column, cells)] = lengths.items()

    import_row = await brought(
        env, file_of([{"sku": sku, column: cell} for sku, cell in zip(skus, cells, strict=True)])
    )

    assert import_row.state == "refused"
    assert messages(import_row) == expected
    assert await session.scalar(select(Product.measurements)) == LENGTHS


async def test_new_products_come_with_colors_variants_opening_stock_and_a_history(
    session: AsyncSession, env: JobEnvironment
) -> None:
    second = {**NEW, "sku": "LIN-1-M", "size": "M", "stock": "0"}

    import_row = await done(env, file_of([NEW, second]))

    assert import_row.state == "done"
    product = (await session.scalars(select(Product))).one()
    assert (product.name, product.title, product.category) == ("Linen Shirt", "Linen Shirt", "men_shirts")
    assert (product.price_cents, product.discounted_price_cents, product.discount_percentage) == (9_200, 6_900, 25)
    assert (product.description, product.id.version) == ("With slubs.\nAnd a pocket.", 7)
    assert product.retired_at is not None
    assert import_row.summary["hidden_products"] == 1
    variants = (await session.execute(select(Variant.sku, Variant.size, Variant.stock).order_by(Variant.sku))).all()
    assert variants == [("LIN-1-M", "M", 0), ("LIN-1-S", "S", 4)]
    assert await session.scalar(select(ProductColor.family)) == "Beige"
    assert await session.scalar(select(StockMovement.note)) == "range.csv"
    assert await queries.differences(session) == {}
    actions = (await session.execute(select(AuditEntry.action, AuditEntry.actor_email).order_by(AuditEntry.id))).all()
    assert actions == [("created", "owner@shop.test"), ("imported", "owner@shop.test")]


async def test_the_same_file_again_doubles_nothing(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session, stock=5)
    content = file_of([{"sku": await sku_of(session, goods), "stock": "12"}])
    await done(env, content)
    created = file_of([NEW])
    await done(env, created)
    before = await checksums(sessions)

    await done(env, content)
    again = await done(env, created)

    assert again.changes == []
    assert await checksums(sessions) == before
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("import", 7)]


async def test_a_new_products_pictures_put_it_on_offer(session: AsyncSession, env: JobEnvironment) -> None:
    await make_product(session, pictures=True)
    image = await session.scalar(select(ProductImage.image_id))

    await done(env, file_of([{**NEW, "color_images": f"/images/{image}/900.webp"}]))

    product = (await session.scalars(select(Product).where(Product.name == "Linen Shirt"))).one()
    picture = (await session.scalars(select(ProductImage).where(ProductImage.product_id == product.id))).one()
    assert product.retired_at is None
    assert (picture.image_id, picture.alt) == (image, "Linen Shirt")


async def test_what_was_sold_since_the_export_is_not_put_back_on_the_shelf(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    sold, counted = await make_shelf(session, stock=10), await make_shelf(session, stock=10)
    rows = rows_of(await exported(sessions))
    await session.execute(update(Variant).values(stock=8))
    await session.commit()
    for row in rows:
        row["price"] = "55.00"
        if row["product"] == str(counted.product_id):
            row["stock"] = "30"

    await done(env, file_of(rows))

    assert (await stock_of(session, sold.variant_id), await stock_of(session, counted.variant_id)) == (8, 30)
    assert set(await session.scalars(select(Product.price_cents))) == {5_500}


async def test_one_wrong_cell_keeps_the_whole_file_out(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session, stock=5)
    sku = await sku_of(session, goods)
    before = await checksums(sessions)

    import_row = await brought(env, file_of([{"sku": sku, "stock": "9"}, {"sku": "NOBODY", "stock": "x"}]))

    assert import_row.state == "refused"
    assert import_row.problem_count == 1
    assert messages(import_row) == [(3, "B3", "Pieces are a whole number from 0 to 1,000,000")]
    assert await checksums(sessions) == before
    with pytest.raises(ImportNotReady):
        async with begin(env.sessions) as own:
            await imports.start(own, import_row.id, OWNER)


async def test_problems_are_in_the_order_of_the_file(session: AsyncSession, env: JobEnvironment) -> None:
    other = {column: "" for column in csv_file.COLUMNS if column not in NEW}
    wide = {**NEW, **other}
    last = list(wide)[-1]
    assert len(wide) > 26

    import_row = await brought(env, file_of([{**wide, last: "x", "price": "x"}, {**wide, "price": "x"}]))

    assert [(each["column"], each["row"]) for each in import_row.problems] == [("price", 2), (last, 2), ("price", 3)]


async def test_variants_of_a_new_product_are_not_unchanged(session: AsyncSession, env: JobEnvironment) -> None:
    goods = await make_shelf(session)
    rows = [{**NEW, "sku": f"LIN-1-{size}", "size": size} for size in ("S", "M", "L")]

    import_row = await brought(env, file_of(rows))
    again = await brought(env, file_of([{"sku": await sku_of(session, goods), "size": "M"}]))

    assert (import_row.state, import_row.summary["new_variants"], import_row.summary["unchanged_rows"]) == (
        "ready",
        3,
        0,
    )
    assert again.summary["unchanged_rows"] == 1


async def test_a_weight_left_out_is_the_default_or_stays(session: AsyncSession, env: JobEnvironment) -> None:
    goods = await make_shelf(session)
    await session.execute(update(Product).values(weight_grams=900))
    await session.commit()
    sku = await sku_of(session, goods)

    await done(env, file_of([{**NEW, "weight_grams": ""}]))
    await done(env, file_of([{"sku": sku, "price": "12.00", "weight_grams": ""}]))

    weights = await session.execute(select(Product.name, Product.price_cents, Product.weight_grams))
    assert {(price, grams) for _, price, grams in weights} == {(9_200, DEFAULT_GRAMS), (1_200, 900)}


@pytest.mark.parametrize("error", [OverflowError("date value out of range"), KeyError("column")])
async def test_a_check_that_fails_refuses_the_file(
    session: AsyncSession, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(planning, "make", fail)

    import_row = await brought(env, file_of([NEW]))

    assert (import_row.state, import_row.problem_count, import_row.rows) == ("refused", 1, 1)
    assert messages(import_row) == [(1, "A1", imports.FAILED.message)]
    assert import_row.finished_at is not None
    assert await session.scalar(select(FailedJob.kind)) == imports.CHECK


async def test_a_run_that_fails_changes_nothing_and_is_refused(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_row = await brought(env, file_of([NEW]))
    before = await checksums(sessions)

    async def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(catalog_io, "write", fail)
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, OWNER)
    await work(env)

    assert messages(await known(env, import_row.id)) == [(1, "A1", imports.FAILED.message)]
    assert (await known(env, import_row.id)).state == "refused"
    assert await checksums(sessions) == before


async def test_an_import_whose_job_is_not_retried_any_more_is_refused(
    session: AsyncSession, env: JobEnvironment
) -> None:
    waiting, left = [await brought(env, file_of([NEW])) for _ in range(2)]
    async with begin(env.sessions) as own:
        await own.execute(update(Import).values(state="checking"))
        await jobs.enqueue(own, imports.CHECK, {"import_id": str(waiting.id)})

    await imports.tidy(env)

    assert (await known(env, waiting.id)).state == "checking"
    assert messages(await known(env, left.id)) == [(1, "A1", imports.FAILED.message)]
    assert (await known(env, left.id)).state == "refused"


@pytest.mark.parametrize(
    ("changed", "second", "cell", "message"),
    [
        (
            {"product": ""},
            {},
            "B2",
            "LIN-1-S is not known. To make it, put its product's id, or a word of your own, here",
        ),
        ({"product": "01a1fea8-354a-71bc-a7f5-3f3a4babf5b0"}, {}, "B2", "This shop has no such product."),
        ({"color_hex": ""}, {}, "J2", "Bone is new and needs its color_hex"),
        ({}, {"sku": "LIN-1-S"}, "A3", "LIN-1-S is in row 2 already"),
        ({}, {"sku": "LIN-2-S"}, "A3", "Linen Shirt in Bone S is there already, as LIN-1-S"),
        (
            {},
            {"sku": "LIN-1-M", "size": "M", "name": "Linnen"},
            "C3",
            "Differs from row 2, which is of the same product",
        ),
        ({}, {"sku": "L", "size": "M", "color_hex": "#ffffff"}, "J3", "Differs from row 2, which is of the same color"),
    ],
)
async def test_rows_that_contradict_the_shop_or_each_other_are_refused(
    env: JobEnvironment, changed: Mapping[str, str], second: Mapping[str, str], cell: str, message: str
) -> None:
    rows = [{**NEW, **changed}, *([{**NEW, **second}] if second else [])]

    import_row = await brought(env, file_of(rows))

    assert import_row.state == "refused"
    assert [(place, words[: len(message)]) for _, place, words in messages(import_row)] == [(cell, message)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"color": "Brick"}, "is Indigo. Another color takes a SKU of its own"),
        ({"size": "L"}, "is size M. Another size takes a SKU of its own"),
        ({"product": "{other}"}, "belongs to Oxford Shirt"),
        ({"images": "01a1fea8-354a-71bc-a7f5-3f3a4babf5b0"}, "upload it first"),
        ({"discount_ends": "2026-01-01T00:00:00Z"}, "A discount ends after it has started"),
    ],
)
async def test_a_sku_keeps_what_it_is(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment, change: dict[str, str], message: str
) -> None:
    goods, other = await make_shelf(session), await make_shelf(session, name="Other")
    rows = [row for row in rows_of(await exported(sessions)) if row["product"] == str(goods.product_id)]
    column, value = next(iter(change.items()))
    row = {**rows[0], "discount_starts": "2026-06-01T00:00:00Z", column: value.format(other=other.product_id)}

    import_row = await brought(env, file_of([row]))

    [(_, _, words)] = messages(import_row)
    assert words.endswith(message)


async def test_a_price_changed_in_one_row_of_three_is_told_at_that_row(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    await make_shelf(session, sizes=("S", "M", "L"))
    rows = rows_of(await exported(sessions))
    rows[0]["price"] = "12.00"

    import_row = await brought(env, file_of(rows))

    assert messages(import_row) == [(2, "H2", "Differs from row 3, which is of the same product")]


async def test_only_the_primary_admin_starts_what_makes_new_products(
    env: JobEnvironment, session: AsyncSession
) -> None:
    import_row = await brought(env, file_of([NEW]), ADMIN)

    with pytest.raises(Forbidden):
        async with begin(env.sessions) as own:
            await imports.start(own, import_row.id, ADMIN)

    assert (await known(env, import_row.id)).state == "ready"
    assert await session.scalar(select(func.count()).select_from(Product)) == 0


async def demote(session: AsyncSession) -> None:
    await session.execute(update(User).where(User.id == ADMIN.user_id).values(role="user"))


async def remove(session: AsyncSession) -> None:
    await session.execute(delete(User).where(User.id == ADMIN.user_id))


async def change_nothing(session: AsyncSession) -> None:
    await session.execute(select(1))


@pytest.mark.parametrize("moment", ["before", "before the commit"])
@pytest.mark.parametrize(("lose", "state"), [(demote, "refused"), (remove, "refused"), (change_nothing, "done")])
async def test_an_import_stops_when_its_admin_has_lost_the_rights(
    session: AsyncSession,
    env: JobEnvironment,
    monkeypatch: pytest.MonkeyPatch,
    moment: str,
    lose: Callable[[AsyncSession], Awaitable[None]],
    state: str,
) -> None:
    goods = await make_shelf(session)
    import_row = await brought(env, file_of([{"sku": await sku_of(session, goods), "price": "50"}]), ADMIN)
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, ADMIN)

    async def lose_rights() -> None:
        async with begin(env.sessions) as own:
            await lose(own)

    if moment == "before":
        await lose_rights()
    else:
        write = catalog_io.write

        async def written(*arguments: Any) -> None:
            await write(*arguments)
            await lose_rights()

        monkeypatch.setattr(catalog_io, "write", written)
    await work(env)

    ended = await known(env, import_row.id)
    assert ended.state == state
    assert [words for _, _, words in messages(ended)] == ([imports.NO_ADMIN] if state == "refused" else [])
    await session.rollback()
    assert await session.scalar(select(Product.price_cents)) == (4_900 if state == "refused" else 5_000)


async def test_an_import_of_new_products_stops_when_its_admin_is_not_the_primary_any_more(
    session: AsyncSession, env: JobEnvironment
) -> None:
    import_row = await brought(env, file_of([NEW]))
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, OWNER)
        await own.execute(update(User).where(User.id == OWNER.user_id).values(is_primary=False))

    await work(env)

    assert [words for _, _, words in messages(await known(env, import_row.id))] == [imports.NOT_YOURS]
    assert await session.scalar(select(func.count()).select_from(Product)) == 0


async def test_every_admin_may_change_prices_and_stock_and_who_waits_is_told(
    session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session, stock=0)

    await done(env, file_of([{"sku": await sku_of(session, goods), "price": "50", "stock": "2"}]), ADMIN)

    [job] = (await session.scalars(select(Job).where(Job.kind == RESTOCKED))).all()
    assert job.payload == {"variant_id": str(goods.variant_id)}
    edited = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "edited"))).one()
    assert (edited.before, edited.after) == ({"price_cents": 4_900}, {"price_cents": 5_000})
    assert await session.scalar(select(Product.version)) == 2


async def test_an_import_that_no_longer_fits_when_it_runs_changes_nothing(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session)
    import_row = await brought(env, file_of([{**NEW, "product": str(goods.product_id), "name": "Oxford"}]))
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, OWNER)
    color = ProductColor(product_id=goods.product_id, name="Bone", hex="#ffffff", position=9)
    session.add(color)
    await session.flush()
    session.add(Variant(product_id=goods.product_id, color_id=color.id, size="S", sku="TAKEN", stock=0))
    await session.commit()
    before = await checksums(sessions)

    await work(env)

    ended = await known(env, import_row.id)
    assert ended.state == "refused"
    assert messages(ended)[-1][2] == "Oxford Shirt in Bone S is there already, as TAKEN"
    assert await checksums(sessions) == before


async def test_a_discarded_import_is_forgotten_and_cannot_be_started(
    session: AsyncSession, env: JobEnvironment
) -> None:
    import_row = await brought(env, file_of([NEW]))

    async with begin(env.sessions) as own:
        await imports.discard(own, import_row.id)

    assert await session.scalar(select(Import.content)) is None
    with pytest.raises(ImportNotReady):
        async with begin(env.sessions) as own:
            await imports.start(own, import_row.id, OWNER)


async def test_two_files_at_once_are_done_one_after_the_other(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment
) -> None:
    goods = await make_shelf(session, stock=5)
    sku = await sku_of(session, goods)
    import_rows = [await brought(env, file_of([{"sku": sku, "stock": pieces}])) for pieces in ("8", "3")]
    for each in import_rows:
        async with begin(env.sessions) as own:
            await imports.start(own, each.id, OWNER)

    async with asyncio.timeout(20):
        while {(await known(env, each.id)).state for each in import_rows} != {"done"}:
            await asyncio.gather(work(env), work(env))

    assert await stock_of(session, goods.variant_id) in (8, 3)
    assert await queries.differences(session) == {}


async def test_an_import_longer_than_several_leases_is_done_once_beside_other_workers(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=1))
    monkeypatch.setattr(jobs, "IDLE_SECONDS", 0.05)
    goods = await make_shelf(session, stock=5)
    import_row = await brought(env, file_of([{"sku": await sku_of(session, goods), "stock": "8"}]))
    write, runs = catalog_io.write, []

    async def slow(*given: Any) -> None:
        runs.append(given)
        await asyncio.sleep(2.5)
        await write(*given)

    monkeypatch.setattr(catalog_io, "write", slow)
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, OWNER)

    working = [asyncio.create_task(jobs.Worker(env, imports.HANDLERS).run()) for _ in range(2)]
    async with asyncio.timeout(20):
        while (await known(env, import_row.id)).state != "done":  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    for each in working:
        each.cancel()
    await asyncio.gather(*working, return_exceptions=True)

    assert len(runs) == 1
    assert await ledger_of(session, goods.variant_id) == [("opening", 5), ("import", 3)]


async def test_an_import_that_is_discarded_while_it_runs_changes_nothing_and_ends(
    sessions: Sessions, session: AsyncSession, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalog_io, "BATCH", 5)
    await make_shelf(session, stock=5)
    rows = [{**NEW, "sku": f"BULK-{n}", "product": f"bulk-{n}", "name": f"Shirt {n}"} for n in range(100)]
    import_row = await brought(env, file_of(rows))
    before = await checksums(sessions)
    async with begin(env.sessions) as own:
        await imports.start(own, import_row.id, OWNER)

    working = asyncio.create_task(work(env))
    async with asyncio.timeout(20):
        while not (await known(env, import_row.id)).rows_done:  # noqa: ASYNC110
            await asyncio.sleep(0)
    async with begin(env.sessions) as own:
        await imports.discard(own, import_row.id)
    at_once = await known(env, import_row.id)
    await working

    left = await known(env, import_row.id)
    assert 0 < at_once.rows_done < 100
    assert (left.state, left.rows_done, left.finished_at) == ("discarded", at_once.rows_done, at_once.finished_at)
    assert await checksums(sessions) == before
    assert await session.scalar(select(func.count()).select_from(Job)) == 0
    assert await session.scalar(select(func.count()).where(AuditEntry.action == "imported")) == 0


def many_rows(name: str, number: int) -> list[dict[str, str]]:
    """So many variants of new products, six of each."""
    dice = random.Random(5)
    products = (f"{name} {product}" for product in range(number // 6 + 1))
    rows = [
        {**NEW, "sku": f"{product}-{size}", "product": product, "name": product, "size": size}
        for product in products
        for size in ("XS", "S", "M", "L", "XL", "XXL")
    ]
    return [{**row, "stock": str(dice.randint(0, 40))} for row in rows[:number]]


def changed(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    dice = random.Random(6)
    return [{**row, "price": "99.00", "stock": str(dice.randint(0, 40))} for row in rows]


async def test_statements_of_an_import_grow_with_its_batches_not_with_its_rows(
    env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for batch in (60, 120):
        monkeypatch.setattr(catalog_io, "BATCH", batch)
        rows = many_rows(f"Of {batch}", 2 * batch)
        with counted_statements() as statements:
            await done(env, file_of(rows))
            await done(env, file_of(changed(rows)))
        counts.append(len(statements))

    # A few more are those of the renewed lease and of the progress, which follow the clock.
    assert counts[1] - counts[0] < 20


@pytest.mark.timed
async def test_time_of_an_import_grows_with_its_rows_however_short_the_lease(
    session: AsyncSession, env: JobEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "LEASE", timedelta(seconds=2))
    seconds: list[tuple[float, float]] = []
    for number in (2_000, 20_000):
        rows = many_rows(f"Of {number}", number)
        began = time.monotonic()
        created = await done(env, file_of(rows))
        halfway = time.monotonic()
        edited = await done(env, file_of(changed(rows[: number // 3])))
        seconds.append((halfway - began, time.monotonic() - halfway))
        assert (created.summary["new_variants"], created.rows_done, edited.rows_done) == (number, number, number // 3)

    print(f"\n2,000 rows made and a third of them changed, then 20,000: {seconds}")  # noqa: T201
    few, many = seconds
    assert max(many[0] / few[0], many[1] / few[1]) < 2 * 10
    assert await queries.differences(session) == {}


async def range_of(session: AsyncSession) -> list[Any]:
    """What shoppers see of the range, read anew."""
    await session.rollback()
    tables: list[Any] = []
    for columns in (
        "name, title, subtitle, description, category, price_cents, discounted_price_cents, weight_grams FROM products",
        "name, hex, family FROM product_colors ORDER BY position",
        "sku, size, stock FROM variants ORDER BY sku",
        "image_id, color_id, alt FROM product_images ORDER BY alt",
    ):
        tables.append((await session.execute(text(f"SELECT {columns}"))).all())
    return tables


def without(content: bytes, column: str) -> bytes:
    return file_of([{name: value for name, value in row.items() if name != column} for row in rows_of(content)])

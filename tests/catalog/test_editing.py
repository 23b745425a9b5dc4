"""The editor saves exactly what the form says, and never overwrites a change that the form did not show."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import editing, queries, service
from server.catalog.drafts import NO_SUCH_IMAGE, Detail, NewColor, NewPicture, NewVariant, ProductDraft
from server.catalog.editing import StockEditReason
from server.catalog.errors import ChangedMeanwhile
from server.catalog.models import Product, ProductColor, StockMovement, Variant
from server.platform.core.db import Sessions
from server.platform.core.errors import InvalidInput, NotFound
from tests.catalog.editors import ADMIN, ledger_matches, log, make_jean, seen
from tests.catalog.edits import save
from tests.catalog.goods import make_image


async def shown(session: AsyncSession, product_id: UUID) -> queries.ProductRow:
    return (await queries.products_by_id(session, [product_id]))[product_id]


async def test_what_was_written_is_what_shoppers_see_and_the_log_says_before_and_after(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    changed = replace(
        draft, name="Slim Jean", price_cents=9_900, weight_grams=640, details=[Detail("Care", "Wash at 40 °C.")]
    )

    await save(session, product_id, changed, version)

    row = await shown(session, product_id)
    assert (row.name, row.title, row.price_cents, row.details) == (
        "Slim Jean",
        "Slim Jean",
        9_900,
        [{"label": "Care", "text": "Wash at 40 °C."}],
    )
    assert (await log(session))[-1] == (
        "edited",
        "admin@shop.test",
        {"name": "Straight Jean", "title": "Straight Jean", "price_cents": 12_000, "weight_grams": 400, "details": []},
        {
            "name": "Slim Jean",
            "title": "Slim Jean",
            "price_cents": 9_900,
            "weight_grams": 640,
            "details": ["Care: Wash at 40 °C."],
        },
    )


async def test_saving_what_is_there_already_writes_nothing(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)

    await save(session, product_id, draft, version)

    assert (await seen(session, product_id)) == (draft, version)
    assert [entry[0] for entry in await log(session)] == ["created"]


async def test_of_two_admins_the_second_is_refused_and_the_firsts_words_stand(sessions: Sessions) -> None:
    async with sessions() as session:
        product_id = await make_jean(session)
        draft, version = await seen(session, product_id)

    async def admin(name: str) -> str:
        async with sessions() as session:
            try:
                await save(session, product_id, replace(draft, name=name), version)
            except ChangedMeanwhile:
                return "refused"
            return name

    outcomes = await asyncio.gather(admin("Wide Jean"), admin("Loose Jean"))

    [winner] = [outcome for outcome in outcomes if outcome != "refused"]
    async with sessions() as session:
        assert (await shown(session, product_id)).name == winner
        assert [entry[0] for entry in await log(session)] == ["created", "edited"]


async def test_a_new_count_is_an_entry_in_the_ledger_with_its_reason(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    counted = [replace(each, stock=2 if each.color == 0 and each.size == "M" else 6) for each in draft.variants or ()]

    await save(
        session, product_id, replace(draft, variants=counted), version, why=StockEditReason("counted", "Shelf 4")
    )

    moves = await session.execute(
        select(StockMovement.quantity, StockMovement.reason, StockMovement.note, StockMovement.actor_email).where(
            StockMovement.reason != "opening"
        )
    )
    assert [tuple(row) for row in moves] == [(-4, "counted", "Shelf 4", "admin@shop.test")]
    assert (await log(session))[-1][2:] == ({"stock": {"Indigo M": 6}}, {"stock": {"Indigo M": 2}})
    assert await ledger_matches(session)


async def test_a_count_is_refused_when_a_piece_was_sold_since_it_was_looked_at(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    await session.execute(update(Variant).where(Variant.product_id == product_id).values(stock=5))
    await session.commit()
    counted = [replace(each, stock=9) for each in draft.variants or ()]

    with pytest.raises(ChangedMeanwhile):
        await save(session, product_id, replace(draft, variants=counted), version)


async def test_a_sale_meanwhile_does_not_stand_in_the_way_of_other_edits(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    await session.execute(update(Variant).where(Variant.product_id == product_id).values(stock=5))
    await session.commit()

    await save(session, product_id, replace(draft, price_cents=11_000), version)

    row = await shown(session, product_id)
    assert (row.price_cents, row.stock) == (11_000, 20)


async def test_a_color_that_was_stored_is_retired_and_comes_back_with_its_pictures(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    whole, version = await seen(session, product_id)
    only_black = replace(
        whole,
        colors=[whole.colors[1]],
        variants=[replace(each, color=0) for each in whole.variants or () if each.color == 1],
        pictures=[NewPicture(whole.pictures[1].image_id, 0, "Front")],
    )

    await save(session, product_id, only_black, version)
    row = await shown(session, product_id)
    assert ([color.name for color in row.colors], row.stock, len(row.pictures)) == (["Black"], 12, 1)
    await save(session, product_id, replace(whole, pictures=[only_black.pictures[0]], colors=whole.colors), version + 1)

    row = await shown(session, product_id)
    assert ([color.name for color in row.colors], row.stock) == (["Indigo", "Black"], 24)
    assert await ledger_matches(session)


async def test_a_color_that_was_stored_cannot_be_replaced_by_a_new_one_of_its_name(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    anew = replace(draft, colors=[replace(draft.colors[0], id=None), *draft.colors[1:]])

    with pytest.raises(InvalidInput, match="has been in stock: keep it instead of adding it anew"):
        await save(session, product_id, anew, version)


async def test_a_color_of_which_nothing_was_ever_there_leaves_no_trace(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    ecru = replace(draft, colors=[*draft.colors, NewColor("#e8e2d4", "Ecru")])
    ecru = replace(ecru, variants=[*(draft.variants or ()), NewVariant(2, "S", 0), NewVariant(2, "M", 0)])
    await save(session, product_id, ecru, version)

    await save(session, product_id, (await without_last_color(session, product_id)), version + 1)

    assert await session.scalar(select(func.count()).select_from(ProductColor)) == 2
    assert await session.scalar(select(func.count()).select_from(Variant)) == 4


async def without_last_color(session: AsyncSession, product_id: UUID) -> ProductDraft:
    draft, _ = await seen(session, product_id)
    last = len(draft.colors) - 1
    others = [each for each in draft.variants or () if each.color != last]
    return replace(draft, colors=draft.colors[:last], variants=others)


async def test_colors_and_skus_can_exchange_their_names(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    indigo, black = draft.colors
    first, second, *others = draft.variants or ()
    swapped = replace(
        draft,
        colors=[replace(indigo, name="Black"), replace(black, name="Indigo")],
        variants=[replace(first, sku=second.sku), replace(second, sku=first.sku), *others],
    )

    await save(session, product_id, swapped, version)

    assert [color.name for color in (await shown(session, product_id)).colors] == ["Black", "Indigo"]
    after, _ = await seen(session, product_id)
    assert [each.sku for each in after.variants or ()][:2] == [second.sku, first.sku]


async def test_a_size_more_is_made_for_every_color_with_skus_of_its_own(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    larger = [*(draft.variants or ()), NewVariant(0, "L", 3, seen=0), NewVariant(1, "L", 0)]

    await save(session, product_id, replace(draft, sizes=["S", "M", "L"], variants=larger), version)

    row = await shown(session, product_id)
    assert row.sizes == ["S", "M", "L"]
    assert len({variant.sku for variant in row.variants}) == 6
    assert row.stock == 27
    assert await ledger_matches(session)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"name": " "}, "name", "Product name is required"),
        ({"price_cents": 0}, "price", "Invalid price value"),
        ({"pictures": []}, "images", "Product image is required"),
        ({"sizes": ["S"]}, "variants", "A variant names a color or size that is not there"),
        ({"weight_grams": -1}, "weightGrams", "Grams are a whole number from 0 to 100,000"),
        ({"details": [Detail("", "x")]}, "details", "A detail needs a name and a text"),
        ({"pictures": [NewPicture(uuid4())]}, "images", NO_SUCH_IMAGE),
        ({"colors": [NewColor("#123456", "New", uuid4())] * 2}, "colors", "Colors need different names"),
    ],
)
async def test_a_broken_rule_is_named_and_nothing_changes(
    session: AsyncSession, change: dict[str, Any], field: str, message: str
) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)

    with pytest.raises(InvalidInput) as refusal:
        await save(session, product_id, replace(draft, **change), version)
    await session.rollback()

    assert refusal.value.errors[field] == message
    assert (await seen(session, product_id)) == (draft, version)


async def test_a_sku_of_another_product_is_refused_by_its_name(session: AsyncSession) -> None:
    other, _ = await seen(session, await make_jean(session, name="Wide Jean"))
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    [first, *others] = draft.variants or ()
    taken = (other.variants or ())[0].sku

    with pytest.raises(InvalidInput) as refusal:
        await save(session, product_id, replace(draft, variants=[replace(first, sku=taken), *others]), version)

    assert refusal.value.errors == {"variants": f"The SKU {taken} belongs to Wide Jean"}


async def test_pictures_are_in_the_order_of_the_form_with_their_words(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    back = make_image()
    session.add(back)
    await session.commit()
    pictures = [NewPicture(back.id, 0, "Back"), replace(draft.pictures[0], alt="From the front"), draft.pictures[1]]

    await save(session, product_id, replace(draft, pictures=pictures), version)

    row = await shown(session, product_id)
    assert [(picture.image_id, picture.alt) for picture in row.pictures_of(row.colors[0].id)] == [
        (str(back.id), "Back"),
        (str(draft.pictures[0].image_id), "From the front"),
    ]


async def test_a_duplicate_has_no_stock_and_waits_to_be_put_on_offer(session: AsyncSession) -> None:
    product_id = await make_jean(session)

    copy_id = await editing.duplicate_product(session, product_id, actor=ADMIN)
    await session.commit()

    row = await shown(session, copy_id)
    assert (row.name, row.stock, len(row.variants), len(row.pictures)) == ("Straight Jean copy", 0, 4, 2)
    assert row.retired_at is not None
    assert await queries.product(session, copy_id) is None
    await service.restore_product(session, copy_id, actor=ADMIN)
    assert await queries.product(session, copy_id) is not None
    assert [entry[0] for entry in await log(session)] == ["created", "duplicated", "restored"]


async def test_retiring_and_restoring_twice_is_done_and_logged_once(session: AsyncSession) -> None:
    product_id = await make_jean(session)

    for verb in (service.retire_product, service.retire_product, service.restore_product, service.restore_product):
        await verb(session, product_id, actor=ADMIN)

    assert [entry[0] for entry in await log(session)] == ["created", "retired", "restored"]
    assert await session.scalar(select(Product.retired_at)) is None


async def test_what_does_not_exist_cannot_be_edited_duplicated_or_restored(session: AsyncSession) -> None:
    draft, _ = await seen(session, await make_jean(session))

    with pytest.raises(NotFound):
        await save(session, uuid4(), draft, 1)
    with pytest.raises(NotFound):
        await editing.duplicate_product(session, uuid4(), actor=ADMIN)
    with pytest.raises(NotFound):
        await service.restore_product(session, uuid4(), actor=ADMIN)

"""Measurements belong to the product: entered, checked cell by cell, shown only where they are true."""

from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.measurements import Measurement
from server.platform.core.errors import InvalidInput
from tests.catalog.editors import log, make_jean, seen
from tests.catalog.edits import save
from tests.catalog.storefront import Storefront, ask

QUERY = """
query Product($id: ID!) { product(id: $id) { measurements { point lengths { size micrometers } } } }
"""
WAIST_S = Measurement("waist", "S", 787_400)
HEM_M = Measurement("hem", "M", 215_900)
WAIST_M = Measurement("waist", "M", 838_200)


async def test_nobody_has_measured_a_new_product(session: AsyncSession, storefront: Storefront) -> None:
    product_id = await make_jean(session)

    assert await ask(storefront.visitor, QUERY, id=str(product_id)) == {"product": {"measurements": []}}


async def test_what_is_entered_is_shown_in_the_order_of_the_kind(session: AsyncSession, storefront: Storefront) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)

    await save(session, product_id, replace(draft, measurements=[HEM_M, WAIST_M, WAIST_S]), version)

    assert await ask(storefront.visitor, QUERY, id=str(product_id)) == {
        "product": {
            "measurements": [
                {
                    "point": "WAIST",
                    "lengths": [{"size": "S", "micrometers": 787_400}, {"size": "M", "micrometers": 838_200}],
                },
                {"point": "HEM", "lengths": [{"size": "M", "micrometers": 215_900}]},
            ]
        }
    }


async def test_the_log_says_which_cells_changed_and_an_edit_without_a_table_keeps_it(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    await save(session, product_id, replace(draft, measurements=[WAIST_S, WAIST_M]), version)

    await save(session, product_id, replace(draft, name="Slim Jean", measurements=None), version + 1)
    await save(session, product_id, replace(draft, name="Slim Jean", measurements=[WAIST_S, HEM_M]), version + 2)

    assert (await log(session))[-1][2:] == (
        {"measurements": {"waist M": 838_200}},
        {"measurements": {"hem M": 215_900}},
    )


async def test_a_size_taken_off_and_a_point_of_another_kind_are_not_shown(
    session: AsyncSession, storefront: Storefront
) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    await save(session, product_id, replace(draft, measurements=[WAIST_S, HEM_M]), version)
    smaller = [variant for variant in draft.variants or () if variant.size == "S"]

    await save(session, product_id, replace(draft, subcategory="shirts", sizes=["S"], variants=smaller), version + 1)

    assert await ask(storefront.visitor, QUERY, id=str(product_id)) == {"product": {"measurements": []}}


async def test_every_wrong_cell_has_an_error_of_its_own(session: AsyncSession) -> None:
    product_id = await make_jean(session)
    draft, version = await seen(session, product_id)
    wrong = [
        WAIST_S,
        WAIST_S,
        Measurement("waist", "M", 3_000_001),
        Measurement("hem", "S", 9_999),
        Measurement("sleeve", "S", 600_000),
        Measurement("hem", "XL", 200_000),
        Measurement("thigh", "S", 10_000),
        Measurement("thigh", "M", 3_000_000),
    ]

    with pytest.raises(InvalidInput) as refusal:
        await save(session, product_id, replace(draft, measurements=wrong), version)

    assert refusal.value.errors == {
        "measurements.waist.S": "A measurement is named twice",
        "measurements.waist.M": "A measurement is 1 to 300 cm",
        "measurements.hem.S": "A measurement is 1 to 300 cm",
        "measurements.sleeve.S": "This kind of garment is not measured there",
        "measurements.hem.XL": "The product is not made in this size",
    }

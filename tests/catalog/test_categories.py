"""Categories are rows, which each process has in memory."""

from pathlib import Path

import pytest
from sqlalchemy import insert, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import category_queries
from server.catalog.category_models import Category, Department, Kind
from server.catalog.measurements import POINTS
from server.platform.core.db import Sessions
from tests.catalog.goods import put_on_offer
from tests.catalog.specified import CATEGORIES
from tests.catalog.storefront import Storefront, ask, open_storefront
from tests.statements import counted_statements

MENU = "{ categories { key name heading path department { key name path } kind { key name } measurementPoints } }"


async def make_category(session: AsyncSession, department: str = "kids", kind: str = "hats") -> None:
    await session.execute(
        insert(Department).values(key=department, name="Kids", heading="For kids", slug=department, position=3)
    )
    await session.execute(insert(Kind).values(key=kind, name="Hats"))
    await session.execute(
        insert(Category).values(department=department, kind=kind, name="Sun hats", slug="sun-hats", position=1)
    )
    await session.commit()


@pytest.mark.spec("entities.categories", "screens.category.heading", "constants.subcategories")
async def test_a_fresh_shop_has_the_specifications_categories(session: AsyncSession) -> None:
    assert await category_queries.categories(session) == CATEGORIES


async def test_a_product_is_in_a_category_that_there_is(session: AsyncSession) -> None:
    with pytest.raises(IntegrityError):
        await put_on_offer(session, category="men_hats")


@pytest.mark.parametrize("words", ["with space", "under_score", "Upper", "", "-", "men--hats"])
async def test_keys_and_slugs_are_words_joined_by_hyphens(session: AsyncSession, words: str) -> None:
    with pytest.raises(IntegrityError):
        await session.execute(insert(Kind).values(key=words, name="Hats"))
    await session.rollback()
    with pytest.raises(IntegrityError):
        await session.execute(update(Category).values(slug=words))


async def test_every_point_of_a_category_can_be_measured() -> None:
    assert {point for each in CATEGORIES.rows for point in each.points} == set(POINTS)


async def test_a_new_category_is_listed_and_filtered_by_at_once(storefront: Storefront, session: AsyncSession) -> None:
    before = (await ask(storefront.visitor, MENU))["categories"]
    await make_category(session)
    hat = await put_on_offer(session, "Sun Hat", category="kids_hats")

    after = (await ask(storefront.visitor, MENU))["categories"]
    listed = await ask(
        storefront.visitor, '{ products(filter: { department: "kids" }) { nodes { id category { name } } } }'
    )
    found = await ask(storefront.visitor, '{ products(filter: { kind: "hats" }) { totalCount } }')

    assert after[:-1] == before
    assert after[-1] == {
        "key": "kids_hats",
        "name": "Sun hats",
        "heading": "For kids",
        "path": "/category/kids/sun-hats",
        "department": {"key": "kids", "name": "Kids", "path": "/category/kids"},
        "kind": {"key": "hats", "name": "Hats"},
        "measurementPoints": [],
    }
    assert listed["products"]["nodes"] == [{"id": str(hat), "category": {"name": "Sun hats"}}]
    assert found["products"]["totalCount"] == 1


async def test_a_cached_page_of_a_product_follows_its_category(storefront: Storefront, session: AsyncSession) -> None:
    shirt = await put_on_offer(session)
    query = "query ($id: ID!) { product(id: $id) { category { path } } }"
    assert (await ask(storefront.visitor, query, id=str(shirt)))["product"]["category"][
        "path"
    ] == "/category/men/shirts"

    await session.execute(update(Category).where(Category.key == "men_shirts").values(slug="tops"))
    await session.commit()

    assert (await ask(storefront.visitor, query, id=str(shirt)))["product"]["category"]["path"] == "/category/men/tops"


async def test_requests_take_categories_from_memory(database_url: str, sessions: Sessions, tmp_path: Path) -> None:
    async with open_storefront(database_url, sessions, tmp_path, catches_up=False) as storefront:
        with counted_statements() as statements:
            await ask(storefront.visitor, MENU)
            await ask(storefront.visitor, '{ products(filter: { department: "men", kind: "jeans" }) { totalCount } }')

    assert statements == []

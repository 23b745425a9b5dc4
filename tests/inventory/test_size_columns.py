"""Sizes of any system in CSV files of products."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Variant
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from tests.cart.stock import make_product
from tests.catalog.size_systems import EU, JEANS, SHOES, give
from tests.inventory.files import brought, checksums, done, exported, file_of, rows_of
from tests.inventory.import_files import NEW


async def test_an_export_has_sizes_in_order_and_changes_nothing_when_it_comes_back(
    env: JobEnvironment, sessions: Sessions, session: AsyncSession
) -> None:
    await give(session, JEANS, "men_jeans")
    await give(session, SHOES, "women_jeans")
    await make_product(session, name="Slim", category="men_jeans", sizes=("W32 L30", "W28 L32", "W28 L30"))
    await make_product(session, name="Derby", category="women_jeans", sizes=("46", "36"))
    before = await checksums(sessions)

    content = await exported(sessions)
    back = await brought(env, content)

    sizes = {name: [row["size"] for row in rows_of(content) if row["name"] == name] for name in ("Slim", "Derby")}
    assert sizes == {"Slim": ["W28 L30", "W28 L32", "W32 L30"], "Derby": ["36", "46"]}
    assert (back.state, back.problems, back.summary["changes"]) == ("ready", [], 0)
    assert await checksums(sessions) == before


async def test_a_new_row_has_a_size_of_its_category(env: JobEnvironment, session: AsyncSession) -> None:
    await give(session, JEANS, "men_jeans")
    jeans = {**NEW, "category": "men_jeans", "size": "w30  l32"}

    wrong = await brought(env, file_of([{**jeans, "size": "M"}]))
    unknown = await brought(env, file_of([{**jeans, "size": "W99 L32"}]))
    await done(env, file_of([jeans]))

    assert [(each["column"], each["message"]) for each in wrong.problems] == [
        ("size", f"Sizes are {', '.join(JEANS.sizes)}")
    ]
    assert [(each["column"], each["message"][:25]) for each in unknown.problems] == [
        ("size", "Sizes are XS, S, M, L, XL")
    ]
    assert (await session.scalars(select(Variant.size))).all() == ["W30 L32"]


async def test_a_product_does_not_move_to_a_category_of_other_sizes(
    env: JobEnvironment, sessions: Sessions, session: AsyncSession
) -> None:
    await give(session, SHOES, "women_jeans")
    await make_product(session, name="Oxford Shirt", sizes=("M",))
    rows = [{**row, "category": "women_jeans"} for row in rows_of(await exported(sessions))]

    refused = await brought(env, file_of(rows))

    message = f"Sizes are {', '.join(EU)} there, and Oxford Shirt has others"
    assert [(each["column"], each["message"]) for each in refused.problems] == [("category", message)]

from datetime import UTC, datetime
from typing import NamedTuple

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import queries
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.search import suggestions, understood
from tests.catalog.goods import put_on_offer
from tests.catalog.indexes import loaded


async def furnish(session: AsyncSession) -> None:
    await put_on_offer(session, "Oxford Shirt", subtitle="Washed cotton", popularity=3)
    await put_on_offer(session, "Linen Shirt", subtitle="Garment-dyed café linen", popularity=9)
    await put_on_offer(session, "Straight Jean", subtitle="Rigid denim", category="men_jeans", popularity=5)
    await put_on_offer(session, "Wide Jean", subtitle="T-shirt soft", category="women_jeans", popularity=7)


class Found(NamedTuple):
    names: list[str]
    corrected: str | None
    suggestions: list[str]


async def search(session: AsyncSession, text: str) -> Found:
    """As the shop's own search answers."""
    index = await loaded(session)
    search = understood(index, text)
    names: list[str] = []
    if search.words:
        page = index.page(ProductCriteria(), ProductListSort.RELEVANCE, 10, searched=search.words)
        rows = await queries.products_by_id(session, [each.id for each in page.positions])
        names = [rows[each.id].name for each in page.positions]
    return Found(names, search.corrected, suggestions(index, search))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("je", ["Wide Jean", "Straight Jean"]),
        ("jeans", ["Wide Jean", "Straight Jean"]),
        ("shirt", ["Linen Shirt", "Oxford Shirt", "Wide Jean"]),
        ("LINEN sh", ["Linen Shirt"]),
        ("cafe", ["Linen Shirt"]),
        ("Cafè", ["Linen Shirt"]),
        ("women", ["Wide Jean"]),
        ("women jea", ["Wide Jean"]),
        ("t-sh", ["Wide Jean"]),
        ("ox", ["Oxford Shirt"]),
        ("  ox  ", ["Oxford Shirt"]),
        ("o", []),
        (" o ", []),
        ("", []),
        ("linen oxford", []),
        ("kayak", []),
    ],
)
async def test_words_are_found_by_their_beginnings_in_names_first_and_best_sold_first(
    session: AsyncSession, text: str, expected: list[str]
) -> None:
    await furnish(session)

    result = await search(session, text)

    assert result.names == expected
    assert result.corrected is None


@pytest.mark.parametrize(
    ("text", "corrected", "expected"),
    [
        ("jenas", "jeans", ["Wide Jean", "Straight Jean"]),
        ("oxfrod", "oxford", ["Oxford Shirt"]),
        ("oxforrd shirt", "oxford shirt", ["Oxford Shirt"]),
        ("lnen", "linen", ["Linen Shirt"]),
        ("stright je", "straight je", ["Straight Jean"]),
        ("trosuers", None, []),
    ],
)
async def test_a_slip_is_corrected_only_when_nothing_is_found(
    session: AsyncSession, text: str, corrected: str | None, expected: list[str]
) -> None:
    await furnish(session)

    result = await search(session, text)

    assert result.corrected == corrected
    assert result.names == expected


@pytest.mark.parametrize(
    "text",
    ["\x00\x00", "je\x00an", "''", "\\'\\", "a:* | b", "<-> !(", "½ ⑴ ŉ", "\ud800\ud800", "%%%", "je" * 5_000, "🧵🧵"],
)
async def test_no_text_breaks_a_search(session: AsyncSession, text: str) -> None:
    await furnish(session)

    result = await search(session, text)

    assert len(result.names) <= 4


async def test_suggestions_complete_the_last_word_and_then_narrow_it(session: AsyncSession) -> None:
    await furnish(session)

    assert (await search(session, "li")).suggestions == ["linen", "linen shirts"]
    assert (await search(session, "linen")).suggestions == ["linen shirts"]
    assert (await search(session, "kayak")).suggestions == ["shirts", "jeans", "trousers"]


async def test_retired_products_are_not_found(session: AsyncSession) -> None:
    await put_on_offer(session, "Oxford Shirt", retired_at=datetime(2025, 1, 1, tzinfo=UTC))

    assert (await search(session, "oxford")).names == []

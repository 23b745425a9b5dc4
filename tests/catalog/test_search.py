from datetime import UTC, datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.search import edits, search
from tests.catalog.goods import put_on_offer
from tests.statements import counted_statements


async def furnish(session: AsyncSession) -> None:
    await put_on_offer(session, "Oxford Shirt", subtitle="Washed cotton", popularity=3)
    await put_on_offer(session, "Linen Shirt", subtitle="Garment-dyed café linen", popularity=9)
    await put_on_offer(session, "Straight Jean", subtitle="Rigid denim", category="men_jeans", popularity=5)
    await put_on_offer(session, "Wide Jean", subtitle="T-shirt soft", category="women_jeans", popularity=7)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("je", ["Wide Jean", "Straight Jean"]),
        ("jeans", ["Wide Jean", "Straight Jean"]),
        ("shirt", ["Linen Shirt", "Wide Jean", "Oxford Shirt"]),
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
async def test_words_are_found_by_their_beginnings_best_sold_first(
    session: AsyncSession, text: str, expected: list[str]
) -> None:
    await furnish(session)

    found = await search(session, text, 10)

    assert [row.name for row in found.products] == expected
    assert found.corrected is None


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

    found = await search(session, text, 10)

    assert found.corrected == corrected
    assert [row.name for row in found.products] == expected


@pytest.mark.parametrize(
    "text",
    ["\x00\x00", "je\x00an", "''", "\\'\\", "a:* | b", "<-> !(", "½ ⑴ ŉ", "\ud800\ud800", "%%%", "je" * 5_000, "🧵🧵"],
)
async def test_no_text_breaks_a_search(session: AsyncSession, text: str) -> None:
    await furnish(session)

    found = await search(session, text, 10)

    assert len(found.products) <= 4


async def test_a_search_that_finds_something_is_two_statements(session: AsyncSession) -> None:
    await furnish(session)

    with counted_statements() as statements:
        await search(session, "jean", 10)

    assert len(statements) == 2


async def test_suggestions_complete_the_last_word_and_then_narrow_it(session: AsyncSession) -> None:
    await furnish(session)

    assert (await search(session, "li", 10)).suggestions == ["linen", "linen shirts"]
    assert (await search(session, "linen", 10)).suggestions == ["linen shirts"]
    assert (await search(session, "kayak", 10)).suggestions == ["shirts", "jeans", "trousers"]


async def test_retired_products_are_not_found(session: AsyncSession) -> None:
    await put_on_offer(session, "Oxford Shirt", retired_at=datetime(2025, 1, 1, tzinfo=UTC))

    assert (await search(session, "oxford", 10)).products == []


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ("", "", 0),
        ("jean", "jean", 0),
        ("jenas", "jeans", 1),
        ("lnen", "linen", 1),
        ("abc", "", 3),
        ("kitten", "sitting", 3),
    ],
)
def test_edits_count_letters_added_dropped_changed_or_swapped(one: str, other: str, distance: int) -> None:
    assert edits(one, other) == distance

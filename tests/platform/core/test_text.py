"""Validation of text from outside, and search terms."""

from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.errors import InvalidInput
from server.platform.core.models import Job, ShopFact
from server.platform.core.text import UNSTORABLE, is_storable, like_literal, search_terms, text_problem, trimmed
from tests.blanks import BLANKS

NUL = "a\x00b"


@pytest.mark.parametrize("row", [ShopFact(name=NUL), Job(kind="mail", payload={"to": NUL})], ids=["text", "JSON"])
async def test_a_nul_is_refused_in_words_wherever_it_was_to_be_kept(session: AsyncSession, row: Any) -> None:
    session.add(row)

    with pytest.raises(InvalidInput, match=UNSTORABLE):
        await session.flush()


async def test_a_nul_is_refused_in_words_where_it_was_looked_for(session: AsyncSession) -> None:
    with pytest.raises(InvalidInput, match=UNSTORABLE):
        await session.scalar(select(ShopFact).where(ShopFact.name == NUL))


@pytest.mark.parametrize(("text", "storable"), [("Größe M, 20 €", True), ("", True), (NUL, False), ("\ud800", False)])
def test_neither_a_nul_nor_half_a_character_can_be_stored(text: str, storable: bool) -> None:
    assert is_storable(text) is storable


@pytest.mark.parametrize(
    ("written", "missing", "problem"),
    [
        ("", None, None),
        (" ", "Say why", "Say why"),
        ("\u200b\u00a0\u2060", "Say why", "Say why"),
        ("\u3164", "Say why", "Say why"),
        ("\u200b", None, None),
        ("\u200bx", "Say why", None),
        (" x" * 600, None, "At most 1,000 characters"),
        (f" {'x' * 1_000} ", "Say why", None),
        (NUL, "Say why", UNSTORABLE),
        ("\ud800", None, UNSTORABLE),
        (f"{NUL}{'x' * 1_000}", None, "At most 1,000 characters"),
    ],
)
def test_a_text_is_told_what_is_wrong_with_it_alone(written: str, missing: str | None, problem: str | None) -> None:
    assert text_problem(written, 1_000, missing) == problem


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_text_of_blanks_is_missing_where_one_is_required(blank: str) -> None:
    assert text_problem(blank, 1_000, "Say how") == "Say how"
    assert text_problem(f"{blank}\u200bx", 1_000, "Say how") is None


def test_a_text_is_kept_without_blanks_around_it_or_refused_by_its_field() -> None:
    with pytest.raises(InvalidInput) as refusal:
        trimmed(NUL, "reason", 10)

    assert refusal.value.errors == {"reason": UNSTORABLE}
    assert trimmed(" Too small. ", "reason", 10) == "Too small."


@pytest.mark.parametrize(
    ("typed", "found_by"), [(None, ""), ("  ", ""), (" Oxford\x00 Shirt ", "Oxford Shirt"), ("\x00", "")]
)
def test_what_is_looked_for_has_no_nul_and_no_space_around_it(typed: str | None, found_by: str) -> None:
    assert search_terms(typed) == found_by


def test_what_like_takes_for_a_pattern_stands_for_itself() -> None:
    assert like_literal("100% _raw_ \\ wool") == "100\\% \\_raw\\_ \\\\ wool"

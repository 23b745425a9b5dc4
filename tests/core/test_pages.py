"""Cursors: what a page ends with, read back by the list that goes on from it."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from server.core.errors import InvalidInput
from server.core.pages import cursor_of, exactly, moment_of, number_within, place_of

MOMENT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
SOMEBODY = UUID("01900000-0000-7000-8000-000000000000")


def test_a_cursor_tells_the_place_that_it_was_made_of() -> None:
    cursor = cursor_of("newest", MOMENT, SOMEBODY)

    assert place_of(cursor, exactly("newest"), moment_of, UUID) == ("newest", MOMENT, SOMEBODY)


def test_without_a_cursor_there_is_no_place() -> None:
    assert place_of(None, UUID) is None


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "!!", "é", "\x00", "YQ", "YR9i", "_w"),
        *(cursor_of(MOMENT), cursor_of(SOMEBODY, MOMENT), cursor_of(MOMENT, SOMEBODY, SOMEBODY)),
        *(cursor_of("2026-11-01T09:30:00", SOMEBODY), cursor_of("0001-01-01T00:00:00+14:00", SOMEBODY)),
    ],
)
def test_a_cursor_of_another_list_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        place_of(cursor, moment_of, UUID)

    assert refusal.value.errors == {"after": "This cursor is not one of this list's."}


@pytest.mark.parametrize("number", [0, -1, 2**31 - 1, -(2**31) + 1])
def test_a_number_that_the_column_holds_is_read(number: int) -> None:
    assert place_of(cursor_of(number), number_within(bits=32)) == (number,)


@pytest.mark.parametrize("number", [2**31, -(2**63), "9" * 5_000, "1e5", "NaN", "\u00b2", ""])
def test_a_number_that_no_column_holds_is_refused(number: int | str) -> None:
    with pytest.raises(InvalidInput):
        place_of(cursor_of(number), number_within(bits=32))


def test_a_cursor_of_the_same_list_in_another_order_is_refused() -> None:
    with pytest.raises(InvalidInput):
        place_of(cursor_of("oldest", SOMEBODY), exactly("newest"), UUID)

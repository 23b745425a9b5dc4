"""Cursors: what a page ends with, read back by the list that goes on from it."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from server.platform.core.cursors import (
    FOREIGN_CURSOR,
    datetime_key,
    decode_cursor,
    encode_cursor,
    exact_key,
    integer_key,
)
from server.platform.core.errors import InvalidInput

MOMENT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
SOMEBODY = UUID("01900000-0000-7000-8000-000000000000")


def test_a_cursor_tells_the_place_that_it_was_made_of() -> None:
    cursor = encode_cursor("newest", MOMENT, SOMEBODY)

    assert decode_cursor(cursor, exact_key("newest"), datetime_key, UUID) == ("newest", MOMENT, SOMEBODY)


def test_without_a_cursor_there_is_no_place() -> None:
    assert decode_cursor(None, UUID) is None


@pytest.mark.parametrize(
    "cursor",
    [
        *("", "!!", "é", "\x00", "YQ", "YR9i", "_w"),
        *(encode_cursor(MOMENT), encode_cursor(SOMEBODY, MOMENT), encode_cursor(MOMENT, SOMEBODY, SOMEBODY)),
        *(encode_cursor("2026-11-01T09:30:00", SOMEBODY), encode_cursor("0001-01-01T00:00:00+14:00", SOMEBODY)),
    ],
)
def test_a_cursor_of_another_list_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        decode_cursor(cursor, datetime_key, UUID)

    assert refusal.value.errors == {"after": FOREIGN_CURSOR}


@pytest.mark.parametrize("number", [0, -1, 2**31 - 1, -(2**31) + 1])
def test_a_number_that_the_column_holds_is_read(number: int) -> None:
    assert decode_cursor(encode_cursor(number), integer_key(bits=32)) == (number,)


@pytest.mark.parametrize("number", [2**31, -(2**63), "9" * 5_000, "1e5", "NaN", "\u00b2", ""])
def test_a_number_that_no_column_holds_is_refused(number: int | str) -> None:
    with pytest.raises(InvalidInput):
        decode_cursor(encode_cursor(number), integer_key(bits=32))


def test_a_cursor_of_the_same_list_in_another_order_is_refused() -> None:
    with pytest.raises(InvalidInput):
        decode_cursor(encode_cursor("oldest", SOMEBODY), exact_key("newest"), UUID)

"""Values as they come in: what a scalar takes, and in which words it refuses the rest."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from graphql import GraphQLError

from server.platform.gql.scalars import SCALARS


def read(kind: type) -> Callable[[Any], Any]:
    parse = SCALARS[kind].parse_value
    assert parse is not None
    return parse


@pytest.mark.parametrize(
    "value", ["2026-05-01T09:30:00Z", "2026-05-01T11:30:00+02:00", "2026-05-01T09:30:00", "20260501T093000Z"]
)
def test_a_moment_is_utc_however_it_is_written(value: str) -> None:
    read_as = read(datetime)(value)

    assert (read_as, read_as.tzinfo) == (datetime(2026, 5, 1, 9, 30, tzinfo=UTC), UTC)


@pytest.mark.parametrize(
    "value",
    ["", "now", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "\x00", 7, None],
)
def test_what_is_no_moment_is_refused_in_words(value: object) -> None:
    with pytest.raises(GraphQLError, match="A moment is ISO 8601 with its zone"):
        read(datetime)(value)


@pytest.mark.parametrize("value", ["", "2026-02-30", "2026-05-01T00:00:00Z", "\x00", 20260501, None])
def test_what_is_no_day_is_refused_in_words(value: object) -> None:
    assert read(date)("2026-05-01") == date(2026, 5, 1)
    with pytest.raises(GraphQLError, match="A day is written like"):
        read(date)(value)


@pytest.mark.parametrize("value", ["", "NaN", "sNaN", "Infinity", "1e31", "1e-31", "9" * 400, "\x00", [], None])
def test_what_is_no_finite_number_is_refused_in_words(value: object) -> None:
    assert [read(Decimal)(each) for each in ("12.5", 12, 12.5, "1e30")] == [
        Decimal("12.5"),
        12,
        Decimal("12.5"),
        10**30,
    ]
    with pytest.raises(GraphQLError, match="A decimal number is written like"):
        read(Decimal)(value)

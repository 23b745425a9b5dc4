"""Keyset pagination: page sizes, and cursors that hold the sort keys of a row."""

import base64
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar, overload

from server.platform.core import errors as refusals

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

FOREIGN_CURSOR = "This cursor is not one of this list's."


def page_size(first: int) -> int:
    """The number of rows in `first`. Raises InvalidInput when it is not 1 to 100."""
    if not 1 <= first <= 100:
        raise refusals.InvalidInput({"first": f"`first` is 1 to 100, not {first}."})
    return first


def encode_cursor(*place: object) -> str:
    """An opaque cursor that holds the sort keys of a row."""
    texts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in place]
    return base64.urlsafe_b64encode("\x1f".join(texts).encode()).decode().rstrip("=")


@overload
def decode_cursor(cursor: str | None, first: Callable[[str], A], /) -> tuple[A] | None: ...
@overload
def decode_cursor(
    cursor: str | None, first: Callable[[str], A], second: Callable[[str], B], /
) -> tuple[A, B] | None: ...
@overload
def decode_cursor(
    cursor: str | None, first: Callable[[str], A], second: Callable[[str], B], third: Callable[[str], C], /
) -> tuple[A, B, C] | None: ...
def decode_cursor(cursor: str | None, *readers: Callable[[str], object]) -> tuple[object, ...] | None:
    """The sort keys in a cursor, each converted by its own reader; None when there is no cursor.

    Readers raise ValueError for text that they cannot convert. Raises InvalidInput for a cursor that no list made, or
    that another list made.
    """
    if cursor is None:
        return None
    try:
        parts = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("\x1f")
        return tuple(read(part) for read, part in zip(readers, parts, strict=True))
    except ValueError as error:
        raise refusals.InvalidInput({"after": FOREIGN_CURSOR}) from error


def datetime_key(part: str) -> datetime:
    """Reads an ISO 8601 time with a time zone. Raises ValueError for one without, or at the ends of the calendar."""
    moment = datetime.fromisoformat(part)
    if moment.tzinfo is None or not 1 < moment.year < 9999:
        raise ValueError(part)
    return moment


def integer_key(bits: int) -> Callable[[str], int]:
    """A reader of integers that fit into a column of that many bits."""

    def number_of(part: str) -> int:
        number = int(part)
        if abs(number) >= 2 ** (bits - 1):
            raise ValueError(part)
        return number

    return number_of


def exact_key(text: str) -> Callable[[str], str]:
    """A reader that accepts only this word, such as the name of the sort order."""

    def word_of(part: str) -> str:
        if part != text:
            raise ValueError(part)
        return part

    return word_of

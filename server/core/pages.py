"""Lists that grow: what a client gets of one page, and the cursor by which the next one goes on."""

import base64
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Annotated, Generic, Self, TypeVar, overload

import strawberry

from server.core import errors as refusals

Node = TypeVar("Node")
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")

First = Annotated[int, strawberry.argument(description="How many at most, 1 to 100.")]
After = Annotated[
    str | None, strawberry.argument(description="`endCursor` of the page before; nothing for the first page.")
]


@strawberry.type(description="Where a page of a connection begins and ends.")
class PageInfo:
    has_next_page: bool = strawberry.field(description="Whether there is more after `endCursor`.")
    has_previous_page: bool = strawberry.field(description="Whether there is more before `startCursor`.")
    start_cursor: str | None = strawberry.field(description="Cursor of the first node; null on an empty page.")
    end_cursor: str | None = strawberry.field(description="Cursor of the last node; null on an empty page.")


@strawberry.type(description="A node with its place in the list.")
class Edge(Generic[Node]):
    node: Node = strawberry.field(description="The node itself.")
    cursor: str = strawberry.field(description="Opaque; hand it to `after` to go on behind this node.")


@strawberry.type(description="A page of a list that grows.")
class Connection(Generic[Node]):
    nodes: list[Node] = strawberry.field(description="The page's nodes, for who needs no cursors.")
    edges: list[Edge[Node]] = strawberry.field(description="The same nodes, each with its cursor.")
    page_info: PageInfo = strawberry.field(description="Where the page begins and ends.")
    total_count: int = strawberry.field(description="Nodes over all pages.")

    @classmethod
    def of(
        cls,
        nodes: list[Node],
        places: Iterable[tuple[object, ...]],
        *,
        has_next: bool,
        has_previous: bool,
        total: int,
    ) -> Self:
        """A page with the place of each node: the sort keys of its row, as `place_of` reads them."""
        cursors = [cursor_of(*place) for place in places]
        return cls(
            nodes=nodes,
            edges=edges_of(nodes, cursors),
            page_info=page_info(cursors, has_next=has_next, has_previous=has_previous),
            total_count=total,
        )


def edges_of(nodes: Sequence[Node], cursors: Sequence[str]) -> list[Edge[Node]]:
    return [Edge(node=node, cursor=cursor) for node, cursor in zip(nodes, cursors, strict=True)]


def page_info(cursors: Sequence[str], *, has_next: bool, has_previous: bool) -> PageInfo:
    return PageInfo(
        has_next_page=has_next,
        has_previous_page=has_previous,
        start_cursor=cursors[0] if cursors else None,
        end_cursor=cursors[-1] if cursors else None,
    )


def page_size(first: int) -> int:
    """Raises InvalidInput when `first` is not 1 to 100."""
    if not 1 <= first <= 100:
        raise refusals.InvalidInput({"first": f"`first` is 1 to 100, not {first}."})
    return first


def cursor_of(*place: object) -> str:
    """An opaque cursor of a row's sort keys."""
    texts = [part.isoformat() if isinstance(part, datetime) else str(part) for part in place]
    return base64.urlsafe_b64encode("\x1f".join(texts).encode()).decode().rstrip("=")


@overload
def place_of(cursor: str | None, first: Callable[[str], A], /) -> tuple[A] | None: ...
@overload
def place_of(cursor: str | None, first: Callable[[str], A], second: Callable[[str], B], /) -> tuple[A, B] | None: ...
@overload
def place_of(
    cursor: str | None, first: Callable[[str], A], second: Callable[[str], B], third: Callable[[str], C], /
) -> tuple[A, B, C] | None: ...
def place_of(cursor: str | None, *readers: Callable[[str], object]) -> tuple[object, ...] | None:
    """The sort keys in a cursor, each through its own reader; None where there is no cursor.

    Raises InvalidInput for a cursor of another list, or of none: readers raise ValueError for what they cannot read.
    """
    if cursor is None:
        return None
    try:
        parts = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("\x1f")
        return tuple(read(part) for read, part in zip(readers, parts, strict=True))
    except ValueError as error:
        raise refusals.InvalidInput({"after": "This cursor is not one of this list's."}) from error


def moment_of(part: str) -> datetime:
    """Reads a moment of a cursor: one with a zone, and in no zone outside of the calendar."""
    moment = datetime.fromisoformat(part)
    if moment.tzinfo is None or not 1 < moment.year < 9999:
        raise ValueError(part)
    return moment


def number_within(bits: int) -> Callable[[str], int]:
    """A reader of numbers that a column of so many bits can hold."""

    def number_of(part: str) -> int:
        number = int(part)
        if abs(number) >= 2 ** (bits - 1):
            raise ValueError(part)
        return number

    return number_of


def exactly(text: str) -> Callable[[str], str]:
    """A reader of one word, such as the order that the cursor belongs to."""

    def word_of(part: str) -> str:
        if part != text:
            raise ValueError(part)
        return part

    return word_of

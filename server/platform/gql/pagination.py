"""Connections: a page of a list, with cursors, as in the Relay specification."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Generic, Self, TypeVar

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.platform.core.context import Context, reading
from server.platform.core.cursors import encode_cursor, page_size
from server.platform.gql.types import Info, asks_for

Node = TypeVar("Node")
Row = TypeVar("Row")
Place = TypeVar("Place", bound=tuple[object, ...])

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
        """A page. `places` are the sort keys of each node's row, as `decode_cursor` reads them."""
        cursors = [encode_cursor(*place) for place in places]
        return cls(
            nodes=nodes,
            edges=edges_of(nodes, cursors),
            page_info=page_info(cursors, has_next=has_next, has_previous=has_previous),
            total_count=total,
        )


async def connection(
    info: Info,
    first: int,
    after: Place | None,
    rows: Callable[[AsyncSession, int, Place | None], Awaitable[Sequence[Row]]],
    total: Callable[[AsyncSession], Awaitable[int]],
    *,
    node: Callable[[Row], Node],
    place: Callable[[Row], Place],
    within: Callable[[Context], AbstractAsyncContextManager[AsyncSession]] = reading,
) -> Connection[Node]:
    """The page of a list in the database at `first` and `after`.

    `rows` reads at most so many behind a place; `place` gives a row's sort keys, which `decode_cursor` has read into
    `after`. `total` runs only when `totalCount` is selected. Both run in the session that `within`
    opens. Raises InvalidInput when `first` is not 1 to 100.
    """
    size = page_size(first)
    async with within(info.context) as session:
        results = await rows(session, size + 1, after)
        count = await total(session) if asks_for(info, "totalCount") else 0
    shown = results[:size]
    return Connection.of(
        [node(row) for row in shown],
        [place(row) for row in shown],
        has_next=len(results) > size,
        has_previous=after is not None,
        total=count,
    )


def edges_of(nodes: Sequence[Node], cursors: Sequence[str]) -> list[Edge[Node]]:
    """Nodes with their cursors, both in the same order."""
    return [Edge(node=node, cursor=cursor) for node, cursor in zip(nodes, cursors, strict=True)]


def page_info(cursors: Sequence[str], *, has_next: bool, has_previous: bool) -> PageInfo:
    """A page's first and last cursor, and whether there are further pages."""
    return PageInfo(
        has_next_page=has_next,
        has_previous_page=has_previous,
        start_cursor=cursors[0] if cursors else None,
        end_cursor=cursors[-1] if cursors else None,
    )

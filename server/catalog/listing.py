"""Product lists: the index selects and sorts the products, the database provides their data."""

from collections.abc import Sequence
from typing import NamedTuple

from server.catalog import queries
from server.catalog.cache import CatalogCache
from server.catalog.follower import CatalogFollower
from server.catalog.index.index import CatalogIndex, Position
from server.catalog.index.terms import Word
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.queries import ProductRow
from server.core.context import Context, reading


class ListedPage(NamedTuple):
    """Rows with their positions. The next page begins behind `after`."""

    rows: list[ProductRow]
    positions: list[Position]
    has_next: bool
    after: Position | None = None


async def catalog_index(context: Context) -> CatalogIndex:
    """This process's index. Notes in the context when it may be outdated. Raises Unavailable while it is incomplete."""
    follower = context.resources.get(CatalogFollower)
    index = await follower.complete_index()
    context.stale = follower.stale if context.stale is None else max(context.stale, follower.stale or 0)
    return index


async def page(
    context: Context,
    wanted: ProductCriteria,
    sort: ProductListSort,
    first: int,
    after: Position | None = None,
    searched: Sequence[Word] = (),
) -> ListedPage:
    """One page, with one statement. Products deleted since the index was updated are left out."""
    index = await catalog_index(context)
    positions, has_next = index.page(wanted, sort, first, after, searched=searched)
    if not positions:
        return ListedPage([], [], has_next)
    async with reading(context) as session:
        rows = await queries.products_by_id(session, [each.id for each in positions])
    kept = [each for each in positions if each.id in rows and rows[each.id].retired_at is None]
    return ListedPage([rows[each.id] for each in kept], kept, has_next, positions[-1])


async def after_change(context: Context) -> None:
    """Call it after committing a change to the catalogue: waits until this process's index contains it."""
    context.resources.get(CatalogCache).forget()
    await context.resources.get(CatalogFollower).catch_up(context.sessions)

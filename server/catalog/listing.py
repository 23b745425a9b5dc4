"""What shoppers read of the catalogue: the index selects and sorts products, memory or the database has their rows."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import NamedTuple, TypeVar
from uuid import UUID

from server.catalog import queries
from server.catalog.categories import Categories
from server.catalog.contents import Content
from server.catalog.dependencies import CACHE_DEPENDENCIES, CHECK_SECONDS
from server.catalog.follower import CatalogFollower
from server.catalog.index.index import CatalogIndex, IndexPage, Position
from server.catalog.index.terms import Word
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.live import LiveCatalog
from server.catalog.queries import ProductRow
from server.platform.core.context import Context
from server.platform.core.reader import ALWAYS, Reader

Result = TypeVar("Result")


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


async def ask(context: Context, query: Callable[[CatalogIndex], Result]) -> Result:
    """The result of a query of the index, on which a response that is going to be cached depends from now on."""
    index = await catalog_index(context)
    result = query(index)
    if dependencies := CACHE_DEPENDENCIES.get():
        dependencies.queries.append((query, result))
    return result


async def categories(context: Context) -> Categories:
    """The categories as they are now; a response that is going to be cached depends on them from now on."""
    return await ask(context, _categories)


def _categories(index: CatalogIndex) -> Categories:
    return index.categories


async def products(context: Context, ids: Sequence[UUID], *, may_lag: bool = False) -> dict[UUID, ProductRow]:
    """Products by id from this process's memory, retired ones included; ids that do not exist are missing.

    What `may_lag` is read from the database, about a second old where there is a replica: for whole catalogues, which
    memory need not hold.
    """
    if may_lag:
        reader = context.resources.get(Reader)
        return (await reader.read(context.sessions, ALWAYS, lambda session: queries.products_by_id(session, ids)))[0]
    contents = context.resources.get(LiveCatalog).contents
    return _rows(ids, await contents.get(context.sessions, ids, _oldest_stock(context)))


def known_products(context: Context, ids: Sequence[UUID]) -> dict[UUID, ProductRow] | None:
    """As `products`; None when something has to be read."""
    contents = context.resources.get(LiveCatalog).contents.known(ids, _oldest_stock(context))
    return None if contents is None else _rows(ids, contents)


def _oldest_stock(context: Context) -> float | None:
    """The moment, by `monotonic`, as of which stock has to be read at least; None when a response shows none."""
    dependencies, fresh_from = CACHE_DEPENDENCIES.get(), context.resources.get(LiveCatalog).fresh_from
    if dependencies is None:
        return max(fresh_from, monotonic() - CHECK_SECONDS)
    if not dependencies.shows_stock:
        return None
    return max(fresh_from, min(dependencies.as_of, monotonic() - CHECK_SECONDS))


def _rows(ids: Sequence[UUID], contents: Mapping[UUID, Content]) -> dict[UUID, ProductRow]:
    if dependencies := CACHE_DEPENDENCIES.get():
        if dependencies.shows_stock:
            dependencies.as_of = min([dependencies.as_of, *(each.stock_as_of for each in contents.values())])
        dependencies.add_products({each: contents[each].fingerprints if each in contents else None for each in ids})
    return {each: content.row for each, content in contents.items()}


async def page(
    context: Context,
    wanted: ProductCriteria,
    sort: ProductListSort,
    first: int,
    after: Position | None = None,
    searched: Sequence[Word] = (),
    *,
    may_lag: bool = False,
) -> ListedPage:
    """One page, with one statement."""
    found = await ask(context, lambda index: index.page(wanted, sort, first, after, searched=searched))
    return await listed(context, found, may_lag=may_lag)


async def listed(context: Context, found: IndexPage, *, may_lag: bool = False) -> ListedPage:
    """A page of the index with its rows. Products deleted since the index was updated are left out."""
    positions, has_next = found
    if not positions:
        return ListedPage([], [], has_next)
    rows = await products(context, [each.id for each in positions], may_lag=may_lag)
    kept = [each for each in positions if each.id in rows and rows[each.id].retired_at is None]
    return ListedPage([rows[each.id] for each in kept], kept, has_next, positions[-1])


def show_beside(context: Context, what: str) -> None:
    """Call it before reading something beside the catalogue, by its name in `LiveCatalog.versions`: `settings`.

    A response that is going to be cached depends on it from now on.
    """
    if dependencies := CACHE_DEPENDENCIES.get():
        dependencies.add_version(what, context.resources.get(LiveCatalog).versions[what])


async def after_change(context: Context) -> None:
    """Call it after committing a change to the catalogue: waits until this process knows it."""
    await context.resources.get(LiveCatalog).catch_up(context.sessions)

"""Product lists: the index selects and sorts the products, the database provides their data."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import NamedTuple, TypeVar
from uuid import UUID

from server.catalog import queries
from server.catalog.contents import Content
from server.catalog.follower import CatalogFollower
from server.catalog.index.index import CatalogIndex, IndexPage, Position
from server.catalog.index.terms import Word
from server.catalog.lists import ProductCriteria, ProductListSort
from server.catalog.present import PresentCatalog
from server.catalog.queries import ProductRow
from server.catalog.shown import SHOWN, Shown
from server.platform.core.context import Context, reading
from server.platform.core.reader import ALWAYS, Reader

Found = TypeVar("Found")

STOCK_SECONDS = 0.4
"""A new response tells numbers of pieces that are known and no older; it is then as old as they are."""


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


async def ask(context: Context, question: Callable[[CatalogIndex], Found]) -> Found:
    """What the index answers. A response that is going to be cached is right while the answer stays equal."""
    index = await catalog_index(context)
    found = question(index)
    if shown := SHOWN.get():
        shown.questions.append((question, found))
    return found


async def products(context: Context, ids: Sequence[UUID], *, may_lag: bool = False) -> dict[UUID, ProductRow]:
    """Products by id, retired ones included; unknown ids are missing.

    For a response that is going to be cached they come from this process's memory. What `may_lag` is about a second
    old where there is a replica.
    """
    shown = SHOWN.get()
    if may_lag:
        reader = context.resources.get(Reader)
        return (await reader.read(context.sessions, ALWAYS, lambda session: queries.products_by_id(session, ids)))[0]
    if shown is None:
        async with reading(context) as session:
            return await queries.products_by_id(session, ids)
    contents = context.resources.get(PresentCatalog).contents
    return _shown(shown, ids, await contents.get(context.sessions, ids, _oldest_stock(context, shown)))


def known_products(context: Context, ids: Sequence[UUID]) -> dict[UUID, ProductRow] | None:
    """As `products` for a response that is going to be cached; None when something has to be read."""
    shown = SHOWN.get()
    if shown is None:
        return None
    contents = context.resources.get(PresentCatalog).contents
    known = contents.known(ids, _oldest_stock(context, shown))
    return None if known is None else _shown(shown, ids, known)


def _oldest_stock(context: Context, shown: Shown) -> float | None:
    """The moment, by `monotonic`, of which stock has to be known at least; None when none is told."""
    if not shown.asks_stock:
        return None
    return max(context.resources.get(PresentCatalog).fresh_from, min(shown.since, monotonic() - STOCK_SECONDS))


def _shown(shown: Shown, ids: Sequence[UUID], known: Mapping[UUID, Content]) -> dict[UUID, ProductRow]:
    if shown.asks_stock:
        shown.since = min([shown.since, *(content.stock_read for content in known.values())])
    shown.note({each: known[each].marks if each in known else None for each in ids})
    return {each: content.row for each, content in known.items()}


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


def show_settings(context: Context) -> None:
    """Call it before reading settings: a response that is going to be cached is right while they stay."""
    if shown := SHOWN.get():
        shown.shop_version = context.resources.get(PresentCatalog).shop_version


async def after_change(context: Context) -> None:
    """Call it after committing a change to the catalogue: waits until this process knows it."""
    await context.resources.get(PresentCatalog).catch_up(context.sessions)

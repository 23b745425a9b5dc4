"""Lists of products in the GraphQL schema: filters, facets, sort orders and cursors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar
from uuid import UUID

import strawberry
from strawberry.utils.str_converters import to_camel_case

from server.catalog import listing, lists
from server.catalog import search as searching
from server.catalog.categories import Categories
from server.catalog.colors import FAMILIES
from server.catalog.index.index import CatalogIndex, IndexPage, Position, microseconds, moment
from server.catalog.types import Product, Size
from server.platform.core import errors as refusals
from server.platform.core.cursors import datetime_key, decode_cursor, encode_cursor, exact_key, integer_key, page_size
from server.platform.core.rules import OneOf
from server.platform.core.text import readable_id
from server.platform.gql.pagination import Connection, edges_of, page_info
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, asked_names, enum_value


@strawberry.enum(description="Order of a product list; the newer product comes first among equals.")
class ProductSort(Enum):
    RELEVANCE = enum_value(
        "relevance", "Of a search: what is called so first, then what is only told so, best sold first. Else FEATURED."
    )
    FEATURED = enum_value("featured", "Best sold first.")
    NEWEST = enum_value("newest", "Latest arrival first.")
    PRICE_ASCENDING = enum_value("price_ascending", "Cheapest first, by what is charged now.")
    PRICE_DESCENDING = enum_value("price_descending", "Dearest first, by what is charged now.")


Class = TypeVar("Class", bound=type)


def _with_counts(facets: Class) -> Class:
    """Adds the number of products of each flag to the type."""
    for name in lists.FLAGS:
        facets.__annotations__[name] = int
        setattr(facets, name, strawberry.field(description=f"Products that `{to_camel_case(name)}` would leave."))
    return facets


def _with_flags(product_filter: Class) -> Class:
    """Adds each flag to the input."""
    for name, flag in lists.FLAGS.items():
        product_filter.__annotations__[name] = bool | None
        setattr(product_filter, name, strawberry.field(default=None, description=flag.description))
    return product_filter


@strawberry.type(description="How many products come in a size, or in a system of two axes in a value of one.")
class SizeFacet:
    size: Size = strawberry.field(description="Hand it to `filter.sizes`: `M`, `shoes:38`.")
    name: str = strawberry.field(description='What it is called: "M", "38", "W30".')
    group: str = strawberry.field(
        description='Its system, "Letters", or of two axes its own, "Waist". A list may have several groups.'
    )
    count: int = strawberry.field(description="Products that would be left.")


@strawberry.type(description="How many products come in a family of colors: Blue, Black and so on.")
class ColorFacet:
    name: str = strawberry.field(description='Hand it to `filter.colors`: "Blue".')
    hex: str = strawberry.field(description="A color that stands for the family.")
    count: int = strawberry.field(description="Products that would be left.")


@strawberry.type(description="From the cheapest to the dearest.")
class PriceRange:
    lowest: Money = strawberry.field(description="What the cheapest costs now.")
    highest: Money = strawberry.field(description="What the dearest costs now.")


@strawberry.type(description="What the filter could be narrowed to, each counted without its own choice.")
@_with_counts
class ProductFacets:
    sizes: list[SizeFacet] = strawberry.field(
        description="Every size of the category or search by group, smallest first; 0 where other filters leave none."
    )
    colors: list[ColorFacet] = strawberry.field(
        description="Every color of the category or search, dark to bright; 0 where other filters leave nothing."
    )
    price_range: PriceRange | None = strawberry.field(
        description="Among the matches without a price filter; null when there are none."
    )

    @classmethod
    def of(cls, facets: lists.Facets) -> "ProductFacets":
        """From the index's counts."""
        return cls(
            sizes=[
                SizeFacet(size=Size(each.key), name=each.name, group=each.group, count=facets.sizes[each.key])
                for each in facets.size_choices
            ],
            colors=[
                ColorFacet(name=name, hex=family.hex, count=facets.families[name])
                for name, family in FAMILIES.items()
                if name in facets.families
            ],
            price_range=(
                PriceRange(lowest=Money(facets.lowest_cents), highest=Money(facets.highest_cents))
                if facets.lowest_cents is not None and facets.highest_cents is not None
                else None
            ),
            **{name: facets.flags.get(name, 0) for name in lists.FLAGS},
        )


@strawberry.type(description="A page of products, read in one statement. `totalCount` and `facets` cost none.")
class ProductConnection(Connection[Product]):
    facets: ProductFacets = strawberry.field(description="What the filter could be narrowed to.")


def checked(rule: OneOf, key: str | None) -> str | None:
    """The key of a department or kind. Raises InvalidInput, which names all keys, for an unknown one."""
    if problem := rule.problem(key):
        raise refusals.InvalidInput({rule.noun: problem})
    return key


@strawberry.input(
    description="Narrows a list of products. Members combine with and, values within a member with or; "
    "null, false and empty lists narrow nothing."
)
@_with_flags
class ProductFilter:
    department: str | None = strawberry.field(default=None, description="Key of a department: `men`.")
    kind: str | None = strawberry.field(default=None, description="Key of a kind: `jeans`.")
    sizes: list[Size] | None = strawberry.field(
        default=None,
        description="Made in one of these sizes, named as `facets.sizes` or products name them.",
    )
    colors: list[str] | None = strawberry.field(
        default=None, description='Families as `facets.colors` names them: "Blue".'
    )
    price_from: Money | None = strawberry.field(default=None, description="Charged now: at least this.")
    price_to: Money | None = strawberry.field(default=None, description="Charged now: at most this.")

    def narrowed(self, categories: Categories) -> lists.ProductCriteria:
        """The criteria for the index. Raises InvalidInput for an unknown department, kind, size or color family."""
        unknown = [name for name in self.colors or () if name not in FAMILIES]
        if unknown:
            raise refusals.InvalidInput({"colors": f"There is no color {unknown[0]!r}: {', '.join(FAMILIES)}."})
        return lists.ProductCriteria(
            gender=checked(categories.department_rule, self.department),
            subcategory=checked(categories.kind_rule, self.kind),
            **{name: bool(getattr(self, name)) for name in lists.FLAGS},
            sizes=tuple(dict.fromkeys(key for size in self.sizes or () for key in _size_keys(categories, size))),
            families=tuple(dict.fromkeys(self.colors or ())),
            price_from=self.price_from,
            price_to=self.price_to,
        )


def _size_keys(categories: Categories, size: str) -> tuple[str, ...]:
    choices = categories.size_choices
    if keys := choices.keys_of(size):
        return keys
    raise refusals.InvalidInput({"sizes": choices.rule.problem(size) or f"There is no size {size[:60]!r}."})


MOST_IDS = 100
"""Of products asked for by id."""


@dataclass(frozen=True)
class ProductListRequest:
    """The page of products that a query asks for."""

    filter: ProductFilter | None
    sort: ProductSort
    first: int
    after: str | None
    search: searching.Search | None = None
    """None for a list without a search."""


async def product_connection(info: Info, request: ProductListRequest) -> ProductConnection:
    """The page of a list or search that a query asks for."""
    criteria = (request.filter or ProductFilter()).narrowed(await listing.categories(info.context))
    sort, first = lists.ProductListSort(request.sort.value), page_size(request.first)
    after = _position(request.after, sort)
    names = asked_names(info)
    has_edges = "edges" in names
    if request.search and not request.search.words:
        return _connection_of(listing.ListedPage([], [], False), sort, after, 0, lists.Facets(), has_edges=has_edges)
    words = request.search.words if request.search else ()
    asks_total, asks_facets = "totalCount" in names, "facets" in names

    def answered(index: CatalogIndex) -> tuple[IndexPage, int, lists.Facets]:
        return (
            index.page(criteria, sort, first, after, searched=words),
            index.total(criteria, words) if asks_total else 0,
            index.facets(criteria, words) if asks_facets else lists.Facets(),
        )

    index_page, total, facets = await listing.ask(info.context, answered)
    page = await listing.listed(info.context, index_page)
    return _connection_of(page, sort, after, total, facets, has_edges=has_edges)


async def products_by_ids(info: Info, ids: Sequence[str], *, is_alone: bool) -> ProductConnection:
    """The products on offer of these ids, in their order, each once. Raises InvalidInput."""
    if len(ids) > MOST_IDS:
        raise refusals.InvalidInput({"ids": f"are at most {MOST_IDS}, not {len(ids)}"})
    if not is_alone:
        raise refusals.InvalidInput({"ids": "are given without filter and after"})
    wanted = list(dict.fromkeys(id for each in ids if (id := readable_id(each))))
    rows = await listing.products(info.context, wanted)
    nodes = [Product.of(rows[each]) for each in wanted if each in rows and rows[each].retired_at is None]
    cursors = [encode_cursor("ids", node.row.id) for node in nodes]
    return ProductConnection(
        nodes=nodes,
        edges=edges_of(nodes, cursors),
        page_info=page_info(cursors, has_next=False, has_previous=False),
        total_count=len(nodes),
        facets=ProductFacets.of(lists.Facets()),
    )


def _connection_of(
    page: listing.ListedPage,
    sort: lists.ProductListSort,
    after: Position | None,
    total: int,
    facets: lists.Facets,
    *,
    has_edges: bool,
) -> ProductConnection:
    nodes = [Product.of(row) for row in page.rows]
    shown = page.positions if has_edges else [*page.positions[:1], *page.positions[1:][-1:]]
    cursors = [_cursor(position, sort) for position in shown]
    return ProductConnection(
        nodes=nodes,
        edges=edges_of(nodes, cursors) if has_edges else [],
        page_info=page_info(cursors, has_next=page.has_next, has_previous=after is not None),
        total_count=total,
        facets=ProductFacets.of(facets),
    )


def _cursor(position: Position, sort: lists.ProductListSort) -> str:
    key: object = position.value
    if sort is lists.ProductListSort.NEWEST:
        key = moment(position.value)
    elif sort is lists.ProductListSort.RELEVANCE:
        key = f"{position.rank}.{position.value}"
    return encode_cursor(sort.value, key, position.id)


def _position(cursor: str | None, sort: lists.ProductListSort) -> Position | None:
    """Raises InvalidInput for a cursor of another order or another list."""
    place = decode_cursor(cursor, exact_key(sort.value), _RANKED_KEYS.get(sort, _number), UUID)
    return place and Position(*place[1], place[2])


def _number(part: str) -> tuple[int, int]:
    return 0, integer_key(bits=32)(part)


def _microseconds(part: str) -> tuple[int, int]:
    return 0, microseconds(datetime_key(part))


def _rank_and_number(part: str) -> tuple[int, int]:
    rank, _, number = part.partition(".")
    return integer_key(bits=8)(rank), integer_key(bits=32)(number)


_RANKED_KEYS: dict[lists.ProductListSort, Callable[[str], tuple[int, int]]] = {
    lists.ProductListSort.NEWEST: _microseconds,
    lists.ProductListSort.RELEVANCE: _rank_and_number,
}

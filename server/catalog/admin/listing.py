"""The back office's list of products in the GraphQL schema."""

from datetime import datetime
from enum import Enum
from functools import partial
from typing import Annotated
from urllib.parse import quote, unquote
from uuid import UUID

import strawberry

from server.catalog import admin_queries, listing
from server.catalog.categories import Categories
from server.catalog.connections import checked
from server.catalog.types import Product
from server.platform.core.context import reading
from server.platform.core.cursors import datetime_key, decode_cursor, exact_key, integer_key, page_size
from server.platform.core.text import search_terms
from server.platform.gql.pagination import After, Connection, First
from server.platform.gql.permissions import AdminOnly
from server.platform.gql.types import Info, asks_for, enum_value


@strawberry.enum(description="Order of the back office's list; the newer product comes first among equals.")
class AdminProductSort(Enum):
    NEWEST = enum_value("newest", "Latest arrival first.")
    OLDEST = enum_value("oldest", "Earliest arrival first.")
    NAME = enum_value("name", "By name, A to Z.")
    CHEAPEST = enum_value("cheapest", "Cheapest first, by what is charged now.")
    DEAREST = enum_value("dearest", "Dearest first, by what is charged now.")
    BEST_SOLD = enum_value("best_sold", "Most pieces sold first.")
    CHANGED = enum_value("changed", "Latest edit first.")


@strawberry.input(description="Narrows the back office's list of products. Members combine with and.")
class AdminProductFilter:
    department: str | None = strawberry.field(default=None, description="Key of a department: `men`.")
    on_sale: bool = strawberry.field(default=False, description="Only those whose discount counts now.")
    sold_out: bool = strawberry.field(default=False, description="Only those of which no piece can be bought.")
    without_picture: bool = strawberry.field(default=False, description="Only those that have no picture.")
    retired: bool = strawberry.field(default=False, description="Only those no longer sold.")
    include_retired: bool = strawberry.field(
        default=False, description="Whether products no longer sold are listed too."
    )

    def criteria(self, categories: Categories, search: str | None) -> admin_queries.AdminListFilter:
        """The filter for the query. Raises InvalidInput for an unknown department."""
        return admin_queries.AdminListFilter(
            gender=checked(categories.department_rule, self.department),
            on_sale=self.on_sale,
            sold_out=self.sold_out,
            without_picture=self.without_picture,
            retired=self.retired,
            include_retired=self.include_retired,
            words=search_terms(search)[:200],
        )


Search = Annotated[
    str | None, strawberry.argument(description="Part of a name or subtitle, or the beginning of a SKU.")
]


@strawberry.type(description="A page of the back office's list. `totalCount` costs a statement, when asked for.")
class AdminProductConnection(Connection[Product]): ...


@strawberry.type
class ProductListAdminFields:
    """The list's field of the back office."""

    @strawberry.field(description="All products on offer, newest first, or as asked.", permission_classes=[AdminOnly])
    async def products(
        self,
        info: Info,
        filter: Annotated[
            AdminProductFilter | None, strawberry.argument(description="Which; all on offer when left out.")
        ] = None,
        search: Search = None,
        sort: Annotated[AdminProductSort, strawberry.argument(description="In which order.")] = AdminProductSort.NEWEST,
        first: First = 50,
        after: After = None,
    ) -> AdminProductConnection:
        categories, order = await listing.categories(info.context), admin_queries.AdminListSort(sort.value)
        criteria = (filter or AdminProductFilter()).criteria(categories, search)
        first, place = page_size(first), _place(after, order)
        async with reading(info.context) as session:
            page = await admin_queries.page(session, criteria, order, first, place)
            total = await admin_queries.total(session, criteria) if asks_for(info, "totalCount") else 0
        nodes = [Product.of(row) for row in page.rows]
        places = [(order.value, identity, _key_text(key)) for key, identity in page.places]
        return AdminProductConnection.of(
            nodes, places, has_next=page.has_next, has_previous=place is not None, total=total
        )


_MOMENTS = (admin_queries.AdminListSort.NEWEST, admin_queries.AdminListSort.OLDEST, admin_queries.AdminListSort.CHANGED)


def _key_text(key: admin_queries.Key) -> str:
    return quote(key.isoformat() if isinstance(key, datetime) else str(key))


def _place(cursor: str | None, sort: admin_queries.AdminListSort) -> admin_queries.Place | None:
    """Raises InvalidInput for a cursor of another order or another list."""
    place = decode_cursor(cursor, exact_key(sort.value), UUID, partial(_key, sort=sort))
    return place and (place[2], place[1])


def _key(part: str, *, sort: admin_queries.AdminListSort) -> admin_queries.Key:
    text = unquote(part)
    if sort is admin_queries.AdminListSort.NAME:
        return text
    return datetime_key(text) if sort in _MOMENTS else integer_key(bits=32)(text)

"""The wishlist in the schema."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

import strawberry

from server.catalog import queries as catalog
from server.catalog.graphql import Product
from server.core import errors as refusals
from server.core.context import reading, transaction
from server.core.graphql import Info, InvalidInput, SignedInOnly, UserError, parse_id
from server.wishlist import errors, service

ProductId = Annotated[strawberry.ID, strawberry.argument(description="A product's id.")]


@strawberry.type(description="Products that the viewer keeps an eye on. Those no longer sold are not shown.")
class Wishlist:
    id: strawberry.ID = strawberry.field(description="Opaque; a shopper has one wishlist for ever.")
    count: int = strawberry.field(description="How many products.")
    limit: int = strawberry.field(description="Most products that a wishlist holds.")
    product_ids: list[strawberry.ID] = strawberry.field(
        description="Newest wish first; enough to know which hearts are filled, and costs nothing more."
    )
    ids: strawberry.Private[Sequence[UUID]]

    @strawberry.field(description="Newest wish first. Costs one statement, however many there are.")
    async def products(self, info: Info) -> list[Product]:
        async with reading(info.context) as session:
            rows = await catalog.products_by_id(session, self.ids)
        return [Product.of(rows[each]) for each in self.ids if each in rows]


@strawberry.type(description="The wishlist holds as many products as it can.")
class WishlistFull(UserError):
    limit: int = strawberry.field(description="How many that is.")


AddToWishlistResult = Annotated[
    Wishlist | WishlistFull,
    strawberry.union(name="AddToWishlistResult", description="The changed wishlist, or why it has not changed."),
]
MergeWishlistResult = Annotated[
    Wishlist | InvalidInput,
    strawberry.union(name="MergeWishlistResult", description="The wishlist after merging, or why it has not changed."),
]


@strawberry.type
class ViewerFields:
    """The wishlist's share of the type Viewer."""

    @strawberry.field(description="Products that the viewer keeps an eye on; empty at first. Costs one statement.")
    async def wishlist(self, info: Info) -> Wishlist:
        return await _wishlist(info)


@strawberry.type
class Mutation:
    """Changes of the viewer's wishlist."""

    @strawberry.mutation(
        description="Keeps a product; keeping it twice changes nothing. One that is not sold is a NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def add_to_wishlist(self, info: Info, product_id: ProductId) -> AddToWishlistResult:
        try:
            async with transaction(info.context) as session:
                await service.add(session, info.context.signed_in.user_id, parse_id(product_id, "This product"))
        except errors.WishlistFull as error:
            return WishlistFull(message=str(error), limit=error.limit)
        return await _wishlist(info)

    @strawberry.mutation(
        description="Takes a product off. Taking off what is not there changes nothing.",
        permission_classes=[SignedInOnly],
    )
    async def remove_from_wishlist(self, info: Info, product_id: ProductId) -> Wishlist:
        async with transaction(info.context) as session:
            await service.remove(session, info.context.signed_in.user_id, parse_id(product_id, "This product"))
        return await _wishlist(info)

    @strawberry.mutation(
        description="Adds the wishlist that a visitor kept in the browser, after signing in. Products that are not "
        "sold, or do not fit any more, are left out; merging twice changes nothing.",
        permission_classes=[SignedInOnly],
    )
    async def merge_wishlist(
        self,
        info: Info,
        product_ids: Annotated[
            list[strawberry.ID],
            strawberry.argument(description="Newest wish first; at most 200."),
        ],
    ) -> MergeWishlistResult:
        try:
            async with transaction(info.context) as session:
                await service.merge(session, info.context.signed_in.user_id, _readable(product_ids))
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _wishlist(info)


async def _wishlist(info: Info) -> Wishlist:
    user_id = info.context.signed_in.user_id
    async with reading(info.context) as session:
        ids = await service.product_ids(session, user_id)
    return Wishlist(
        id=strawberry.ID(str(user_id)),
        count=len(ids),
        limit=service.MAX_PRODUCTS,
        product_ids=[strawberry.ID(str(each)) for each in ids],
        ids=ids,
    )


def _readable(ids: Sequence[str]) -> list[UUID]:
    """Without those that are no ids: a browser's storage may hold anything."""
    readable: list[UUID] = []
    for each in ids:
        try:
            readable.append(UUID(each))
        except ValueError:
            continue
    return readable

"""The wishlist in the GraphQL schema."""

from collections.abc import Mapping, Sequence
from typing import Annotated
from uuid import UUID

import strawberry

from server.catalog import queries as catalog
from server.catalog.types import Color, Product
from server.identity import rules
from server.platform.core import errors as refusals
from server.platform.core.context import reading, transaction
from server.platform.core.text import parse_id, readable_id
from server.platform.gql.permissions import Anyone, SignedInOnly
from server.platform.gql.types import FORM_ERRORS, Info, InvalidInput, TooManyAttempts, UserError, form_error
from server.wishlist import attempts, back_in_stock, errors, service

ProductId = Annotated[strawberry.ID, strawberry.argument(description="A product's id.")]


@strawberry.type(description="A product on the wishlist.")
class WishlistItem:
    product: Product = strawberry.field(description="What is kept an eye on.")
    color: Color | None = strawberry.field(
        description="What to show it in: the color in which it was added, or the product's first where none was given "
        "and where it no longer comes in that one."
    )

    @classmethod
    def of(cls, row: catalog.ProductRow, color_id: UUID | None) -> "WishlistItem":
        """From the product's row and the color in which it was added."""
        color = next((each for each in row.colors if each.id == str(color_id)), next(iter(row.colors), None))
        return cls(product=Product.of(row), color=Color.of(color, row) if color else None)


@strawberry.type(description="Products that the viewer keeps an eye on. Those no longer sold are not shown.")
class Wishlist:
    id: strawberry.ID = strawberry.field(description="Opaque; a shopper has one wishlist for ever.")
    count: int = strawberry.field(description="How many products.")
    limit: int = strawberry.field(description="Most products that a wishlist holds.")
    product_ids: list[strawberry.ID] = strawberry.field(
        description="Newest wish first; enough to know which hearts are filled, and costs nothing more."
    )
    colors: strawberry.Private[Mapping[UUID, UUID | None]]

    @strawberry.field(description="Newest wish first. Costs one statement, however many there are.")
    async def items(self, info: Info) -> list[WishlistItem]:
        return [WishlistItem.of(row, color_id) for row, color_id in await self._rows(info)]

    @strawberry.field(description="The products of `items`. Costs one statement, however many there are.")
    async def products(self, info: Info) -> list[Product]:
        return [Product.of(row) for row, _ in await self._rows(info)]

    async def _rows(self, info: Info) -> list[tuple[catalog.ProductRow, UUID | None]]:
        async with reading(info.context) as session:
            rows = await catalog.products_by_id(session, list(self.colors))
        return [(rows[each], color_id) for each, color_id in self.colors.items() if each in rows]


@strawberry.type(description="The wishlist holds as many products as it can.")
class WishlistFull(UserError):
    limit: int = strawberry.field(description="How many that is.")


@strawberry.type(description="One mail that will come when a sold-out variant can be had again.")
class StockAlert:
    variant_id: strawberry.ID = strawberry.field(description="The variant that is waited for.")
    email: str = strawberry.field(description="Where the mail goes, in lower case.")


@strawberry.type(description="There is a piece right now: nothing to wait for.")
class AlreadyInStock(UserError):
    variant_id: strawberry.ID = strawberry.field(description="The variant; show it as in stock.")
    available: int = strawberry.field(description="Pieces that can be bought now.")


NotifyWhenBackResult = Annotated[
    StockAlert | AlreadyInStock | InvalidInput | TooManyAttempts,
    strawberry.union(name="NotifyWhenBackResult", description="The mail that will come, or why none will."),
]
AddToWishlistResult = Annotated[
    Wishlist | WishlistFull,
    strawberry.union(name="AddToWishlistResult", description="The changed wishlist, or why it has not changed."),
]
MergeWishlistResult = Annotated[
    Wishlist | InvalidInput,
    strawberry.union(name="MergeWishlistResult", description="The wishlist after merging, or why it has not changed."),
]


@strawberry.type
class WishlistViewerFields:
    """The wishlist's fields of the type Viewer."""

    @strawberry.field(description="Products that the viewer keeps an eye on; empty at first. Costs one statement.")
    async def wishlist(self, info: Info) -> Wishlist:
        return await _wishlist(info)

    @strawberry.field(
        description="Back-in-stock mails that the viewer asked for and that are not sent yet. Costs one statement."
    )
    async def stock_alerts(self, info: Info) -> list[StockAlert]:
        async with reading(info.context) as session:
            rows = await back_in_stock.waiting(session, info.context.signed_in.user_id)
        return [StockAlert(variant_id=strawberry.ID(str(row.variant_id)), email=row.email) for row in rows]


@strawberry.type
class WishlistMutations:
    """Changes to the viewer's wishlist, and back-in-stock alerts."""

    @strawberry.mutation(
        description="Asks for one mail when a sold-out variant can be had again; asking twice is asking once. The "
        "address need not be confirmed, since one mail is all that comes, with a link that stops further ones. "
        "Limited by address and e-mail. A made-up variant, or one no longer sold, is a NOT_FOUND error.",
        permission_classes=[Anyone],
    )
    async def notify_when_back(
        self,
        info: Info,
        variant_id: Annotated[strawberry.ID, strawberry.argument(description="A sold-out variant's id.")],
        email: Annotated[
            str | None, strawberry.argument(description="Where the mail goes; the viewer's own address without it.")
        ] = None,
    ) -> NotifyWhenBackResult:
        variant, context = parse_id(variant_id, "This item"), info.context
        viewer = context.viewer
        try:
            address = rules.email_for_mail(email if email is not None else viewer.email if viewer else "")
            await attempts.mail_to(context, address)
            async with transaction(context) as session:
                await back_in_stock.ask(session, variant, address, user_id=viewer.user_id if viewer else None)
        except errors.AlreadyInStock as error:
            in_stock = strawberry.ID(str(error.variant_id))
            return AlreadyInStock(message=str(error), variant_id=in_stock, available=error.available)
        except FORM_ERRORS as error:
            return form_error(error)
        return StockAlert(variant_id=strawberry.ID(str(variant)), email=address)

    @strawberry.mutation(
        description="Keeps a product, once: keeping it again only changes its color. One that is not sold is a "
        "NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def add_to_wishlist(
        self,
        info: Info,
        product_id: ProductId,
        color_id: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="The id of the color that is in sight. Without it, and with one that the product does not "
                "come in, the color stays."
            ),
        ] = None,
    ) -> AddToWishlistResult:
        user_id, color = info.context.signed_in.user_id, readable_id(color_id) if color_id else None
        try:
            async with transaction(info.context) as session:
                await service.add(session, user_id, parse_id(product_id, "This product"), color)
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
        color_ids: Annotated[
            list[strawberry.ID] | None,
            strawberry.argument(
                description="The ids of the colors in which they were kept, the newest first; at most 200. Each is of "
                "one product, so the two lists need not match."
            ),
        ] = None,
    ) -> MergeWishlistResult:
        user_id, products, colors = info.context.signed_in.user_id, _readable(product_ids), _readable(color_ids or [])
        try:
            async with transaction(info.context) as session:
                await service.merge(session, user_id, products, colors)
        except refusals.InvalidInput as error:
            return InvalidInput.of(error)
        return await _wishlist(info)


async def _wishlist(info: Info) -> Wishlist:
    user_id = info.context.signed_in.user_id
    async with reading(info.context) as session:
        colors = await service.items(session, user_id)
    return Wishlist(
        id=strawberry.ID(str(user_id)),
        count=len(colors),
        limit=service.MAX_PRODUCTS,
        product_ids=[strawberry.ID(str(each)) for each in colors],
        colors=colors,
    )


def _readable(ids: Sequence[str]) -> list[UUID]:
    """The valid ids; a browser's storage may hold anything else."""
    return [readable for each in ids if (readable := readable_id(each))]

"""The cart in the GraphQL schema."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from enum import Enum
from typing import Annotated, TypeVar
from uuid import UUID

import strawberry

from server.cart import errors, queries, service
from server.cart.queries import CartContents
from server.catalog import queries as catalog
from server.catalog.types import Product, Variant
from server.config import Settings
from server.media.graphql import Image
from server.platform.core import errors as refusals
from server.platform.core import limits
from server.platform.core.context import Context, connection, reading, transaction
from server.platform.core.statements import Statements
from server.platform.core.text import parse_id
from server.platform.gql.permissions import SignedInOnly
from server.platform.gql.scalars import Money
from server.platform.gql.types import Info, InvalidInput, TooManyAttempts, UserError
from server.pricing.errors import CodeRefused

GUESSING_SECONDS = 600
"""Window of the limits on discount codes that do not exist."""
VariantId = Annotated[strawberry.ID, strawberry.argument(description="A variant's id.")]

S = TypeVar("S", bound=Statements)


@strawberry.enum(description="Why a line of the cart cannot be bought as it stands.")
class CartLineProblem(Enum):
    RETIRED = strawberry.enum_value("retired", description="The product is no longer sold.")
    SOLD_OUT = strawberry.enum_value("sold_out", description="No piece is left.")
    NOT_ENOUGH_STOCK = strawberry.enum_value("not_enough_stock", description="Fewer are left than wanted.")


@strawberry.type(description="One variant in the cart.")
class CartLine:
    id: strawberry.ID = strawberry.field(description="The variant's id: a cart has each variant once.")
    variant: Variant = strawberry.field(
        description="What would be bought. Its `stock` counts pieces that an open payment of the viewer's holds."
    )
    product: Product = strawberry.field(description="The product as it is now, even when it is no longer sold.")
    image: Image | None = strawberry.field(description="Picture of the chosen color; null when there is none.")
    quantity: int = strawberry.field(description="Pieces wanted; at least 1.")
    price: Money = strawberry.field(description="What one piece costs before any discount.")
    unit_price: Money = strawberry.field(description="What one piece costs now.")
    total: Money = strawberry.field(description="`unitPrice` times `quantity`.")
    price_when_added: Money = strawberry.field(
        description="What one piece cost when it was put in; differs from `unitPrice` when the price has changed since."
    )
    problem: CartLineProblem | None = strawberry.field(
        description="Why this line cannot be checked out; null when it can."
    )

    @classmethod
    def of(cls, line: queries.PricedCartLine, product: Product) -> "CartLine":
        """A line of the cart with its product. Raises NotFound when the variant is gone."""
        variant = product.variant(line.variant_id)
        if variant is None:
            raise refusals.NotFound("This item")
        variant = replace(variant, stock=line.available, in_stock=line.available > 0)
        pictures = variant.color.images() or product.images()
        return cls(
            id=strawberry.ID(str(line.variant_id)),
            variant=variant,
            product=product,
            image=pictures[0] if pictures else None,
            quantity=line.quantity,
            price=Money(line.price_cents),
            unit_price=Money(line.unit_price_cents),
            total=Money(line.total_cents),
            price_when_added=Money(line.seen_price_cents),
            problem=CartLineProblem(line.problem.value) if line.problem else None,
        )


@strawberry.type(description="A discount code that was typed into the cart.")
class CartDiscountCode:
    code: str = strawberry.field(description='In capitals: "WELCOME10".')
    discount: Money = strawberry.field(description="What it takes off right now; 0.00 while it does not count.")
    problem: str | None = strawberry.field(
        description="Why it does not count, in words for the shopper; null when it does."
    )

    @classmethod
    def of(cls, code: queries.CodeInCart) -> "CartDiscountCode":
        """The code in the cart."""
        return cls(code=code.code, discount=Money(code.discount_cents), problem=code.problem)


@strawberry.type(description="What the viewer wants to buy. Nothing is reserved before checkout.")
class Cart:
    id: strawberry.ID = strawberry.field(description="Opaque; a shopper has one cart for ever.")
    count: int = strawberry.field(description="Number of lines, whatever their quantities.")
    subtotal: Money = strawberry.field(description="Sum of the lines that can be bought, before shipping.")
    discount_code: CartDiscountCode | None = strawberry.field(
        description="The code that was typed; null when there is none, or the cart is empty."
    )
    can_check_out: bool = strawberry.field(description="Whether there are lines and all can be bought as they stand.")
    basket: strawberry.Private[queries.CartContents]

    @strawberry.field(description="In the order of adding. At most 90. Costs one statement, however many there are.")
    async def lines(self, info: Info) -> list[CartLine]:
        ids = list(dict.fromkeys(line.product_id for line in self.basket.lines))
        if not ids:
            return []
        async with reading(info.context) as session:
            rows = await catalog.products_by_id(session, ids)
        products = {product_id: Product.of(row) for product_id, row in rows.items()}
        return [CartLine.of(line, products[line.product_id]) for line in self.basket.lines]

    @classmethod
    def of(cls, basket: queries.CartContents) -> "Cart":
        """The cart; its products are loaded when `lines` is selected."""
        return cls(
            id=strawberry.ID(str(basket.user_id)),
            count=basket.count,
            subtotal=Money(basket.subtotal_cents),
            discount_code=CartDiscountCode.of(basket.code) if basket.code else None,
            can_check_out=basket.can_check_out,
            basket=basket,
        )


@strawberry.type(description="Fewer pieces left than wanted.")
class OutOfStock(UserError):
    variant_id: strawberry.ID = strawberry.field(description="The variant that is short.")
    available: int = strawberry.field(description="Pieces that the viewer can have.")

    @classmethod
    def of(cls, error: errors.OutOfStock) -> "OutOfStock":
        """From the service's error."""
        return cls(
            message=str(error),
            field="quantity",
            variant_id=strawberry.ID(str(error.variant_id)),
            available=error.available,
        )


@strawberry.type(description="More of one variant than one order may have.")
class TooManyPieces(UserError):
    limit: int = strawberry.field(description="Most pieces of one variant per order.")


@strawberry.type(description="The cart holds as many lines as one payment can take.")
class CartFull(UserError):
    limit: int = strawberry.field(description="Most lines that a cart may have.")


CartResult = Annotated[
    Cart | OutOfStock | TooManyPieces | CartFull | InvalidInput,
    strawberry.union(name="CartResult", description="The changed cart, or why it has not changed."),
]


@strawberry.type(description="The code cannot be used: it does not exist, has ended, or was used up.")
class DiscountCodeRefused(UserError): ...


ApplyDiscountCodeResult = Annotated[
    Cart | DiscountCodeRefused | TooManyAttempts,
    strawberry.union(name="ApplyDiscountCodeResult", description="The cart with the code, or why it has none."),
]


@strawberry.type
class CartViewerFields:
    """The cart's fields of the type Viewer."""

    @strawberry.field(description="What the viewer wants to buy; empty at first. Costs one statement.")
    async def cart(self, info: Info) -> Cart:
        async with reading(info.context) as session:
            return Cart.of(await service.get(session, info.context.signed_in.user_id))


@strawberry.type
class CartMutations:
    """Changes to the viewer's cart."""

    @strawberry.mutation(
        description="Adds to the quantity already there. A made-up variant is a NOT_FOUND error.",
        permission_classes=[SignedInOnly],
    )
    async def add_to_cart(
        self,
        info: Info,
        variant_id: VariantId,
        quantity: Annotated[int, strawberry.argument(description="Pieces to add; at least 1.")] = 1,
    ) -> CartResult:
        return await _changed(info, connection(info.context), variant_id, service.add_line, quantity)

    @strawberry.mutation(
        description="Replaces the quantity of a variant that is in the cart.", permission_classes=[SignedInOnly]
    )
    async def set_cart_quantity(
        self,
        info: Info,
        variant_id: VariantId,
        quantity: Annotated[int, strawberry.argument(description="Pieces wanted; at least 1.")],
    ) -> CartResult:
        return await _changed(info, transaction(info.context), variant_id, service.set_quantity, quantity)

    @strawberry.mutation(
        description="Takes a variant out. Taking out what is not there changes nothing.",
        permission_classes=[SignedInOnly],
    )
    async def remove_from_cart(self, info: Info, variant_id: VariantId) -> CartResult:
        async with transaction(info.context) as session:
            user_id = info.context.signed_in.user_id
            basket = await service.remove_line(session, user_id, parse_id(variant_id, "This item"))
        return Cart.of(basket)

    @strawberry.mutation(
        description="Puts a discount code into the cart, typed in whatever case, in place of any other. Ten wrong ones "
        "within ten minutes are too many.",
        permission_classes=[SignedInOnly],
    )
    async def apply_discount_code(
        self, info: Info, code: Annotated[str, strawberry.argument(description="What was typed.")]
    ) -> ApplyDiscountCodeResult:
        user_id = info.context.signed_in.user_id
        try:
            async with (
                limits.failures(info.context.sessions, CodeRefused, *_guesses(info.context)),
                transaction(info.context) as session,
            ):
                basket = await service.use_code(session, user_id, code)
        except CodeRefused as error:
            return DiscountCodeRefused(message=str(error), field=error.field)
        except refusals.TooManyRequests as error:
            return TooManyAttempts.of(error)
        return Cart.of(basket)

    @strawberry.mutation(
        description="Takes the discount code out. Without one, nothing changes.", permission_classes=[SignedInOnly]
    )
    async def remove_discount_code(self, info: Info) -> Cart:
        async with transaction(info.context) as session:
            return Cart.of(await service.drop_code(session, info.context.signed_in.user_id))


def _guesses(context: Context) -> tuple[limits.Limit, limits.Limit]:
    """Limits on wrong discount codes by account and network: codes are short words, which can be guessed."""
    settings = context.resources.get(Settings)
    of_account, of_address = settings.limits.code_failures_per_account, settings.limits.code_failures_per_address
    return (
        limits.Limit(f"code:account:{context.signed_in.user_id}", of_account, GUESSING_SECONDS),
        limits.Limit(f"code:address:{context.network}", of_address, GUESSING_SECONDS),
    )


async def _changed(
    info: Info,
    opened: AbstractAsyncContextManager[S],
    variant_id: str,
    verb: Callable[[S, UUID, UUID, int, int], Awaitable[CartContents]],
    quantity: int,
) -> CartResult:
    user_id: UUID = info.context.signed_in.user_id
    most: int = info.context.resources.get(Settings).max_pieces_per_variant
    try:
        async with opened as session:
            basket = await verb(session, user_id, parse_id(variant_id, "This item"), quantity, most)
    except refusals.InvalidInput as error:
        return InvalidInput.of(error)
    except errors.OutOfStock as error:
        return OutOfStock.of(error)
    except errors.TooManyPieces as error:
        return TooManyPieces(message=str(error), field="quantity", limit=error.limit)
    except errors.CartFull as error:
        return CartFull(message=str(error), limit=error.limit)
    return Cart.of(basket)

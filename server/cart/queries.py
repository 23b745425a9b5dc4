"""Reading a cart in one statement, with everything that a line shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any
from uuid import UUID

from sqlalchemy import Select, Uuid, bindparam, column, func, or_, select, table, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart, CartLine
from server.catalog import discounts
from server.catalog.category_queries import size_place
from server.catalog.models import Product, ProductColor, Variant
from server.platform.core import clock, money
from server.platform.core.statements import PreparedStatement, Statements
from server.pricing import codes
from server.pricing.totals import Allocation

# Items reserved by the shopper's own open checkout count as available to that shopper. Orders, above this domain, gives
# the view.
_reserved_pieces = table("reserved_pieces", *map(column, ("user_id", "is_open", "variant_id", "quantity")))
CONTENTS = """
    variant_id, product_id, category, name, sku, size, color_id, color, color_hex, available, retired, quantity,
    price_cents, discounted_price_cents, seen_price_cents, weight_grams, discount_code, fallback_image,
    image_id, alt, width, height, placeholder
"""
"""The columns of the function `cart_contents`."""
_SHOPPER = bindparam("shopper", type_=Uuid)
_WANTED = bindparam("wanted", type_=Uuid)
_RETIRED = func.coalesce(Product.retired_at, Variant.retired_at).label("retired_at")


class LineProblem(Enum):
    """Why a line cannot be bought as it is."""

    RETIRED = "retired"
    SOLD_OUT = "sold_out"
    NOT_ENOUGH_STOCK = "not_enough_stock"


@dataclass(frozen=True)
class CartLineImage:
    """A line's image: of the chosen color, or else of the product."""

    id: UUID
    alt: str
    width: int
    height: int
    placeholder: str


@dataclass(frozen=True)
class PricedCartLine:
    """One variant in a cart with its current facts; money is in cents.

    `available` includes what the shopper's own open checkout has reserved.
    """

    variant_id: UUID
    product_id: UUID
    category: str
    name: str
    sku: str
    size: str
    color_id: UUID
    color: str
    color_hex: str
    available: int
    retired: bool
    quantity: int
    price_cents: int
    discounted_price_cents: int | None
    seen_price_cents: int
    weight_grams: int
    picture: CartLineImage | None
    fallback_image: str

    @property
    def unit_price_cents(self) -> int:
        """The current price of one item."""
        return money.charged(self.price_cents, self.discounted_price_cents)

    @property
    def total_cents(self) -> int:
        """Current price times quantity."""
        return self.unit_price_cents * self.quantity

    @property
    def problem(self) -> LineProblem | None:
        """Why the line cannot be bought; None when it can."""
        if self.retired:
            return LineProblem.RETIRED
        if self.available == 0:
            return LineProblem.SOLD_OUT
        if self.available < self.quantity:
            return LineProblem.NOT_ENOUGH_STOCK
        return None


@dataclass(frozen=True)
class CodeInCart:
    """The discount code in a cart: what it takes off now, or a sentence that says why it does not apply."""

    code: str
    allocation: Allocation | None
    """By line that can be bought; None while it does not apply."""
    problem: str | None

    @property
    def discount_cents(self) -> int:
        """What it takes off now."""
        return self.allocation.total_cents if self.allocation else 0


@dataclass(frozen=True)
class CartContents:
    """A shopper's cart, in the order of adding. Its id in the API is the shopper's, who has exactly one."""

    user_id: UUID
    lines: tuple[PricedCartLine, ...]
    code: CodeInCart | None = None

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self.lines)

    @cached_property
    def available_lines(self) -> Sequence[PricedCartLine]:
        """The lines that can be bought."""
        return [line for line in self.lines if line.problem is None]

    @property
    def subtotal_cents(self) -> int:
        """Sum of the lines that can be bought."""
        return sum(line.total_cents for line in self.available_lines)

    @property
    def allocations(self) -> Sequence[Allocation]:
        """What promotions take off the lines that can be bought."""
        return [self.code.allocation] if self.code and self.code.allocation else []

    @property
    def discount_cents(self) -> int:
        """What promotions take off; 0 without one."""
        return sum(allocation.total_cents for allocation in self.allocations)

    @property
    def weight_grams(self) -> int:
        """Weight of the lines that can be bought."""
        return sum(line.weight_grams * line.quantity for line in self.available_lines)

    @property
    def can_check_out(self) -> bool:
        """Whether there are lines and all of them can be bought."""
        return bool(self.lines) and len(self.available_lines) == len(self.lines)


async def basket(session: Statements, user_id: UUID) -> CartContents:
    """The cart of a shopper, empty when none exists. A discount code costs one more statement."""
    return await contents_of(session, user_id, await _BASKET.rows(session, shopper=user_id))


async def contents_of(session: Statements, user_id: UUID, rows: Sequence[Any]) -> CartContents:
    """The cart whose rows another statement has read: those of CONTENTS."""
    contents = CartContents(user_id, tuple(_line(row) for row in rows))
    code = rows[0].discount_code if rows else None
    return replace(contents, code=await _code_in_cart(session, code, contents)) if code else contents


async def _code_in_cart(session: Statements, code: str, contents: CartContents) -> CodeInCart:
    applicable, lines = await codes.find(session, code, contents.user_id), contents.available_lines
    problem = applicable.problem(lines, clock.now())
    return CodeInCart(code, None if problem else applicable.allocate(lines), problem)


@dataclass(frozen=True)
class VariantOffer:
    """A variant as one shopper can buy it now, and how many of it are in the cart."""

    variant_id: UUID
    name: str
    available: int
    retired: bool
    unit_price_cents: int
    in_cart: int | None


async def offer(session: AsyncSession, user_id: UUID, variant_id: UUID) -> VariantOffer | None:
    """The variant for this shopper; None when it does not exist."""
    rows = await _OFFER.rows(session, shopper=user_id, wanted=variant_id)
    if not rows:
        return None
    [row] = rows
    price = money.charged(row.price_cents, row.discounted_price_cents)
    return VariantOffer(row.id, row.name, row.available, row.retired_at is not None, price, row.in_cart)


@dataclass(frozen=True)
class VariantChoice:
    """One of a product's variants, for finding the one that size and color mean."""

    variant_id: UUID
    color: str
    color_hex: str
    size: str
    stock: int


async def choices(session: Statements, product_id: UUID) -> list[VariantChoice]:
    """The variants of a product on sale, first color and smallest size first; empty when it is not on sale."""
    return [VariantChoice(*row) for row in await _CHOICES.rows(session, product=product_id)]


async def variants_in_cart(session: AsyncSession, user_id: UUID, known_as: UUID) -> list[UUID]:
    """The variants in the cart that an id stands for: the variant with that id, or all of that product."""
    rows = await session.scalars(
        select(CartLine.variant_id)
        .join(Cart, Cart.id == CartLine.cart_id)
        .join(Variant, Variant.id == CartLine.variant_id)
        .where(Cart.user_id == user_id, or_(Variant.id == known_as, Variant.product_id == known_as))
    )
    return list(rows)


def _held() -> Select[tuple[UUID, int]]:
    held = _reserved_pieces.c
    return select(held.variant_id, held.quantity).where(held.user_id == _SHOPPER, held.is_open)


def _offer() -> Select[*tuple[Any, ...]]:
    held = _held().subquery()
    in_cart = (
        select(CartLine.quantity)
        .join(Cart, Cart.id == CartLine.cart_id)
        .where(Cart.user_id == _SHOPPER, CartLine.variant_id == _WANTED)
        .scalar_subquery()
    )
    return (
        select(
            Variant.id,
            Product.name,
            (Variant.stock + func.coalesce(held.c.quantity, 0)).label("available"),
            _RETIRED,
            Product.price_cents,
            discounts.in_force().label("discounted_price_cents"),
            in_cart.label("in_cart"),
        )
        .join(Product, Product.id == Variant.product_id)
        .outerjoin(held, held.c.variant_id == Variant.id)
        .where(Variant.id == _WANTED)
    )


def _choices() -> Select[*tuple[Any, ...]]:
    return (
        select(Variant.id, ProductColor.name, ProductColor.hex, Variant.size, Variant.stock)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(
            Product.id == bindparam("product", type_=Uuid), Product.retired_at.is_(None), Variant.retired_at.is_(None)
        )
        .order_by(
            ProductColor.position,
            ProductColor.id,
            size_place(Variant.size),
        )
    )


def _line(row: Any) -> PricedCartLine:
    picture = None
    if row.image_id is not None:
        picture = CartLineImage(row.image_id, row.alt, row.width, row.height, row.placeholder)
    return PricedCartLine(
        variant_id=row.variant_id,
        product_id=row.product_id,
        category=row.category,
        name=row.name,
        sku=row.sku,
        size=row.size,
        color_id=row.color_id,
        color=row.color,
        color_hex=row.color_hex,
        available=row.available,
        retired=row.retired,
        quantity=row.quantity,
        price_cents=row.price_cents,
        discounted_price_cents=row.discounted_price_cents,
        seen_price_cents=row.seen_price_cents,
        picture=picture,
        fallback_image=row.fallback_image,
        weight_grams=row.weight_grams,
    )


# Built once: to build one anew takes longer than PostgreSQL does to answer it.
_BASKET = PreparedStatement(text(f"SELECT {CONTENTS} FROM cart_contents(:shopper)"))  # noqa: S608 - names of columns
_OFFER = PreparedStatement(_offer())
_CHOICES = PreparedStatement(_choices())

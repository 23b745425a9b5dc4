"""Reading a cart: one statement, with everything that a line shows."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any
from uuid import UUID

from sqlalchemy import FromClause, Select, column, func, or_, select, table, true
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart.models import Cart, CartLine
from server.catalog import discounts
from server.catalog.models import SIZES, Product, ProductColor, ProductImage, Variant
from server.core import money
from server.media.models import Image
from server.pricing import codes

# Pieces that the shopper holds for a payment of their own are still theirs to have in the cart. Checkouts belong to
# orders, above this domain, so they are named here and not imported.
_checkouts = table("checkouts", column("id"), column("user_id"), column("status"))
_checkout_lines = table("checkout_lines", column("checkout_id"), column("variant_id"), column("quantity"))
_RETIRED = func.coalesce(Product.retired_at, Variant.retired_at).label("retired_at")


class LineProblem(Enum):
    """Why a line cannot be bought as it stands."""

    RETIRED = "retired"
    SOLD_OUT = "sold_out"
    NOT_ENOUGH_STOCK = "not_enough_stock"


@dataclass(frozen=True)
class CartLineImage:
    """The picture of a line: of the chosen color when there is one."""

    id: UUID
    alt: str
    width: int
    height: int
    placeholder: str


@dataclass(frozen=True)
class PricedCartLine:
    """One variant in a cart with its present facts. `available` counts what the shopper's own open payment holds."""

    variant_id: UUID
    product_id: UUID
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
        """What one piece costs now."""
        return money.charged(self.price_cents, self.discounted_price_cents)

    @property
    def total_cents(self) -> int:
        return self.unit_price_cents * self.quantity

    @property
    def problem(self) -> LineProblem | None:
        if self.retired:
            return LineProblem.RETIRED
        if self.available == 0:
            return LineProblem.SOLD_OUT
        if self.available < self.quantity:
            return LineProblem.NOT_ENOUGH_STOCK
        return None


@dataclass(frozen=True)
class CodeInCart:
    """A discount code that was typed: what it takes off right now, or a sentence why it does not count."""

    words: str
    discount_cents: int
    problem: str | None


@dataclass(frozen=True)
class CartContents:
    """A shopper's cart, in the order of adding. A shopper has exactly one, so it goes by the shopper's id."""

    user_id: UUID
    lines: tuple[PricedCartLine, ...]
    code: CodeInCart | None = None

    @property
    def count(self) -> int:
        return len(self.lines)

    @property
    def subtotal_cents(self) -> int:
        """Sum of the lines that can be bought."""
        return sum(line.total_cents for line in self.lines if line.problem is None)

    @property
    def discount_cents(self) -> int:
        return self.code.discount_cents if self.code else 0

    @property
    def weight_grams(self) -> int:
        """Of the lines that can be bought."""
        return sum(line.weight_grams * line.quantity for line in self.lines if line.problem is None)

    @property
    def can_check_out(self) -> bool:
        return bool(self.lines) and all(line.problem is None for line in self.lines)


async def basket(session: AsyncSession, user_id: UUID) -> CartContents:
    """Empty for a shopper who has never put anything in. A discount code in it costs a statement more."""
    held = _held_by(user_id).subquery()
    picture = _first_picture()
    rows = await session.execute(
        select(
            CartLine.variant_id,
            CartLine.quantity,
            CartLine.seen_price_cents,
            Variant.product_id,
            Variant.sku,
            Variant.size,
            Variant.color_id,
            ProductColor.name.label("color"),
            ProductColor.hex.label("color_hex"),
            (Variant.stock + func.coalesce(held.c.quantity, 0)).label("available"),
            Product.name,
            Product.price_cents,
            discounts.in_force().label("discounted_price_cents"),
            _RETIRED,
            Product.image,
            Product.weight_grams,
            Cart.discount_code,
            picture,
        )
        .select_from(CartLine)
        .join(Cart, Cart.id == CartLine.cart_id)
        .join(Variant, Variant.id == CartLine.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .outerjoin(held, held.c.variant_id == CartLine.variant_id)
        .outerjoin(picture, true())
        .where(Cart.user_id == user_id)
        .order_by(CartLine.added_at, CartLine.variant_id)
    )
    found = rows.all()
    lines = tuple(_line(row) for row in found)
    words = found[0].discount_code if found else None
    code = await _code(session, words, user_id, CartContents(user_id, lines).subtotal_cents) if words else None
    return CartContents(user_id, lines, code)


def _first_picture() -> FromClause:
    """Of a line's color, or else of the product as a whole."""
    return (
        select(
            ProductImage.image_id,
            ProductImage.alt,
            Image.width,
            Image.height,
            Image.placeholder,
        )
        .join(Image, Image.id == ProductImage.image_id)
        .where(
            ProductImage.product_id == Product.id,
            or_(ProductImage.color_id == Variant.color_id, ProductImage.color_id.is_(None)),
        )
        .order_by(ProductImage.color_id.is_(None), ProductImage.position, ProductImage.id)
        .limit(1)
        .correlate(Product, Variant)
        .lateral("picture")
    )


async def _code(session: AsyncSession, words: str, user_id: UUID, subtotal_cents: int) -> CodeInCart:
    code = await codes.find(session, words, user_id)
    problem = code.problem(subtotal_cents, datetime.now(UTC))
    return CodeInCart(words, 0 if problem else code.discount_cents(subtotal_cents), problem)


@dataclass(frozen=True)
class VariantOffer:
    """A variant as one shopper can have it now, and how many of it are in the cart already."""

    variant_id: UUID
    name: str
    available: int
    retired: bool
    unit_price_cents: int
    in_cart: int | None


async def offer(session: AsyncSession, user_id: UUID, variant_id: UUID) -> VariantOffer | None:
    held = _held_by(user_id).subquery()
    in_cart = (
        select(CartLine.quantity)
        .join(Cart, Cart.id == CartLine.cart_id)
        .where(Cart.user_id == user_id, CartLine.variant_id == variant_id)
        .scalar_subquery()
    )
    row = (
        await session.execute(
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
            .where(Variant.id == variant_id)
        )
    ).one_or_none()
    if row is None:
        return None
    price = money.charged(row.price_cents, row.discounted_price_cents)
    return VariantOffer(row.id, row.name, row.available, row.retired_at is not None, price, row.in_cart)


@dataclass(frozen=True)
class VariantChoice:
    """A variant among those of its product."""

    variant_id: UUID
    color: str
    color_hex: str
    size: str
    stock: int


async def choices(session: AsyncSession, product_id: UUID) -> list[VariantChoice]:
    """The variants of a product on sale, first color and smallest size first; none when it is not sold."""
    rows = await session.execute(
        select(Variant.id, ProductColor.name, ProductColor.hex, Variant.size, Variant.stock)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(Product.id == product_id, Product.retired_at.is_(None), Variant.retired_at.is_(None))
        .order_by(
            ProductColor.position,
            ProductColor.id,
            func.array_position(pg.array(SIZES), Variant.size),
        )
    )
    return [VariantChoice(*row) for row in rows]


async def variants_in_cart(session: AsyncSession, user_id: UUID, known_as: UUID) -> list[UUID]:
    """The lines that an id stands for: the variant with it, or every variant of the product with it."""
    rows = await session.scalars(
        select(CartLine.variant_id)
        .join(Cart, Cart.id == CartLine.cart_id)
        .join(Variant, Variant.id == CartLine.variant_id)
        .where(Cart.user_id == user_id, or_(Variant.id == known_as, Variant.product_id == known_as))
    )
    return list(rows)


def _held_by(user_id: UUID) -> Select[tuple[UUID, int]]:
    return (
        select(_checkout_lines.c.variant_id, _checkout_lines.c.quantity)
        .join(_checkouts, _checkouts.c.id == _checkout_lines.c.checkout_id)
        .where(_checkouts.c.user_id == user_id, _checkouts.c.status == "open")
    )


def _line(row: Any) -> PricedCartLine:
    picture = None
    if row.image_id is not None:
        picture = CartLineImage(row.image_id, row.alt, row.width, row.height, row.placeholder)
    return PricedCartLine(
        variant_id=row.variant_id,
        product_id=row.product_id,
        name=row.name,
        sku=row.sku,
        size=row.size,
        color_id=row.color_id,
        color=row.color,
        color_hex=row.color_hex,
        available=row.available,
        retired=row.retired_at is not None,
        quantity=row.quantity,
        price_cents=row.price_cents,
        discounted_price_cents=row.discounted_price_cents,
        seen_price_cents=row.seen_price_cents,
        picture=picture,
        fallback_image=row.image,
        weight_grams=row.weight_grams,
    )

"""Reads of inventory: stock levels, open reservations, and the stock ledger."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, Integer, Select, false, func, literal, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from server.catalog.models import Product, ProductColor, ProductImage, StockMovement, Variant
from server.catalog.queries import SEARCHED_NAME
from server.media.models import Image
from server.orders.models import Checkout, CheckoutLine, Order
from server.orders.states import HOLDING, CheckoutStatus
from server.platform.core.text import like_literal, search_terms


@dataclass(frozen=True)
class StockedVariant:
    """A variant with the names that admins use."""

    variant_id: UUID
    product_id: UUID
    name: str
    color: str
    hex: str
    size: str
    sku: str
    is_retired: bool


@dataclass(frozen=True)
class StockItemImage:
    """A variant's image: of its color, or else of its product."""

    image_id: UUID
    width: int
    height: int
    placeholder: str
    alt: str


@dataclass(frozen=True)
class VariantStock:
    """`stock` can be bought; `reserved` is held by open checkouts and not part of it."""

    item: StockedVariant
    stock: int
    reserved: int
    picture: StockItemImage | None


@dataclass(frozen=True)
class LedgerEntry:
    """A movement of the ledger with the balance after it."""

    item: StockedVariant
    id: UUID
    at: datetime
    quantity: int
    balance: int
    reason: str
    note: str
    order_id: UUID | None
    order_number: str | None
    actor_email: str


@dataclass(frozen=True)
class OpenReservation:
    """Items of one variant reserved by one checkout."""

    item: StockedVariant
    checkout_id: UUID
    email: str
    quantity: int
    since: datetime
    until: datetime
    is_paid: bool
    """The payment is confirmed and processing."""


class StockLevelSort(Enum):
    """The order of stock levels; equal ones are ordered by SKU."""

    SKU = "sku"
    LEAST = "least"
    MOST = "most"


@dataclass(frozen=True)
class StockLevelFilter:
    """Which levels. `at_most` is the highest stock; `search` is part of a name, or the beginning of a SKU."""

    search: str = ""
    at_most: int | None = None
    gender: str | None = None
    include_retired: bool = False


@dataclass(frozen=True)
class MovementFilter:
    """Which movements. `search` is an order number, part of a name, or the beginning of a SKU."""

    variant_id: UUID | None = None
    reasons: Sequence[str] = ()
    search: str = ""


class StockCounts(NamedTuple):
    """Counts for the tabs of the screen."""

    low: int
    sold_out: int
    reserved: int


_ITEM: dict[str, Any] = {
    "variant_id": Variant.id,
    "product_id": Product.id,
    "name": Product.name,
    "color": ProductColor.name,
    "hex": ProductColor.hex,
    "size": Variant.size,
    "sku": Variant.sku,
    "is_retired": or_(Product.retired_at.is_not(None), Variant.retired_at.is_not(None)),
}
_ITEM_COLUMNS: tuple[Any, ...] = tuple(value.label(name) for name, value in _ITEM.items())
_ON_OFFER = (Product.retired_at.is_(None), Variant.retired_at.is_(None))
_HELD = (
    select(CheckoutLine.variant_id, func.sum(CheckoutLine.quantity, type_=Integer).label("pieces"))
    .join(Checkout, Checkout.id == CheckoutLine.checkout_id)
    .where(Checkout.status.in_(HOLDING))
    .group_by(CheckoutLine.variant_id)
    .subquery("held")
)
_PICTURE = (
    select(Image.id.label("image_id"), Image.width, Image.height, Image.placeholder, ProductImage.alt)
    .join(ProductImage, ProductImage.image_id == Image.id)
    .where(ProductImage.product_id == Product.id)
    .order_by((ProductImage.color_id == Variant.color_id).desc().nulls_last(), ProductImage.position)
    .limit(1)
    .correlate(Product, Variant)
    .lateral("picture")
)


async def levels(
    session: AsyncSession,
    criteria: StockLevelFilter,
    sort: StockLevelSort,
    first: int,
    after: tuple[int, str] | None = None,
) -> list[VariantStock]:
    """At most `first` levels, starting behind the (stock, SKU) of `after`."""
    query = _levels().where(*_conditions(criteria)).limit(first)
    match sort:
        case StockLevelSort.SKU:
            query = query.order_by(Variant.sku)
            behind: ColumnElement[bool] = Variant.sku > (after[1] if after else "")
        case StockLevelSort.LEAST:
            query = query.order_by(Variant.stock, Variant.sku)
            behind = tuple_(Variant.stock, Variant.sku) > (after or (-1, ""))
        case StockLevelSort.MOST:
            query = query.order_by(Variant.stock.desc(), Variant.sku)
            stock, sku = after or (0, "")
            behind = or_(Variant.stock < stock, (Variant.stock == stock) & (Variant.sku > sku))
    if after:
        query = query.where(behind)
    return [_level(row) for row in await session.execute(query)]


async def count_levels(session: AsyncSession, criteria: StockLevelFilter) -> int:
    """How many levels match."""
    query = _of_variants(select(func.count())).where(*_conditions(criteria))
    return await session.scalar(query) or 0


async def levels_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, VariantStock]:
    """Levels by variant id; unknown ids are missing."""
    rows = await session.execute(_levels().where(Variant.id.in_(ids)))
    return {level.item.variant_id: level for level in map(_level, rows)}


async def movements(
    session: AsyncSession, criteria: MovementFilter, first: int | None = None, after: UUID | None = None
) -> list[LedgerEntry]:
    """Movements, newest first: at most `first`, starting behind the id `after`."""
    earlier = aliased(StockMovement)
    balance = select(func.sum(earlier.quantity, type_=Integer)).where(
        earlier.variant_id == StockMovement.variant_id, earlier.id <= StockMovement.id
    )
    query = (
        _of_movements(
            select(
                *_ITEM_COLUMNS,
                StockMovement,
                balance.correlate(StockMovement).scalar_subquery().label("balance"),
                Order.number.label("order_number"),
            )
        )
        .where(*_movement_conditions(criteria))
        .order_by(StockMovement.id.desc())
        .limit(first)
    )
    if after is not None:
        query = query.where(StockMovement.id < after)
    return [_movement(row) for row in await session.execute(query)]


async def count_movements(session: AsyncSession, criteria: MovementFilter) -> int:
    """How many movements match."""
    return await session.scalar(_of_movements(select(func.count())).where(*_movement_conditions(criteria))) or 0


async def reservations(
    session: AsyncSession, search: str = "", first: int | None = None, after: tuple[UUID, UUID] | None = None
) -> list[OpenReservation]:
    """Reservations, oldest first: at most `first`, starting behind the (checkout, variant) of `after`."""
    query = (
        _of_reservations(select(*_ITEM_COLUMNS, Checkout, CheckoutLine.quantity))
        .where(*_reserved(search))
        .order_by(Checkout.id, Variant.id)
        .limit(first)
    )
    if after is not None:
        query = query.where(tuple_(Checkout.id, Variant.id) > after)
    return [_reservation(row) for row in await session.execute(query)]


async def count_reservations(session: AsyncSession, search: str = "") -> int:
    """How many reservations match."""
    return await session.scalar(_of_reservations(select(func.count())).where(*_reserved(search))) or 0


async def counts(session: AsyncSession, threshold: int) -> StockCounts:
    """Counts of variants on sale at `threshold` or below, and at zero; and of items reserved by open checkouts."""
    on_offer = select(func.count()).join(Product, Product.id == Variant.product_id).where(*_ON_OFFER)
    row = (
        await session.execute(
            select(
                on_offer.select_from(Variant).where(Variant.stock <= threshold).scalar_subquery(),
                on_offer.select_from(Variant).where(Variant.stock == 0).scalar_subquery(),
                select(func.coalesce(func.sum(_HELD.c.pieces), 0)).scalar_subquery(),
            )
        )
    ).one()
    return StockCounts(*map(int, row))


async def differences(session: AsyncSession) -> dict[UUID, int]:
    """Variants whose ledger does not add up to stock plus reservations, with the difference; always empty."""
    ledger = (
        select(StockMovement.variant_id, func.sum(StockMovement.quantity, type_=Integer).label("pieces"))
        .group_by(StockMovement.variant_id)
        .subquery("ledger")
    )
    there = Variant.stock + func.coalesce(_HELD.c.pieces, 0)
    missing = there - func.coalesce(ledger.c.pieces, 0)
    query = (
        select(Variant.id, missing)
        .outerjoin(ledger, ledger.c.variant_id == Variant.id)
        .outerjoin(_HELD, _HELD.c.variant_id == Variant.id)
        .where(missing != 0)
    )
    return {row[0]: row[1] for row in await session.execute(query)}


def _levels() -> Select[*tuple[Any, ...]]:
    return (
        _of_variants(
            select(*_ITEM_COLUMNS, Variant.stock, func.coalesce(_HELD.c.pieces, 0).label("reserved"), *_PICTURE.c)
        )
        .outerjoin(_HELD, _HELD.c.variant_id == Variant.id)
        .outerjoin(_PICTURE, literal(True))
    )


def _of_variants(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return (
        query.select_from(Variant)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
    )


def _of_movements(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return (
        query.select_from(StockMovement)
        .join(Variant, Variant.id == StockMovement.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .outerjoin(Order, Order.id == StockMovement.order_id)
    )


def _of_reservations(query: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    return (
        query.select_from(Checkout)
        .join(CheckoutLine, CheckoutLine.checkout_id == Checkout.id)
        .join(Variant, Variant.id == CheckoutLine.variant_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
    )


def _conditions(criteria: StockLevelFilter) -> list[ColumnElement[bool]]:
    conditions = _named(criteria.search)
    if criteria.at_most is not None:
        conditions.append(Variant.stock <= criteria.at_most)
    if criteria.gender:
        conditions.append(Product.gender == criteria.gender)
    if not criteria.include_retired:
        conditions += _ON_OFFER
    return conditions


def _movement_conditions(criteria: MovementFilter) -> list[ColumnElement[bool]]:
    conditions = _named(criteria.search, _numbered(criteria.search))
    if criteria.variant_id is not None:
        conditions.append(StockMovement.variant_id == criteria.variant_id)
    if criteria.reasons:
        conditions.append(StockMovement.reason.in_(criteria.reasons))
    return conditions


def _reserved(search: str) -> list[ColumnElement[bool]]:
    return [
        Checkout.status.in_(HOLDING),
        *_named(search, Checkout.email.icontains(search_terms(search), autoescape=True)),
    ]


def _named(search: str, *otherwise: ColumnElement[bool]) -> list[ColumnElement[bool]]:
    """Variants whose SKU begins with the text or whose product's name contains it, ignoring case and accents."""
    words = search_terms(search)
    if not words:
        return []
    name = SEARCHED_NAME.contains(func.search_text(like_literal(words)))
    return [or_(Variant.sku.istartswith(words, autoescape=True), name, *otherwise)]


def _numbered(search: str) -> ColumnElement[bool]:
    digits = search.strip().upper().removeprefix("M-")
    return Order.number == int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 19 else false()


def _item(row: Any) -> StockedVariant:
    return StockedVariant(**{name: getattr(row, name) for name in _ITEM})


def _level(row: Any) -> VariantStock:
    picture = {each.name: getattr(row, each.name) for each in _PICTURE.c}
    return VariantStock(
        item=_item(row),
        stock=row.stock,
        reserved=row.reserved,
        picture=StockItemImage(**picture) if row.image_id else None,
    )


def _movement(row: Any) -> LedgerEntry:
    movement: StockMovement = row.StockMovement
    return LedgerEntry(
        item=_item(row),
        id=movement.id,
        at=movement.created_at,
        quantity=movement.quantity,
        balance=row.balance,
        reason=movement.reason,
        note=movement.note,
        order_id=movement.order_id,
        order_number=None if row.order_number is None else f"M-{row.order_number}",
        actor_email=movement.actor_email,
    )


def _reservation(row: Any) -> OpenReservation:
    checkout: Checkout = row.Checkout
    return OpenReservation(
        item=_item(row),
        checkout_id=checkout.id,
        email=checkout.email,
        quantity=row.quantity,
        since=checkout.created_at,
        until=checkout.expires_at,
        is_paid=checkout.status == CheckoutStatus.PROCESSING,
    )

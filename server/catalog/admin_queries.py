"""Reads of the back office: the list of all products, and one product with everything its editor shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Uuid,
    case,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    union,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.category_queries import size_place
from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.queries import SEARCHED_NAME, ProductRow, products_by_id
from server.catalog.views import reserved_pieces, sold_pieces
from server.media.models import Image
from server.platform.core.text import like_literal


@dataclass(frozen=True)
class AdminListFilter:
    """Members combine with AND; empty ones and False do not filter.

    `words` is part of a name or the beginning of a SKU.
    """

    gender: str | None = None
    on_sale: bool = False
    sold_out: bool = False
    without_picture: bool = False
    include_retired: bool = False
    retired: bool = False
    """Only products that are no longer on sale."""
    words: str = ""


class AdminListSort(Enum):
    """Orders of the list; among equals the newer product comes first."""

    NEWEST = "newest"
    OLDEST = "oldest"
    NAME = "name"
    CHEAPEST = "cheapest"
    DEAREST = "dearest"
    BEST_SOLD = "best_sold"
    CHANGED = "changed"


_KEYS: dict[AdminListSort, tuple[Any, bool]] = {
    AdminListSort.NEWEST: (Product.created_at, True),
    AdminListSort.OLDEST: (Product.created_at, False),
    AdminListSort.NAME: (Product.name, False),
    AdminListSort.CHEAPEST: (Product.charged_cents, False),
    AdminListSort.DEAREST: (Product.charged_cents, True),
    AdminListSort.BEST_SOLD: (Product.popularity, True),
    AdminListSort.CHANGED: (Product.updated_at, True),
}

Key = str | int | datetime
Place = tuple[Key, UUID]
"""Sort key and id of the row behind which a page begins."""


class AdminListPage(NamedTuple):
    """One page of products; `places` are the sort keys of its rows."""

    rows: list[ProductRow]
    places: list[Place]
    has_next: bool


async def page(
    session: AsyncSession, criteria: AdminListFilter, sort: AdminListSort, first: int, after: Place | None = None
) -> AdminListPage:
    """At most `first` products behind the place; two statements."""
    key, falling = _KEYS[sort]
    query = select(Product.id, key).where(*conditions(criteria)).limit(first + 1)
    query = query.order_by(*((key.desc(), Product.id.desc()) if falling else (key, Product.id)))
    if after is not None:
        here, place = tuple_(key, Product.id), tuple_(literal(after[0], key.type), literal(after[1], Uuid()))
        query = query.where(here < place if falling else here > place)
    matches = (await session.execute(query)).all()
    shown = matches[:first]
    rows = await products_by_id(session, [row.id for row in shown])
    # A product can be deleted between the two statements.
    there = [row for row in shown if row.id in rows]
    return AdminListPage([rows[row.id] for row in there], [(row[1], row.id) for row in there], len(matches) > first)


async def total(session: AsyncSession, criteria: AdminListFilter) -> int:
    """How many products match."""
    return await session.scalar(select(func.count()).select_from(Product).where(*conditions(criteria))) or 0


async def matching_ids(session: AsyncSession, criteria: AdminListFilter, limit: int) -> list[UUID]:
    """Ids of the matching products, at most `limit`."""
    return list(
        await session.scalars(select(Product.id).where(*conditions(criteria)).order_by(Product.id).limit(limit))
    )


def conditions(criteria: AdminListFilter) -> list[ColumnElement[bool]]:
    """The filter as SQL conditions."""
    clauses: list[ColumnElement[bool]] = []
    if criteria.retired:
        clauses.append(Product.retired_at.is_not(None))
    elif not criteria.include_retired:
        clauses.append(Product.retired_at.is_(None))
    if criteria.gender:
        clauses.append(Product.gender == criteria.gender)
    if criteria.on_sale:
        clauses.append(Product.is_on_sale.is_(True))
    if criteria.sold_out:
        left = (Variant.product_id == Product.id, Variant.stock > 0, Variant.retired_at.is_(None))
        clauses.append(~select(Variant.id).where(*left).exists())
    if criteria.without_picture:
        clauses.append(~select(ProductImage.id).where(ProductImage.product_id == Product.id).exists())
    if criteria.words:
        clauses.append(Product.id.in_(_named(criteria.words)))
    return clauses


def _named(words: str) -> Any:
    plain = like_literal(words)
    by_name = select(Product.id).where(SEARCHED_NAME.contains(func.search_text(plain)))
    by_sku = select(Variant.product_id).where(or_(*(Variant.sku.like(f"{each}%") for each in {plain, plain.upper()})))
    return union(by_name, by_sku)


class ColorDetails(NamedTuple):
    """A color with the number of its items sold."""

    id: UUID
    name: str
    hex: str
    retired_at: datetime | None
    sold: int


class VariantDetails(NamedTuple):
    """A variant with the numbers of its items in stock, reserved and sold."""

    id: UUID
    color_id: UUID
    size: str
    sku: str
    stock: int
    reserved: int
    sold: int
    retired_at: datetime | None


class ImageDetails(NamedTuple):
    """An image of a product; `color_id` None means for all colors."""

    image_id: UUID
    color_id: UUID | None
    alt: str
    width: int
    height: int
    placeholder: str


@dataclass(frozen=True)
class ProductDetails:
    """A product with everything its editor shows, retired parts included. `changed_by` is empty when unknown."""

    product: Product
    colors: list[ColorDetails]
    variants: list[VariantDetails]
    pictures: list[ImageDetails]
    sold: int
    revenue_cents: int
    reserved: int
    reserved_since: datetime | None
    changed_at: datetime
    changed_by: str


async def sheet(session: AsyncSession, product_id: UUID) -> ProductDetails | None:
    """The product's details, None when it does not exist; five statements."""
    product = await session.get(Product, product_id)
    if product is None:
        return None
    totals = await _totals(session, product_id)
    changed = await _last_change(session, product_id)
    variants = await _variants(session, product_id)
    return ProductDetails(
        product=product,
        colors=await _colors(session, product_id, variants),
        variants=variants,
        pictures=await _pictures(session, product_id),
        sold=int(totals.sold),
        revenue_cents=int(totals.revenue),
        reserved=int(totals.reserved),
        reserved_since=totals.reserved_since,
        changed_at=changed[0] if changed else product.updated_at,
        changed_by=changed[1] if changed else "",
    )


async def _totals(session: AsyncSession, product_id: UUID) -> Any:
    sold = (
        select(
            func.coalesce(func.sum(sold_pieces.c.quantity), 0).label("sold"),
            func.coalesce(func.sum(sold_pieces.c.quantity * sold_pieces.c.unit_price_cents), 0).label("revenue"),
        )
        .where(sold_pieces.c.product_id == product_id)
        .subquery()
    )
    held = (
        select(
            func.coalesce(func.sum(reserved_pieces.c.quantity), 0).label("reserved"),
            func.min(reserved_pieces.c.created_at).label("reserved_since"),
        )
        .where(reserved_pieces.c.product_id == product_id)
        .subquery()
    )
    return (await session.execute(select(sold, held).join_from(sold, held, true()))).one()


async def _last_change(session: AsyncSession, product_id: UUID) -> Any:
    own = select(AuditEntry.created_at, AuditEntry.actor_email)
    own = own.where(AuditEntry.subject_kind == "product", AuditEntry.subject_id == str(product_id))
    return (await session.execute(own.order_by(AuditEntry.created_at.desc(), AuditEntry.id.desc()).limit(1))).first()


def _sum_of(pieces: Any, *which: ColumnElement[bool]) -> ScalarSelect[int]:
    return (
        select(func.coalesce(func.sum(pieces.c.quantity), 0))
        .where(pieces.c.variant_id == Variant.id, *which)
        .correlate(Variant)
        .scalar_subquery()
    )


async def _variants(session: AsyncSession, product_id: UUID) -> list[VariantDetails]:
    rows = await session.execute(
        select(
            Variant.id,
            Variant.color_id,
            Variant.size,
            Variant.sku,
            Variant.stock,
            _sum_of(reserved_pieces).label("reserved"),
            _sum_of(sold_pieces, sold_pieces.c.product_id == product_id).label("sold"),
            Variant.retired_at,
        )
        .join(Product, Product.id == Variant.product_id)
        .where(Variant.product_id == product_id)
        .order_by(Variant.color_id, size_place(Variant.size))
    )
    return [VariantDetails(**row._asdict()) for row in rows]


async def _colors(session: AsyncSession, product_id: UUID, variants: Sequence[VariantDetails]) -> list[ColorDetails]:
    rows = await session.execute(
        select(ProductColor.id, ProductColor.name, ProductColor.hex, ProductColor.retired_at)
        .where(ProductColor.product_id == product_id)
        .order_by(case((ProductColor.retired_at.is_(None), 0), else_=1), ProductColor.position, ProductColor.id)
    )
    sold: dict[UUID, int] = {}
    for variant in variants:
        sold[variant.color_id] = sold.get(variant.color_id, 0) + variant.sold
    return [ColorDetails(**row._asdict(), sold=sold.get(row.id, 0)) for row in rows]


async def _pictures(session: AsyncSession, product_id: UUID) -> list[ImageDetails]:
    rows = await session.execute(
        select(
            ProductImage.image_id, ProductImage.color_id, ProductImage.alt, Image.width, Image.height, Image.placeholder
        )
        .join(Image, Image.id == ProductImage.image_id)
        .outerjoin(ProductColor, ProductColor.id == ProductImage.color_id)
        .where(ProductImage.product_id == product_id)
        .where(or_(ProductColor.id.is_(None), ProductColor.retired_at.is_(None)))
        .order_by(ProductImage.position, ProductImage.id)
    )
    return [ImageDetails(**row._asdict()) for row in rows]


async def products_by_category(session: AsyncSession) -> dict[str, int]:
    """How many products are on offer in each category that has some, by its key."""
    rows = await session.execute(
        select(Product.category, func.count()).where(Product.retired_at.is_(None)).group_by(Product.category)
    )
    return {category: count for category, count in rows.all()}  # noqa: C416 - a row is no pair for mypy

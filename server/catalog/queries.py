"""Catalogue reads: one statement a page, with colors, pictures and variants aggregated beside each product.

Rows are plain and ready for the wire: ids are text, amounts whole cents.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Row,
    ScalarSelect,
    Text,
    Uuid,
    any_,
    case,
    distinct,
    func,
    literal,
    literal_column,
    select,
    tuple_,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.lists import Cursor, Facets, ProductCriteria, ProductListSort
from server.catalog.models import SIZES, SUBCATEGORIES, Product, ProductColor, ProductImage, Variant
from server.media.models import Image


class ColorRow(NamedTuple):
    id: str
    name: str
    hex: str


class PictureRow(NamedTuple):
    """A picture of one color, or of every color when `color_id` is None."""

    image_id: str
    color_id: str | None
    alt: str
    width: int
    height: int
    placeholder: str


class VariantRow(NamedTuple):
    id: str
    color_id: str
    size: str
    sku: str
    stock: int


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A product with everything that a list or its own page shows.

    Colors are in the shop's order, pictures and variants in the order of their colors, sizes from small to large.
    `discounted_price_cents` and `discount_percentage` are set only when the discount counts.
    """

    id: str
    name: str
    title: str
    subtitle: str
    description: str
    details: list[dict[str, str]]
    gender: str
    subcategory: str
    price_cents: int
    discounted_price_cents: int | None
    discount_percentage: int | None
    charged_cents: int
    fallback_image: str
    popularity: int
    created_at: datetime
    retired_at: datetime | None
    colors: list[ColorRow]
    pictures: list[PictureRow]
    variants: list[VariantRow]

    @property
    def category(self) -> str:
        return f"{self.gender}_{self.subcategory}"

    @property
    def stock(self) -> int:
        return sum(variant.stock for variant in self.variants)

    @property
    def sizes(self) -> list[str]:
        made = {variant.size for variant in self.variants}
        return [size for size in SIZES if size in made]

    def pictures_of(self, color_id: str) -> list[PictureRow]:
        """The color's own pictures, then those that show every color."""
        own = [picture for picture in self.pictures if picture.color_id == color_id]
        return own + [picture for picture in self.pictures if picture.color_id is None]


class ProductPage(NamedTuple):
    rows: list[ProductRow]
    has_next: bool


class CategoryRow(NamedTuple):
    gender: str
    subcategory: str
    products: int


SEARCHED_NAME: ColumnElement[str] = func.search_text(literal_column("(products.name || ' ') || products.subtitle"))
"""Spelled as in the trigram index."""


def _gathered(*parts: Any, order_by: Sequence[Any]) -> Any:
    return func.json_agg(aggregate_order_by(func.json_build_array(*parts), *order_by), type_=JSON)


_COLORS = (
    select(
        _gathered(
            ProductColor.id, ProductColor.name, ProductColor.hex, order_by=(ProductColor.position, ProductColor.id)
        )
    )
    .where(ProductColor.product_id == Product.id, ProductColor.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_PICTURES = (
    select(
        _gathered(
            Image.id,
            ProductImage.color_id,
            ProductImage.alt,
            Image.width,
            Image.height,
            Image.placeholder,
            order_by=(ProductColor.position.nulls_last(), ProductImage.position, ProductImage.id),
        )
    )
    .select_from(ProductImage)
    .join(Image, Image.id == ProductImage.image_id)
    .outerjoin(ProductColor, ProductColor.id == ProductImage.color_id)
    .where(ProductImage.product_id == Product.id, ProductColor.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_VARIANTS = (
    select(
        _gathered(
            Variant.id,
            Variant.color_id,
            Variant.size,
            Variant.sku,
            Variant.stock,
            order_by=(ProductColor.position, func.array_position(literal(list(SIZES), ARRAY(Text)), Variant.size)),
        )
    )
    .join_from(Variant, ProductColor, ProductColor.id == Variant.color_id)
    .where(Variant.product_id == Product.id, Variant.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_COLUMNS = (
    Product.id,
    Product.name,
    Product.title,
    Product.subtitle,
    Product.description,
    Product.details,
    Product.gender,
    Product.subcategory,
    Product.price_cents,
    case((Product.is_on_sale, Product.discounted_price_cents)).label("discounted_price_cents"),
    case((Product.is_on_sale, Product.discount_percentage)).label("discount_percentage"),
    Product.charged_cents,
    Product.image,
    Product.popularity,
    Product.created_at,
    Product.retired_at,
    _COLORS.label("colors"),
    _PICTURES.label("pictures"),
    _VARIANTS.label("variants"),
)


_IS_IN_STOCK_BY_SIZE = (
    select(func.json_object_agg(Variant.size, Variant.stock > 0))
    .where(Variant.color_id == ProductColor.id, Variant.retired_at.is_(None))
    .correlate(ProductColor)
    .scalar_subquery()
)
_INDEXED_COLORS = (
    select(
        _gathered(
            ProductColor.name,
            ProductColor.hex,
            ProductColor.family,
            _IS_IN_STOCK_BY_SIZE,
            order_by=(ProductColor.position, ProductColor.id),
        )
    )
    .where(ProductColor.product_id == Product.id, ProductColor.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_INDEXED = (
    Product.id,
    Product.name,
    Product.title,
    Product.subtitle,
    Product.gender,
    Product.subcategory,
    Product.charged_cents,
    Product.is_on_sale,
    Product.popularity,
    Product.created_at,
    _INDEXED_COLORS.label("colors"),
)


def _product_row(row: Row[Any]) -> ProductRow:
    identity, *facts, colors, pictures, variants = tuple(row)
    gathered = (
        [ColorRow._make(each) for each in colors or ()],
        [PictureRow._make(each) for each in pictures or ()],
        [VariantRow._make(each) for each in variants or ()],
    )
    values: list[Any] = [str(identity), *facts, *gathered]
    return ProductRow(*values)


_SORT_KEYS: dict[ProductListSort, Any] = {
    ProductListSort.RELEVANCE: Product.popularity,
    ProductListSort.FEATURED: Product.popularity,
    ProductListSort.NEWEST: Product.created_at,
    ProductListSort.PRICE_ASCENDING: Product.charged_cents,
    ProductListSort.PRICE_DESCENDING: Product.charged_cents,
}


def sort_key(row: ProductRow, sort: ProductListSort) -> int | datetime:
    """What a cursor keeps of a row, beside its id."""
    if sort is ProductListSort.NEWEST:
        return row.created_at
    return row.popularity if sort in (ProductListSort.FEATURED, ProductListSort.RELEVANCE) else row.charged_cents


async def page(
    session: AsyncSession,
    wanted: ProductCriteria,
    sort: ProductListSort,
    first: int,
    after: Cursor | None = None,
    offset: int = 0,
) -> ProductPage:
    """At most `first` products behind the cursor. Products that come or go meanwhile shift nobody to another page."""
    key = _SORT_KEYS[sort]
    query = select(*_COLUMNS).where(*_conditions(wanted)).limit(first + 1)
    if offset:
        query = query.offset(offset)
    if sort is ProductListSort.PRICE_ASCENDING:
        query = query.order_by(key, Product.id)
    else:
        query = query.order_by(key.desc(), Product.id.desc())
    if after is not None:
        here, place = tuple_(key, Product.id), tuple_(literal(after[0], key.type), literal(after[1], Uuid()))
        query = query.where(here > place if sort is ProductListSort.PRICE_ASCENDING else here < place)
    rows = (await session.execute(query)).all()
    return ProductPage([_product_row(row) for row in rows[:first]], len(rows) > first)


async def listed_ids(
    session: AsyncSession, wanted: ProductCriteria, limit: int | None = None, offset: int = 0
) -> list[UUID]:
    """Of products that match, featured ones first; all of them when `limit` is None."""
    query = select(Product.id).where(*_conditions(wanted)).order_by(Product.popularity.desc(), Product.id.desc())
    return list(await session.scalars(query.limit(limit).offset(offset)))


async def products_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, ProductRow]:
    """Retired ones too. Unknown ids are missing from the answer."""
    rows = await session.execute(select(*_COLUMNS).where(Product.id == any_(literal(list(ids), ARRAY(Uuid())))))
    return {row.id: _product_row(row) for row in rows}


async def product(session: AsyncSession, product_id: UUID) -> ProductRow | None:
    """None when it does not exist or is no longer sold."""
    found = (await products_by_id(session, [product_id])).get(product_id)
    return found if found and found.retired_at is None else None


async def related_by_id(session: AsyncSession, keys: Sequence[tuple[UUID, int]]) -> dict[tuple[UUID, int], list[UUID]]:
    """For each (product, how many): what goes with it. Same gender, other kinds first, then the best sold."""
    anchor, other = aliased(Product), aliased(Product)
    nearest = (
        select(other.id, func.row_number().over(order_by=_affinity(anchor, other)).label("place"))
        .where(other.gender == anchor.gender, other.id != anchor.id, other.retired_at.is_(None))
        .order_by("place")
        .limit(max(many for _, many in keys))
        .lateral()
    )
    wanted = literal(list({product_id for product_id, _ in keys}), ARRAY(Uuid()))
    rows = await session.execute(
        select(anchor.id, nearest.c.id)
        .join_from(anchor, nearest, literal(True))
        .where(anchor.id == any_(wanted))
        .order_by(nearest.c.place)
    )
    found: dict[UUID, list[UUID]] = {}
    for product_id, related in rows:
        found.setdefault(product_id, []).append(related)
    return {(product_id, many): found.get(product_id, [])[:many] for product_id, many in keys}


def _affinity(anchor: Any, other: Any) -> tuple[ColumnElement[Any], ...]:
    return (other.subcategory == anchor.subcategory, other.popularity.desc(), other.id.desc())


async def matching(session: AsyncSession, tsquery: str, first: int) -> list[ProductRow]:
    """Products on offer that a text-search query matches, the best sold first."""
    query = select(*_COLUMNS).where(
        Product.retired_at.is_(None), Product.search.op("@@")(func.to_tsquery("simple", tsquery))
    )
    rows = await session.execute(query.order_by(Product.popularity.desc(), Product.id.desc()).limit(first))
    return [_product_row(row) for row in rows]


async def indexed_by_id(session: AsyncSession, ids: Sequence[UUID]) -> list[IndexedProduct]:
    """Those of them that are on offer, as the index knows them."""
    return await _indexed(session, Product.id == any_(literal(list(ids), ARRAY(Uuid()))))


async def indexed_behind(session: AsyncSession, last: UUID, number: int) -> list[IndexedProduct]:
    """The next products on offer in the order of their ids."""
    return await _indexed(session, Product.id > last, number)


async def _indexed(
    session: AsyncSession, condition: ColumnElement[bool], number: int | None = None
) -> list[IndexedProduct]:
    query = select(*_INDEXED).where(Product.retired_at.is_(None), condition).order_by(Product.id).limit(number)
    rows = (await session.execute(query)).all()
    return [
        IndexedProduct._make([*row[:-1], tuple(_indexed_color(*color) for color in row.colors or ())]) for row in rows
    ]


def _indexed_color(name: str, hex_value: str, family: str, variants: dict[str, bool] | None) -> IndexedColor:
    made = variants or {}
    sizes = tuple(size for size in SIZES if size in made)
    return IndexedColor(name, hex_value, family, sizes, tuple(size for size in sizes if made[size]))


async def categories(session: AsyncSession) -> list[CategoryRow]:
    """All five, in the order of the menu, with what each has on offer."""
    counted = await session.execute(
        select(Product.gender, Product.subcategory, func.count())
        .where(Product.retired_at.is_(None))
        .group_by(Product.gender, Product.subcategory)
    )
    offer = {(gender, subcategory): products for gender, subcategory, products in counted}
    return [
        CategoryRow(gender, subcategory, offer.get((gender, subcategory), 0))
        for gender, subcategories in SUBCATEGORIES.items()
        for subcategory in subcategories
    ]


async def total(session: AsyncSession, wanted: ProductCriteria) -> int:
    return await session.scalar(select(_count(wanted))) or 0


async def total_and_facets(session: AsyncSession, wanted: ProductCriteria) -> tuple[int, Facets]:
    """Both in one statement."""
    without_price = replace(wanted, price_from=None, price_to=None)
    row = (
        await session.execute(
            select(
                _count(wanted),
                _counts(Variant.size, replace(wanted, sizes=())),
                _counts(ProductColor.family, replace(wanted, families=())),
                _bound(func.min, without_price),
                _bound(func.max, without_price),
                _count(replace(wanted, in_stock=True)),
                _count(replace(wanted, on_sale=True)),
            )
        )
    ).one()
    matches, sizes, families, lowest, highest, in_stock, on_sale = row
    return matches, Facets(sizes or {}, families or {}, lowest, highest, in_stock, on_sale)


def _count(wanted: ProductCriteria) -> ScalarSelect[int]:
    return select(func.count()).select_from(Product).where(*_conditions(wanted)).scalar_subquery()


def _bound(aggregate: Any, wanted: ProductCriteria) -> ScalarSelect[int | None]:
    return select(aggregate(Product.charged_cents)).where(*_conditions(wanted)).scalar_subquery()


def _counts(by: Any, wanted: ProductCriteria) -> ScalarSelect[dict[str, int] | None]:
    groups = (
        select(by.label("name"), func.count(distinct(Variant.product_id)).label("products"))
        .join_from(Variant, ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(Variant.retired_at.is_(None), *_product_conditions(wanted), *_variant_conditions(wanted))
        .group_by(by)
        .subquery()
    )
    return select(func.json_object_agg(groups.c.name, groups.c.products, type_=JSON)).scalar_subquery()


def _conditions(wanted: ProductCriteria) -> list[ColumnElement[bool]]:
    of_variants = _variant_conditions(wanted)
    if not of_variants:
        return _product_conditions(wanted)
    fitting = (
        select(Variant.id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(Variant.product_id == Product.id, Variant.retired_at.is_(None), *of_variants)
        .correlate(Product)
        .exists()
    )
    return [*_product_conditions(wanted), fitting]


def _product_conditions(wanted: ProductCriteria) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [Product.retired_at.is_(None)]
    if wanted.gender:
        conditions.append(Product.gender == wanted.gender)
    if wanted.subcategory:
        conditions.append(Product.subcategory == wanted.subcategory)
    if wanted.on_sale:
        conditions.append(Product.is_on_sale.is_(True))
    if wanted.price_from is not None:
        conditions.append(Product.charged_cents >= wanted.price_from)
    if wanted.price_to is not None:
        conditions.append(Product.charged_cents <= wanted.price_to)
    return conditions


def _variant_conditions(wanted: ProductCriteria) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.in_stock:
        conditions.append(Variant.stock > 0)
    if wanted.sizes:
        conditions.append(Variant.size.in_(wanted.sizes))
    if wanted.families:
        conditions.append(ProductColor.family.in_(wanted.families))
    return conditions

"""Reads of the catalogue: one statement for a page, with colors, images and variants aggregated for each product.

Rows can be sent as they are: ids are text, amounts integer cents.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    JSON,
    ColumnElement,
    Row,
    Text,
    Uuid,
    any_,
    bindparam,
    case,
    cast,
    func,
    literal,
    literal_column,
    select,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.models import SIZES, Product, ProductColor, ProductImage, Variant
from server.media.models import Image


class ColorRow(NamedTuple):
    """A color of a product."""

    id: str
    name: str
    hex: str
    family: str


class PictureRow(NamedTuple):
    """An image of one color, or of every color when `color_id` is None."""

    image_id: str
    color_id: str | None
    alt: str
    width: int
    height: int
    placeholder: str


class VariantRow(NamedTuple):
    """A variant on sale."""

    id: str
    color_id: str
    size: str
    sku: str
    stock: int


@dataclass(frozen=True, slots=True)
class ProductRow:
    """A product with everything that a list or its own page shows.

    Colors are in the shop's order, images and variants in the order of their colors, sizes from small to large.
    `discounted_price_cents` and `discount_percentage` are set only while the discount applies.
    """

    id: str
    name: str
    title: str
    subtitle: str
    description: str
    details: list[dict[str, str]]
    measurements: dict[str, dict[str, int]]
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
        """Such as `men_shirts`."""
        return f"{self.gender}_{self.subcategory}"

    @property
    def stock(self) -> int:
        """Items in stock over all variants."""
        return sum(variant.stock for variant in self.variants)

    @property
    def sizes(self) -> list[str]:
        """The sizes that it is made in, from small to large."""
        made = {variant.size for variant in self.variants}
        return [size for size in SIZES if size in made]

    def pictures_of(self, color_id: str) -> list[PictureRow]:
        """The color's own images, then those for every color."""
        own = [picture for picture in self.pictures if picture.color_id == color_id]
        return own + [picture for picture in self.pictures if picture.color_id is None]


SEARCHED_NAME: ColumnElement[str] = func.search_text(literal_column("(products.name || ' ') || products.subtitle"))
"""The same expression as in the trigram index."""


def _gathered(*parts: Any, order_by: Sequence[Any]) -> Any:
    return func.json_agg(aggregate_order_by(func.json_build_array(*parts), *order_by), type_=JSON)


_COLORS = (
    select(
        _gathered(
            ProductColor.id,
            ProductColor.name,
            ProductColor.hex,
            ProductColor.family,
            order_by=(ProductColor.position, ProductColor.id),
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
    Product.measurements,
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


_IDS = bindparam("ids", type_=ARRAY(Uuid()))
_PRODUCTS = select(*_COLUMNS).where(Product.id == any_(_IDS))


async def products_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, ProductRow]:
    """Products by id, retired ones included; unknown ids are missing."""
    rows = await session.execute(_PRODUCTS, {"ids": list(ids)})
    return {row.id: _product_row(row) for row in rows}


_STOCK = select(func.array_agg(cast(Variant.id, Text)), func.array_agg(Variant.stock)).where(
    Variant.product_id == any_(_IDS)
)
"""One row: thousands of rows of two columns would take longer to be read than to be found."""


async def stock_of_variants(session: AsyncSession, ids: Sequence[UUID]) -> dict[str, int]:
    """Stock of all variants of the products, by the variant's id."""
    variants, pieces = (await session.execute(_STOCK, {"ids": list(ids)})).one()
    return dict(zip(variants or (), pieces or (), strict=True))


async def product(session: AsyncSession, product_id: UUID) -> ProductRow | None:
    """The product; None when it does not exist or is no longer on sale."""
    found = (await products_by_id(session, [product_id])).get(product_id)
    return found if found and found.retired_at is None else None


async def indexed_by_id(session: AsyncSession, ids: Sequence[UUID]) -> list[IndexedProduct]:
    """Those of the products that are on sale, for the index."""
    return await _indexed(session, Product.id == any_(literal(list(ids), ARRAY(Uuid()))))


async def indexed_behind(session: AsyncSession, last: UUID, number: int) -> list[IndexedProduct]:
    """The next products on sale in the order of their ids."""
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
    return _color_of(name, hex_value, family, tuple((variants or {}).items()))


@lru_cache(maxsize=1_024)
def _color_of(name: str, hex_value: str, family: str, variants: tuple[tuple[str, bool], ...]) -> IndexedColor:
    """Remembered, since many products come in the same colors and sizes."""
    made = dict(variants)
    sizes = tuple(size for size in SIZES if size in made)
    return IndexedColor(name, hex_value, family, sizes, tuple(size for size in sizes if made[size]))

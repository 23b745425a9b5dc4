"""Reads of the catalogue: one statement for a page, with colors, images and variants aggregated for each product.

Rows can be sent as they are: ids are text, amounts integer cents.
"""

import dataclasses
from collections.abc import Mapping, Sequence
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

from server.catalog.categories import CategoryFacts
from server.catalog.category_queries import CATEGORY_NAMES, CATEGORY_OF_PRODUCT, SIZE_SYSTEM_OF_PRODUCT, size_place
from server.catalog.fields import PUBLIC_TEXTS, PublicTexts
from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.models import Product, ProductColor, ProductImage, Variant
from server.catalog.sizes import key_in
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductRow(PublicTexts):
    """A product with everything that a list or its own page shows.

    Colors are in the shop's order, images and variants in the order of their colors, sizes from small to large.
    `discounted_price_cents` and `discount_percentage` are set only while the discount applies.
    """

    id: str
    details: list[dict[str, str]]
    measurements: dict[str, dict[str, int]]
    category_facts: CategoryFacts
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
        return self.category_facts.key

    @property
    def gender(self) -> str:
        """Key of its department."""
        return self.category_facts.department.key

    @property
    def subcategory(self) -> str:
        """Key of its kind."""
        return self.category_facts.kind.key

    @property
    def stock(self) -> int:
        """Items in stock over all variants."""
        return sum(variant.stock for variant in self.variants)

    @property
    def sizes(self) -> list[str]:
        """The sizes that it is made in, from small to large."""
        return self.category_facts.size_system.in_order(variant.size for variant in self.variants)

    def pictures_of(self, color_id: str) -> list[PictureRow]:
        """The color's own images, then those for every color."""
        own = [picture for picture in self.pictures if picture.color_id == color_id]
        return own + [picture for picture in self.pictures if picture.color_id is None]


SEARCHED_NAME: ColumnElement[str] = func.search_text(literal_column("(products.name || ' ') || products.subtitle"))
"""The same expression as in the trigram index."""


def _gathered(kind: Any, parts: Mapping[str, Any], *, order_by: Sequence[Any]) -> Any:
    """Rows of a kind of named tuple, of which `parts` are the members."""
    members = [parts[name] for name in kind._fields]
    return func.json_agg(aggregate_order_by(func.json_build_array(*members), *order_by), type_=JSON)


_COLORS = (
    select(
        _gathered(
            ColorRow,
            {name: getattr(ProductColor, name) for name in ColorRow._fields},
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
            PictureRow,
            {
                "image_id": Image.id,
                "color_id": ProductImage.color_id,
                "alt": ProductImage.alt,
                "width": Image.width,
                "height": Image.height,
                "placeholder": Image.placeholder,
            },
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
            VariantRow,
            {name: getattr(Variant, name) for name in VariantRow._fields},
            order_by=(ProductColor.position, size_place(Variant.size)),
        )
    )
    .join_from(Variant, ProductColor, ProductColor.id == Variant.color_id)
    .where(Variant.product_id == Product.id, Variant.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_EXPRESSIONS = {
    "category_facts": CATEGORY_OF_PRODUCT,
    "discounted_price_cents": case((Product.is_on_sale, Product.discounted_price_cents)),
    "discount_percentage": case((Product.is_on_sale, Product.discount_percentage)),
    "fallback_image": Product.image,
    "colors": _COLORS,
    "pictures": _PICTURES,
    "variants": _VARIANTS,
}
"""Members of a row that are no column of the same name."""
_ROW_MEMBERS = [each.name for each in dataclasses.fields(ProductRow)]
PRODUCT_COLUMNS: list[Any] = [
    (_EXPRESSIONS[name] if name in _EXPRESSIONS else getattr(Product, name)).label(name) for name in _ROW_MEMBERS
]
"""What is read of a product for shoppers. A trigger announces changes of all of it (`announce_changed_products`)."""


_IS_IN_STOCK_BY_SIZE = (
    select(func.json_object_agg(Variant.size, Variant.stock > 0))
    .where(Variant.color_id == ProductColor.id, Variant.retired_at.is_(None))
    .correlate(ProductColor)
    .scalar_subquery()
)


class _IndexedColorRow(NamedTuple):
    """A color as the index reads it; `is_in_stock` is by size."""

    name: str
    hex: str
    family: str
    is_in_stock: dict[str, bool] | None


_INDEXED_COLORS = (
    select(
        _gathered(
            _IndexedColorRow,
            {
                "name": ProductColor.name,
                "hex": ProductColor.hex,
                "family": ProductColor.family,
                "is_in_stock": _IS_IN_STOCK_BY_SIZE,
            },
            order_by=(ProductColor.position, ProductColor.id),
        )
    )
    .where(ProductColor.product_id == Product.id, ProductColor.retired_at.is_(None))
    .correlate(Product)
    .scalar_subquery()
)
_SEARCHED = [each.name for each in PUBLIC_TEXTS if each.is_searched and each.name != "name"]
_INDEX_EXPRESSIONS = {
    "text": func.concat_ws(" ", *(getattr(Product, name) for name in _SEARCHED)),
    "on_sale": Product.is_on_sale,
    "category_names": CATEGORY_NAMES,
    "size_system": SIZE_SYSTEM_OF_PRODUCT,
    "colors": _INDEXED_COLORS,
}
INDEXED_COLUMNS: list[Any] = [
    (_INDEX_EXPRESSIONS[name] if name in _INDEX_EXPRESSIONS else getattr(Product, name)).label(name)
    for name in IndexedProduct._fields
]
"""A product as the index holds it. Changes are announced by the same trigger."""


def _product_row(row: Row[Any]) -> ProductRow:
    values = dict(zip(_ROW_MEMBERS, row, strict=True))
    values["id"] = str(values["id"])
    values["category_facts"] = CategoryFacts.of(values["category_facts"])
    values["colors"] = [ColorRow._make(each) for each in values["colors"] or ()]
    values["pictures"] = [PictureRow._make(each) for each in values["pictures"] or ()]
    values["variants"] = [VariantRow._make(each) for each in values["variants"] or ()]
    return ProductRow(**values)


_IDS = bindparam("ids", type_=ARRAY(Uuid()))
_PRODUCTS = select(*PRODUCT_COLUMNS).where(Product.id == any_(_IDS))


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


class Schedule(NamedTuple):
    """When a product was edited last, and the window of its discount, whether or not it applies now."""

    updated_at: datetime
    discount_starts_at: datetime | None
    discount_ends_at: datetime | None


_SCHEDULES = select(Product.id, *(getattr(Product, name) for name in Schedule._fields)).where(Product.id == any_(_IDS))


async def schedules_by_id(session: AsyncSession, ids: Sequence[UUID]) -> dict[UUID, Schedule]:
    """Schedules by product, for whole catalogues: no list and no page shows them. Unknown ids are missing."""
    rows = await session.execute(_SCHEDULES, {"ids": list(ids)})
    return {product_id: Schedule(*values) for product_id, *values in rows}


async def product_of_variant(session: AsyncSession, variant_id: UUID) -> UUID | None:
    """The id of the product of a variant; None when there is no such variant, or it is retired."""
    return await session.scalar(
        select(Variant.product_id).where(Variant.id == variant_id, Variant.retired_at.is_(None))
    )


async def product(session: AsyncSession, product_id: UUID) -> ProductRow | None:
    """The product; None when it does not exist or is no longer on sale."""
    row = (await products_by_id(session, [product_id])).get(product_id)
    return row if row and row.retired_at is None else None


async def indexed_by_id(session: AsyncSession, ids: Sequence[UUID]) -> list[IndexedProduct]:
    """Those of the products that are on sale, for the index."""
    return await _indexed(session, Product.id == any_(literal(list(ids), ARRAY(Uuid()))))


async def indexed_behind(session: AsyncSession, last: UUID, number: int) -> list[IndexedProduct]:
    """The next products on sale in the order of their ids."""
    return await _indexed(session, Product.id > last, number)


async def _indexed(
    session: AsyncSession, condition: ColumnElement[bool], number: int | None = None
) -> list[IndexedProduct]:
    query = select(*INDEXED_COLUMNS).where(Product.retired_at.is_(None), condition).order_by(Product.id).limit(number)
    rows = (await session.execute(query)).all()
    return [
        IndexedProduct._make(row)._replace(
            colors=tuple(_indexed_color(each, row.size_system) for each in row.colors or ())
        )
        for row in rows
    ]


def _indexed_color(parts: Sequence[Any], size_system: str) -> IndexedColor:
    color = _IndexedColorRow._make(parts)
    return _color_of(color.name, color.hex, color.family, size_system, tuple((color.is_in_stock or {}).items()))


@lru_cache(maxsize=1_024)
def _color_of(
    name: str, hex_value: str, family: str, size_system: str, variants: tuple[tuple[str, bool], ...]
) -> IndexedColor:
    """Remembered, since many products come in the same colors and sizes."""
    in_stock = sorted((key_in(size_system, size), is_in_stock) for size, is_in_stock in variants)
    left = tuple(key for key, is_in_stock in in_stock if is_in_stock)
    return IndexedColor(name, hex_value, family, tuple(key for key, _ in in_stock), left)

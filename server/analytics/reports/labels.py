"""Readable labels for the members of dimensions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Select, Uuid, any_, func, literal, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.reports.dimensions import KINDS, Dimension
from server.analytics.reports.question import OTHER
from server.catalog import category_queries
from server.catalog.categories import Categories
from server.catalog.models import Product, ProductColor, Variant


@dataclass(frozen=True)
class Labels:
    """Labels from the database; all others are derived from the key."""

    products: Mapping[UUID, str] = field(default_factory=dict)
    variants: Mapping[UUID, str] = field(default_factory=dict)
    categories: Categories = field(default_factory=Categories)

    def of(self, dimension: Dimension, key: Any) -> str:
        """The label of a member; "Unknown" or the like for None."""
        if key is None or key == "":
            return dimension.facts.missing
        if key == OTHER:
            return "Other"
        match dimension:
            case Dimension.PRODUCT:
                return self.products.get(_id(key), dimension.facts.missing)
            case Dimension.VARIANT:
                return self.variants.get(_id(key), dimension.facts.missing)
            case Dimension.CATEGORY | Dimension.GENDER | Dimension.SUBCATEGORY:
                return self._of_category(dimension, str(key))
            case _:
                return _time(dimension, key) if isinstance(key, datetime) else dimension.facts.label(key)

    def _of_category(self, dimension: Dimension, key: str) -> str:
        """The name of a category, a department or a kind; the key of one that is gone."""
        if dimension is Dimension.GENDER:
            return next((each.name for each in self.categories.departments if each.key == key), key)
        if dimension is Dimension.SUBCATEGORY:
            return next((each.kind.name for each in self.categories.rows if each.kind.key == key), key)
        category = self.categories.by_key.get(key)
        return f"{category.department.name}, {_within(category.name)}" if category else key


def _within(name: str) -> str:
    """A name inside a sentence."""
    return name[:1].lower() + name[1:]


def _id(key: Any) -> UUID:
    return key if isinstance(key, UUID) else UUID(str(key))


def _time(dimension: Dimension, start: datetime) -> str:
    match dimension:
        case Dimension.HOUR:
            return f"{start:%b} {start.day}, {start:%H}:00"
        case Dimension.WEEK:
            year, week, _ = start.isocalendar()
            return f"Week {week}, {year}"
        case Dimension.MONTH:
            return f"{start:%b %Y}"
        case Dimension.QUARTER:
            return f"Q{(start.month + 2) // 3} {start.year}"
        case Dimension.YEAR:
            return str(start.year)
        case _:
            return f"{start:%b} {start.day}, {start.year}"


async def labels_of(session: AsyncSession, by: Sequence[Dimension], keys: Sequence[tuple[Any, ...]]) -> Labels:
    """Labels of the products, variants and categories in the keys; one statement for each of the three."""

    def ids(dimension: Dimension) -> set[UUID]:
        if dimension not in by:
            return set()
        parts = {key[by.index(dimension)] for key in keys}
        return {_id(part) for part in parts if part not in (None, "", OTHER)}

    products, variants = ids(Dimension.PRODUCT), ids(Dimension.VARIANT)
    return Labels(
        await _names(session, _named(Product.id, Product.name, products)) if products else {},
        await _names(session, _named_variants(variants)) if variants else {},
        await category_queries.categories(session) if set(by) & set(KINDS) else Categories(),
    )


def _named_variants(ids: set[UUID]) -> Select[Any]:
    name = Product.name + ", " + ProductColor.name + ", " + Variant.size
    named = _named(Variant.id, name, ids).join(Product, Product.id == Variant.product_id)
    return named.join(ProductColor, ProductColor.id == Variant.color_id)


def _named(key: Any, name: Any, ids: set[UUID]) -> Select[Any]:
    """One row with a list of ids and a list of names, which is read much faster than one row for each."""
    these = any_(literal(list(ids), ARRAY(Uuid)))
    return select(func.array_agg(key), func.array_agg(name)).select_from(key.class_).where(key == these)


async def _names(session: AsyncSession, named: Select[Any]) -> dict[UUID, str]:
    keys, names = (await session.execute(named)).one()
    return dict(zip(keys or (), names or (), strict=True))

"""Reads of categories: all of them with one statement, and one as a part of a product's row."""

from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Text, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.categories import Categories, CategoryFacts, CategoryPage, DepartmentFacts
from server.catalog.category_models import Category, Department, Kind, Redirect, SizeSystem
from server.catalog.models import Product
from server.media.models import Image
from server.media.service import ImageRow

_DEPARTMENT = (
    *(Department.key, Department.name, Department.heading, Department.slug),
    *(Department.hidden_at.is_not(None), Department.version, Department.gender, Department.age_group),
)
_PARTS: tuple[Any, ...] = (
    *(Category.key, Category.name, Category.heading, Category.slug, Category.measuring_points),
    *(Category.hidden_at.is_not(None), Category.version),
    *_DEPARTMENT,
    *(Kind.key, Kind.name),
    *(SizeSystem.key, SizeSystem.name, SizeSystem.market, cast(SizeSystem.axes, Text), SizeSystem.version),
)
"""In the order of `CategoryFacts.of`."""

_PAGE: tuple[Any, ...] = (Category.description, Image.id, Image.width, Image.height, Image.placeholder)

CATEGORY_OF_PRODUCT = (
    select(func.json_build_array(*_PARTS))
    .join_from(Category, Department, Department.key == Category.department)
    .join(Kind, Kind.key == Category.kind)
    .join(SizeSystem, SizeSystem.key == Category.size_system)
    .where(Category.department == Product.gender, Category.kind == Product.subcategory)
    .correlate(Product)
    .scalar_subquery()
)
"""The values of `CategoryFacts.of`, of a product's category."""

SIZE_SYSTEM_OF_PRODUCT = (
    select(Category.size_system)
    .where(Category.department == Product.gender, Category.kind == Product.subcategory)
    .correlate(Product)
    .scalar_subquery()
)
"""The key of what a product's sizes are of."""


def size_place(size: Any) -> ColumnElement[int]:
    """The place of a size of a product in its system, for sorting; null when the system no longer has it."""
    sizes = (
        select(SizeSystem.sizes)
        .join_from(Category, SizeSystem, SizeSystem.key == Category.size_system)
        .where(Category.department == Product.gender, Category.kind == Product.subcategory)
        .correlate(Product)
        .scalar_subquery()
    )
    return func.array_position(sizes, size)


CATEGORY_NAMES = (
    select(func.concat_ws(" ", Department.name, Category.name, Kind.name))
    .join_from(Category, Department, Department.key == Category.department)
    .join(Kind, Kind.key == Category.kind)
    .where(Category.department == Product.gender, Category.kind == Product.subcategory)
    .correlate(Product)
    .scalar_subquery()
)
"""What a product's category, department and kind are called."""


def _in_order(*, isouter: bool) -> Select[Any]:
    """Categories in the order of the menu; with an outer join departments without one as well."""
    return (
        select(*_PARTS, *_PAGE)
        .join_from(Department, Category, Category.department == Department.key, isouter=isouter)
        .join(Kind, Kind.key == Category.kind, isouter=isouter)
        .join(SizeSystem, SizeSystem.key == Category.size_system, isouter=isouter)
        .outerjoin(Image, Image.id == Category.image_id)
        .order_by(Department.position, Department.key, Category.position, Category.kind)
    )


_ALL = _in_order(isouter=True)
_LOCKED = _in_order(isouter=False).with_for_update(of=(Category, SizeSystem), read=True, key_share=True)


async def categories(session: AsyncSession) -> Categories:
    """All categories, with one statement."""
    return _categories([*await session.execute(_ALL)])


async def redirect_of(session: AsyncSession, path: str) -> str | None:
    """Where what stood at a path is now; None when nothing did."""
    return await session.scalar(select(Redirect.target).where(Redirect.path == path))


async def locked(session: AsyncSession) -> Categories:
    """As `categories`; none of them, nor a size, goes before the transaction ends. Call it before locking products."""
    return _categories([*await session.execute(_LOCKED)])


def _categories(rows: list[Any]) -> Categories:
    own = len(CategoryFacts._fields) - 3
    departments = dict.fromkeys(DepartmentFacts._make(row[own : own + len(DepartmentFacts._fields)]) for row in rows)
    own_rows = [(CategoryFacts.of(row[: len(_PARTS)]), row[len(_PARTS) :]) for row in rows if row[0] is not None]
    pages = {facts.key: _page(*page) for facts, page in own_rows if any(page)}
    return Categories(tuple(facts for facts, _ in own_rows), tuple(departments), pages)


def _page(description: str, image_id: UUID | None, *image: Any) -> CategoryPage:
    return CategoryPage(description, None if image_id is None else ImageRow(image_id, *image))

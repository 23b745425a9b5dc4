"""An oracle for product lists in plain SQL, which the catalogue index is compared with."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, ColumnElement, ScalarSelect, distinct, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.lists import Facets, ProductCriteria, ProductListSort
from server.catalog.models import Product, ProductColor, Variant
from server.catalog.sizes import LETTER_SIZES, SizeChoice

_SORT_KEYS: dict[ProductListSort, Any] = {
    ProductListSort.FEATURED: Product.popularity,
    ProductListSort.NEWEST: Product.created_at,
    ProductListSort.PRICE_ASCENDING: Product.charged_cents,
    ProductListSort.PRICE_DESCENDING: Product.charged_cents,
}


async def listed(session: AsyncSession, criteria: ProductCriteria, sort: ProductListSort) -> list[UUID]:
    """All products that match, in order."""
    key = _SORT_KEYS[sort]
    query = select(Product.id).where(*_conditions(criteria))
    if sort is ProductListSort.PRICE_ASCENDING:
        query = query.order_by(key, Product.id)
    else:
        query = query.order_by(key.desc(), Product.id.desc())
    return list(await session.scalars(query))


async def total_and_facets(session: AsyncSession, criteria: ProductCriteria) -> tuple[int, Facets]:
    """Both in one statement."""
    category = ProductCriteria(gender=criteria.gender, subcategory=criteria.subcategory)
    without_price = replace(criteria, price_from=None, price_to=None)
    row = (
        await session.execute(
            select(
                _count(criteria),
                _counts(Variant.size, replace(criteria, sizes=())),
                _counts(ProductColor.family, replace(criteria, families=())),
                _counts(Variant.size, category),
                _counts(ProductColor.family, category),
                _bound(func.min, without_price),
                _bound(func.max, without_price),
                _count(replace(criteria, in_stock=True)),
                _count(replace(criteria, on_sale=True)),
            )
        )
    ).one()
    matches, sizes, families, all_sizes, all_families, lowest, highest, in_stock, on_sale = row
    return matches, Facets(
        dict.fromkeys(all_sizes or {}, 0) | (sizes or {}),
        dict.fromkeys(all_families or {}, 0) | (families or {}),
        lowest,
        highest,
        {"in_stock": in_stock, "on_sale": on_sale},
        tuple(SizeChoice(size, size, "Letters") for size in LETTER_SIZES if size in (all_sizes or {})),
    )


def _count(criteria: ProductCriteria) -> ScalarSelect[int]:
    return select(func.count()).select_from(Product).where(*_conditions(criteria)).scalar_subquery()


def _bound(aggregate: Any, criteria: ProductCriteria) -> ScalarSelect[int | None]:
    return select(aggregate(Product.charged_cents)).where(*_conditions(criteria)).scalar_subquery()


def _counts(by: Any, criteria: ProductCriteria) -> ScalarSelect[dict[str, int] | None]:
    groups = (
        select(by.label("name"), func.count(distinct(Variant.product_id)).label("products"))
        .join_from(Variant, ProductColor, ProductColor.id == Variant.color_id)
        .join(Product, Product.id == Variant.product_id)
        .where(Variant.retired_at.is_(None), *_product_conditions(criteria), *_variant_conditions(criteria))
        .group_by(by)
        .subquery()
    )
    return select(func.json_object_agg(groups.c.name, groups.c.products, type_=JSON)).scalar_subquery()


def _conditions(criteria: ProductCriteria) -> list[ColumnElement[bool]]:
    of_variants = _variant_conditions(criteria)
    if not of_variants:
        return _product_conditions(criteria)
    fitting = (
        select(Variant.id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(Variant.product_id == Product.id, Variant.retired_at.is_(None), *of_variants)
        .correlate(Product)
        .exists()
    )
    return [*_product_conditions(criteria), fitting]


def _product_conditions(criteria: ProductCriteria) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [Product.retired_at.is_(None)]
    if criteria.gender:
        conditions.append(Product.gender == criteria.gender)
    if criteria.subcategory:
        conditions.append(Product.subcategory == criteria.subcategory)
    if criteria.on_sale:
        conditions.append(Product.is_on_sale.is_(True))
    if criteria.price_from is not None:
        conditions.append(Product.charged_cents >= criteria.price_from)
    if criteria.price_to is not None:
        conditions.append(Product.charged_cents <= criteria.price_to)
    return conditions


def _variant_conditions(criteria: ProductCriteria) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if criteria.in_stock:
        conditions.append(Variant.stock > 0)
    if criteria.sizes:
        conditions.append(Variant.size.in_(criteria.sizes))
    if criteria.families:
        conditions.append(ProductColor.family.in_(criteria.families))
    return conditions

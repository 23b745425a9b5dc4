"""The parameters of product lists: filters, sort orders and cursors, and the resulting facets."""

from dataclasses import dataclass, field
from enum import Enum

from server.catalog.categories import SUBCATEGORIES
from server.platform.core.errors import NotFound

SALE = ("sale", "sales")


@dataclass(frozen=True)
class ProductCriteria:
    """Members combine with AND, values within a member with OR; empty ones and False do not filter.

    `families` are color families; they and `sizes` name each value once, since the index caches by criteria.
    `in_stock` requires an item left in one of the sizes and families, where given.
    """

    gender: str | None = None
    subcategory: str | None = None
    on_sale: bool = False
    in_stock: bool = False
    sizes: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    price_from: int | None = None
    price_to: int | None = None


def category_filter(category: str, subcategory: str | None = None) -> ProductCriteria:
    """men or women with its kinds; sale (or sales) with men or women. Raises NotFound for anything else."""
    if category in SALE:
        wanted = ProductCriteria(gender=subcategory, on_sale=True)
    else:
        wanted = ProductCriteria(gender=category, subcategory=subcategory)
    if wanted.gender is None and wanted.subcategory is None:
        return wanted
    kinds = SUBCATEGORIES.get(wanted.gender or "")
    if kinds is None or (wanted.subcategory is not None and wanted.subcategory not in kinds):
        raise NotFound("This category")
    return wanted


class ProductListSort(Enum):
    """Orders of a product list; among equals the newer product comes first. RELEVANCE is for searches."""

    RELEVANCE = "relevance"
    FEATURED = "featured"
    NEWEST = "newest"
    PRICE_ASCENDING = "price_ascending"
    PRICE_DESCENDING = "price_descending"


@dataclass(frozen=True)
class Facets:
    """How many products each further filter would leave, counted without that facet's own filter."""

    sizes: dict[str, int] = field(default_factory=dict)
    families: dict[str, int] = field(default_factory=dict)
    lowest_cents: int | None = None
    highest_cents: int | None = None
    in_stock: int = 0
    on_sale: int = 0

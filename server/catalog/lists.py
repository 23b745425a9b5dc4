"""The parameters of product lists: filters, sort orders and cursors, and the resulting facets."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from enum import Enum

from server.catalog.categories import SALE, Categories
from server.catalog.index.products import IndexedProduct
from server.catalog.sizes import SizeChoice
from server.platform.core.errors import NotFound


@dataclass(frozen=True)
class Flag:
    """A property that a product has or lacks. `of` derives it from a product; without it, it is of colors and sizes.

    The index's keys and counts and the API's filter and facet follow from it.
    """

    description: str
    of: Callable[[IndexedProduct], bool] | None


def flag(description: str, of: Callable[[IndexedProduct], bool] | None = None) -> bool:
    """A member of the criteria that is a facet. The description is that of the API's filter."""
    return field(default=False, metadata={Flag: Flag(description, of)})


@dataclass(frozen=True)
class ProductCriteria:
    """Members combine with AND, values within a member with OR; empty ones and False do not filter.

    `families` are color families, `sizes` keys of what `SizeChoices` has or of whole sizes; both name each value once,
    since the index caches by criteria.
    `in_stock` requires an item left in one of the sizes and families, where given.
    """

    gender: str | None = None
    subcategory: str | None = None
    on_sale: bool = flag("Only products whose discount counts now.", lambda product: product.on_sale)
    in_stock: bool = flag("Only products with a piece left (in one of the given sizes and colors).")
    sizes: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    price_from: int | None = None
    price_to: int | None = None


FLAGS: dict[str, Flag] = {each.name: each.metadata[Flag] for each in fields(ProductCriteria) if Flag in each.metadata}


def category_filter(categories: Categories, category: str, subcategory: str | None = None) -> ProductCriteria:
    """A department, and a kind of it; sale (or sales), and a department. Raises NotFound for anything else."""
    if category in SALE:
        criteria = ProductCriteria(gender=subcategory, on_sale=True)
    else:
        criteria = ProductCriteria(gender=category, subcategory=subcategory)
    if criteria.gender is None and criteria.subcategory is None:
        return criteria
    is_department = categories.department_rule.problem(criteria.gender or "") is None
    is_kind = criteria.subcategory is None or criteria.subcategory in categories.kinds_of(criteria.gender or "")
    if not (is_department and is_kind):
        raise NotFound("This category")
    return criteria


class ProductListSort(Enum):
    """Orders of a product list; among equals the newer product comes first. RELEVANCE is for searches."""

    RELEVANCE = "relevance"
    FEATURED = "featured"
    NEWEST = "newest"
    PRICE_ASCENDING = "price_ascending"
    PRICE_DESCENDING = "price_descending"


@dataclass(frozen=True)
class Facets:
    """How many products each further filter would leave, counted without that facet's own filter.

    `sizes` and `families` have every value that the category or search has without filters, 0 where nothing is left.
    """

    sizes: dict[str, int] = field(default_factory=dict)
    families: dict[str, int] = field(default_factory=dict)
    lowest_cents: int | None = None
    highest_cents: int | None = None
    flags: dict[str, int] = field(default_factory=dict)
    size_choices: tuple[SizeChoice, ...] = ()
    """What the keys of `sizes` are, in their order."""

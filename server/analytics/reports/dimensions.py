"""The dimensions of reports: what the rows of a report stand for, each with all that reports need of it.

Grouping, filters, labels, the catalogue and costs follow from these entries. A new dimension is an entry here, with a
`key` that is computed, or a `column` of the facts that holds numbers of members.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from sqlalchemy import Boolean, Integer, case, cast, func

from server.analytics.models import Sale
from server.analytics.reports import keys
from server.analytics.reports.keys import ComputedKey, KeyPart, column_of
from server.analytics.reports.ranges import Grain
from server.catalog.categories import Categories
from server.catalog.models import Product, ProductColor, Variant
from server.orders.states import HAVE_BEEN_PAID
from server.platform.core.text import in_words


class Source(Enum):
    """Where figures come from; each source has only some dimensions."""

    SALES = "sales"
    STOCK = "stock"
    EVENTS = "events"


class Scope(Enum):
    """What divides into the members of a dimension."""

    TIME = "time"
    """All rows, in the order of time, with gaps."""
    CLOCK = "clock"
    """All rows, whatever the day."""
    LINE = "line"
    """The lines of orders: several members may share an order."""
    ORDER = "order"
    """Orders as a whole."""


@dataclass(frozen=True, eq=False)
class DimensionFacts:
    """The properties of a dimension."""

    words: str
    """What its members are, and their keys."""
    scope: Scope
    size: int | None = None
    """An estimate of how many members there are; None where it depends on the range or the shop."""
    column: str | None = None
    """The column of the facts of sales that holds numbers of members; `{column}_number` of events."""
    key: ComputedKey | None = None
    """How the key is computed in a table that does not hold numbers of members."""
    stock: Any = None
    """The column by which stock is split, where it can be."""
    of_events: bool = False
    """Whether visits can be split by it."""
    values: tuple[Any, ...] | None = None
    """All keys, where they are few."""
    keys_in: Callable[[Categories], tuple[str, ...]] | None = None
    """Names all keys, where they follow from the shop's categories."""
    filter_words: str | None = None
    """What a filter by it takes; None where there is no such filter."""
    label: Callable[[Any], str] = str
    """A key as people read it; products, variants, categories and times have labels of their own."""
    missing: str = "Unknown"
    """The label where there is no key."""


def _time(words: str, grain: Grain) -> DimensionFacts:
    return DimensionFacts(words, Scope.TIME, key=keys.time(grain), of_events=True)


def _customer_kind(is_new: Any) -> Any:
    return case((is_new, "new"), else_="returning")


PRICE_BANDS: tuple[tuple[str, int | None, str], ...] = (
    ("under-50", 50_00, "Under $50"),
    ("50-to-100", 100_00, "$50 to $99.99"),
    ("100-to-150", 150_00, "$100 to $149.99"),
    ("150-up", None, "$150 and more"),
)
"""Key, upper end of the price in cents (exclusive), label. The price is what one item was sold for."""
_BANDS = {key: label for key, _, label in PRICE_BANDS}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _capitalized(key: Any) -> str:
    return in_words(str(key))


class Dimension(Enum):
    """What the rows of a report stand for. The value is its name in English."""

    _value_: str
    facts: DimensionFacts

    def __new__(cls, label: str, facts: DimensionFacts) -> "Dimension":
        """A member with the label as its value."""
        member = object.__new__(cls)
        member._value_ = label
        member.facts = facts
        return member

    HOUR = "hour", _time("An hour of a day. An hour that the clock shows twice is one row.", Grain.HOUR)
    DAY = "day", _time("A day, from midnight to midnight.", Grain.DAY)
    WEEK = "week", _time("A week, from Monday.", Grain.WEEK)
    MONTH = "month", _time("A month.", Grain.MONTH)
    QUARTER = "quarter", _time("Three months, from January, April, July or October.", Grain.QUARTER)
    YEAR = "year", _time("A year.", Grain.YEAR)
    WEEKDAY = (
        "weekday",
        DimensionFacts(
            "Monday to Sunday; keys are 1 to 7.",
            Scope.CLOCK,
            size=7,
            key=ComputedKey(lambda _, clock: clock.days % 7 + 1),
            of_events=True,
            values=tuple(range(1, 8)),
            filter_words="1 is Monday, 7 Sunday.",
            label=lambda key: _DAYS[int(key) - 1],
        ),
    )
    HOUR_OF_DAY = (
        "hour of day",
        DimensionFacts(
            "The hour on the clock, 0 to 23, whatever the day.",
            Scope.CLOCK,
            size=24,
            key=ComputedKey(lambda _, clock: cast(clock.hour, Integer)),
            of_events=True,
            values=tuple(range(24)),
            filter_words="0 to 23.",
            label=lambda key: f"{int(key):02d}:00",
        ),
    )
    CATEGORY = (
        "category",
        DimensionFacts(
            "Such as `men_shirts`, as the product stands now.",
            Scope.LINE,
            size=5,
            column="category",
            key=ComputedKey(lambda table, _: func.nullif(keys.category_of(table), "")),
            stock=Product.category,
            of_events=True,
            keys_in=lambda categories: categories.rule.keys,
            filter_words='Such as `"men_shirts"`.',
        ),
    )
    GENDER = (
        "gender",
        DimensionFacts(
            "Whom it is cut for, such as `men`.",
            Scope.LINE,
            size=2,
            column="gender",
            key=keys.part_of_category(1),
            stock=Product.gender,
            of_events=True,
            keys_in=lambda categories: categories.department_rule.keys,
            filter_words="Whom it is cut for.",
        ),
    )
    SUBCATEGORY = (
        "subcategory",
        DimensionFacts(
            "A kind of clothing, such as `shirts`.",
            Scope.LINE,
            size=3,
            column="subcategory",
            key=keys.part_of_category(2),
            stock=Product.subcategory,
            of_events=True,
            keys_in=lambda categories: categories.kind_rule.keys,
            filter_words="Kind of clothing.",
        ),
    )
    PRODUCT = (
        "product",
        DimensionFacts(
            "A product; the key is its id.",
            Scope.LINE,
            column="product",
            key=ComputedKey(lambda table, _: func.nullif(table.product_id, keys.UNKNOWN_PRODUCT)),
            stock=Product.id,
            of_events=True,
            filter_words="Product ids.",
            missing="A product that is gone",
        ),
    )
    VARIANT = (
        "variant",
        DimensionFacts(
            "A product in one color and size; the key is its id.",
            Scope.LINE,
            column="variant",
            stock=Variant.id,
            filter_words="Variant ids.",
            missing="A variant that is gone",
        ),
    )
    COLOR = (
        "color",
        DimensionFacts(
            "The color's name, as it was sold.",
            Scope.LINE,
            size=50,
            column="color",
            stock=ProductColor.name,
            filter_words="Names of colors, as sold.",
        ),
    )
    SIZE = (
        "size",
        DimensionFacts(
            "The size, as it was sold.",
            Scope.LINE,
            size=6,
            column="size",
            stock=Variant.size,
            keys_in=lambda categories: categories.size_choices.names,
            filter_words="Sizes.",
        ),
    )
    PRICE_BAND = (
        "price band",
        DimensionFacts(
            "What one piece was sold for, in steps of 50.",
            Scope.LINE,
            size=4,
            key=keys.steps([key for key, _, _ in PRICE_BANDS], [end for _, end, _ in PRICE_BANDS if end is not None]),
            values=tuple(key for key, _, _ in PRICE_BANDS),
            filter_words="Keys of price bands; see `catalogue`.",
            label=lambda key: _BANDS.get(key, str(key)),
        ),
    )
    DISCOUNTED = (
        "discounted",
        DimensionFacts(
            "Whether it was sold below its full price; `true` or `false`.",
            Scope.LINE,
            size=2,
            key=ComputedKey(lambda *_: cast(column_of(Sale.discounted), Boolean)),
            values=(True, False),
            filter_words="Sold below its full price or not.",
            label=lambda key: "Discounted" if key in (True, "true") else "Full price",
        ),
    )
    DISCOUNT_CODE = (
        "discount code",
        DimensionFacts(
            "The code that the order was paid with; null for none.",
            Scope.ORDER,
            size=20,
            column="code",
            filter_words="Codes of orders.",
            missing="No code",
        ),
    )
    COUNTRY = (
        "country",
        DimensionFacts(
            "English name of the country the order went to.",
            Scope.ORDER,
            size=20,
            column="country",
            filter_words='English names: "Sweden".',
        ),
    )
    CITY = (
        "city",
        DimensionFacts(
            "Where the order went, as the shopper wrote it.",
            Scope.ORDER,
            size=500,
            column="city",
            filter_words="As the shopper wrote it.",
        ),
    )
    CUSTOMER_KIND = (
        "customer kind",
        DimensionFacts(
            "`new` for a shopper's first paid order, `returning` for all others.",
            Scope.ORDER,
            size=2,
            key=ComputedKey(
                lambda *_: _customer_kind(Sale.is_new), lambda *_: KeyPart(column_of(Sale.is_new), _customer_kind)
            ),
            values=("new", "returning"),
            filter_words="`new` or `returning`.",
            label=_capitalized,
        ),
    )
    PAYMENT_STATUS = (
        "payment status",
        DimensionFacts(
            "`paid`, `partially_refunded` or `refunded`, as the order stands now.",
            Scope.ORDER,
            size=3,
            column="payment_status",
            values=tuple(sorted(status.value for status in HAVE_BEEN_PAID)),
            filter_words="`paid`, `partially_refunded` or `refunded`.",
            label=_capitalized,
        ),
    )


def _of(scope: Scope) -> tuple[Dimension, ...]:
    return tuple(dimension for dimension in Dimension if dimension.facts.scope is scope)


TIME, CLOCK, PER_LINE = _of(Scope.TIME), _of(Scope.CLOCK), _of(Scope.LINE)
IN_ORDER = (*CLOCK, Dimension.PRICE_BAND)
"""Dimensions whose members are read in their own order and not by size, as times are."""
KINDS = (Dimension.CATEGORY, Dimension.GENDER, Dimension.SUBCATEGORY)
GOODS = tuple(dimension for dimension in Dimension if dimension.facts.stock is not None)
KNOWN = {
    Source.SALES: frozenset(Dimension),
    Source.STOCK: frozenset(GOODS),
    Source.EVENTS: frozenset(dimension for dimension in Dimension if dimension.facts.of_events),
}
"""The dimensions of each source."""

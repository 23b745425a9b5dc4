"""The dimensions of reports: what the rows of a report stand for, each with all that reports need to know of it.

Grouping, filters, the catalogue and costs follow from these entries. A new dimension is an entry here, and a column of
the facts where `column` names one.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from server.catalog.categories import NAMES, SUBCATEGORIES
from server.catalog.models import SIZES, Product, ProductColor, Variant
from server.orders.states import HAVE_BEEN_PAID


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
    stock: Any = None
    """The column by which stock is split, where it can be."""
    of_events: bool = False
    """Whether visits can be split by it."""
    values: tuple[Any, ...] | None = None
    """All keys, where they are few."""
    filter_words: str | None = None
    """What a filter by it takes; None where there is no such filter."""


def _time(words: str) -> DimensionFacts:
    return DimensionFacts(words, Scope.TIME, of_events=True)


PRICE_BANDS: tuple[tuple[str, int | None, str], ...] = (
    ("under-50", 50_00, "Under $50"),
    ("50-to-100", 100_00, "$50 to $99.99"),
    ("100-to-150", 150_00, "$100 to $149.99"),
    ("150-up", None, "$150 and more"),
)
"""Key, upper end of the price in cents (exclusive), label. The price is what one item was sold for."""


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

    HOUR = "hour", _time("An hour of a day. An hour that the clock shows twice is one row.")
    DAY = "day", _time("A day, from midnight to midnight.")
    WEEK = "week", _time("A week, from Monday.")
    MONTH = "month", _time("A month.")
    QUARTER = "quarter", _time("Three months, from January, April, July or October.")
    YEAR = "year", _time("A year.")
    WEEKDAY = (
        "weekday",
        DimensionFacts(
            "Monday to Sunday; keys are 1 to 7.",
            Scope.CLOCK,
            size=7,
            of_events=True,
            values=tuple(range(1, 8)),
            filter_words="1 is Monday, 7 Sunday.",
        ),
    )
    HOUR_OF_DAY = (
        "hour of day",
        DimensionFacts(
            "The hour on the clock, 0 to 23, whatever the day.",
            Scope.CLOCK,
            size=24,
            of_events=True,
            values=tuple(range(24)),
            filter_words="0 to 23.",
        ),
    )
    CATEGORY = (
        "category",
        DimensionFacts(
            "Such as `men_shirts`, as the product stands now.",
            Scope.LINE,
            size=5,
            column="category",
            stock=Product.category,
            of_events=True,
            values=NAMES,
            filter_words='Such as `"men_shirts"`.',
        ),
    )
    GENDER = (
        "gender",
        DimensionFacts(
            "`men` or `women`.",
            Scope.LINE,
            size=2,
            column="gender",
            stock=Product.gender,
            of_events=True,
            values=tuple(SUBCATEGORIES),
            filter_words="Whom it is cut for.",
        ),
    )
    SUBCATEGORY = (
        "subcategory",
        DimensionFacts(
            "`shirts`, `jeans` or `trousers`.",
            Scope.LINE,
            size=3,
            column="subcategory",
            stock=Product.subcategory,
            of_events=True,
            values=tuple(dict.fromkeys(kind for kinds in SUBCATEGORIES.values() for kind in kinds)),
            filter_words="Kind of clothing.",
        ),
    )
    PRODUCT = (
        "product",
        DimensionFacts(
            "A product; the key is its id.",
            Scope.LINE,
            column="product",
            stock=Product.id,
            of_events=True,
            filter_words="Product ids.",
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
            "XS to XXL.",
            Scope.LINE,
            size=6,
            column="size",
            stock=Variant.size,
            values=SIZES,
            filter_words="Sizes.",
        ),
    )
    PRICE_BAND = (
        "price band",
        DimensionFacts(
            "What one piece was sold for, in steps of 50.",
            Scope.LINE,
            size=4,
            values=tuple(key for key, _, _ in PRICE_BANDS),
            filter_words="Keys of price bands; see `catalogue`.",
        ),
    )
    DISCOUNTED = (
        "discounted",
        DimensionFacts(
            "Whether it was sold below its full price; `true` or `false`.",
            Scope.LINE,
            size=2,
            values=(True, False),
            filter_words="Sold below its full price or not.",
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
            values=("new", "returning"),
            filter_words="`new` or `returning`.",
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

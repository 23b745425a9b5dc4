"""The measures of the report language, and which dimensions each can be split by. `dimensions` has those."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import Enum

from server.analytics.reports.dimensions import CLOCK as CLOCK
from server.analytics.reports.dimensions import GOODS as GOODS
from server.analytics.reports.dimensions import IN_ORDER as IN_ORDER
from server.analytics.reports.dimensions import KINDS as KINDS
from server.analytics.reports.dimensions import KNOWN as KNOWN
from server.analytics.reports.dimensions import PER_LINE as PER_LINE
from server.analytics.reports.dimensions import TIME as TIME
from server.analytics.reports.dimensions import Dimension as Dimension
from server.analytics.reports.dimensions import Source as Source


class Unit(Enum):
    """The unit of a value."""

    MONEY = "money"
    COUNT = "count"
    PERCENT = "percent"
    RATIO = "ratio"
    DAYS = "days"


class Measure(Enum):
    """What is counted or summed."""

    ORDERS = "orders"
    UNITS = "units"
    GROSS_SALES = "gross sales"
    DISCOUNTS = "discounts"
    REFUNDS = "refunds"
    NET_SALES = "net sales"
    TAX = "tax"
    SHIPPING = "shipping"
    AVERAGE_ORDER_VALUE = "average order value"
    UNITS_PER_ORDER = "units per order"
    CUSTOMERS = "customers"
    NEW_CUSTOMERS = "new customers"
    RETURNING_CUSTOMERS = "returning customers"
    REPEAT_RATE = "repeat rate"
    REFUND_RATE = "refund rate"
    STOCK_ON_HAND = "stock on hand"
    SELL_THROUGH = "sell-through"
    DAYS_OF_COVER = "days of cover"
    VIEWS = "views"
    ADDS_TO_CART = "adds to cart"
    CHECKOUTS = "checkouts"
    CONVERSION = "conversion"


class BaseMeasure(Enum):
    """Sums that the database computes; every measure is derived from these, for rows and totals alike."""

    # Members are keys of every row's sums. Each is a single object; Enum's hash of the name is ten times slower.
    __hash__ = object.__hash__

    ORDERS = "orders"
    UNITS = "units"
    GROSS = "gross_cents"
    DISCOUNTS = "discount_cents"
    REFUNDS = "refund_cents"
    TAX = "tax_cents"
    SHIPPING = "shipping_cents"
    CUSTOMERS = "customers"
    NEW_CUSTOMERS = "new_customers"
    RETURNING_CUSTOMERS = "returning_customers"
    STOCK = "stock"
    VIEWS = "views"
    ADDS = "adds"
    CHECKOUTS = "checkouts"
    VISITS = "visits"
    PAID_VISITS = "paid_visits"


SOURCE_OF: Mapping[BaseMeasure, Source] = {
    BaseMeasure.STOCK: Source.STOCK,
    **dict.fromkeys(
        (BaseMeasure.VIEWS, BaseMeasure.ADDS, BaseMeasure.CHECKOUTS, BaseMeasure.VISITS, BaseMeasure.PAID_VISITS),
        Source.EVENTS,
    ),
    **dict.fromkeys(
        (
            BaseMeasure.ORDERS,
            BaseMeasure.UNITS,
            BaseMeasure.GROSS,
            BaseMeasure.DISCOUNTS,
            BaseMeasure.REFUNDS,
            BaseMeasure.TAX,
            BaseMeasure.SHIPPING,
            BaseMeasure.CUSTOMERS,
            BaseMeasure.NEW_CUSTOMERS,
            BaseMeasure.RETURNING_CUSTOMERS,
        ),
        Source.SALES,
    ),
}


@dataclass(frozen=True)
class MeasureFacts:
    """The properties of a measure. `adds_up`: rows sum to the total, so shares and cumulative values exist."""

    label: str
    unit: Unit
    needs: tuple[BaseMeasure, ...]
    formula: str
    adds_up: bool = False
    per_order: bool = False
    """Belongs to an order as a whole and cannot be split by its contents."""


MEASURES: Mapping[Measure, MeasureFacts] = {
    Measure.ORDERS: MeasureFacts(
        "Orders", Unit.COUNT, (BaseMeasure.ORDERS,), "Paid orders, on the day they were paid."
    ),
    Measure.UNITS: MeasureFacts(
        "Units", Unit.COUNT, (BaseMeasure.UNITS,), "Pieces in paid orders, returned ones included.", True
    ),
    Measure.GROSS_SALES: MeasureFacts(
        "Gross sales", Unit.MONEY, (BaseMeasure.GROSS,), "Pieces at their full price, before any discount.", True
    ),
    Measure.DISCOUNTS: MeasureFacts(
        "Discounts", Unit.MONEY, (BaseMeasure.DISCOUNTS,), "Price reductions and the orders' discount codes.", True
    ),
    Measure.REFUNDS: MeasureFacts(
        "Refunds",
        Unit.MONEY,
        (BaseMeasure.REFUNDS,),
        "Money paid back for pieces, tax and delivery apart, on the day it was paid back.",
        True,
    ),
    Measure.NET_SALES: MeasureFacts(
        "Net sales",
        Unit.MONEY,
        (BaseMeasure.GROSS, BaseMeasure.DISCOUNTS, BaseMeasure.REFUNDS),
        "Gross sales less discounts less refunds. Delivery, and tax that is added to prices, are not in it.",
        True,
    ),
    Measure.TAX: MeasureFacts(
        "Tax", Unit.MONEY, (BaseMeasure.TAX,), "Tax of paid orders, less what was paid back.", True
    ),
    Measure.SHIPPING: MeasureFacts(
        "Shipping",
        Unit.MONEY,
        (BaseMeasure.SHIPPING,),
        "What paid orders paid for delivery, less what was paid back.",
        True,
        per_order=True,
    ),
    Measure.AVERAGE_ORDER_VALUE: MeasureFacts(
        "Average order value",
        Unit.MONEY,
        (BaseMeasure.GROSS, BaseMeasure.DISCOUNTS, BaseMeasure.ORDERS),
        "Gross sales less discounts, by orders.",
    ),
    Measure.UNITS_PER_ORDER: MeasureFacts(
        "Units per order", Unit.RATIO, (BaseMeasure.UNITS, BaseMeasure.ORDERS), "Units by orders."
    ),
    Measure.CUSTOMERS: MeasureFacts("Customers", Unit.COUNT, (BaseMeasure.CUSTOMERS,), "Different shoppers who paid."),
    Measure.NEW_CUSTOMERS: MeasureFacts(
        "New customers", Unit.COUNT, (BaseMeasure.NEW_CUSTOMERS,), "Shoppers whose first paid order it was."
    ),
    Measure.RETURNING_CUSTOMERS: MeasureFacts(
        "Returning customers",
        Unit.COUNT,
        (BaseMeasure.RETURNING_CUSTOMERS,),
        "Different shoppers who paid for an order that was not their first.",
    ),
    Measure.REPEAT_RATE: MeasureFacts(
        "Repeat rate",
        Unit.PERCENT,
        (BaseMeasure.RETURNING_CUSTOMERS, BaseMeasure.CUSTOMERS),
        "Returning customers of all customers.",
    ),
    Measure.REFUND_RATE: MeasureFacts(
        "Refund rate",
        Unit.PERCENT,
        (BaseMeasure.REFUNDS, BaseMeasure.GROSS, BaseMeasure.DISCOUNTS),
        "Refunds of gross sales less discounts.",
    ),
    Measure.STOCK_ON_HAND: MeasureFacts(
        "Stock on hand",
        Unit.COUNT,
        (BaseMeasure.STOCK,),
        "Pieces in the house at the end of the range, those held by open checkouts included.",
        True,
    ),
    Measure.SELL_THROUGH: MeasureFacts(
        "Sell-through",
        Unit.PERCENT,
        (BaseMeasure.UNITS, BaseMeasure.STOCK),
        "Units sold, of units sold and stock on hand together.",
    ),
    Measure.DAYS_OF_COVER: MeasureFacts(
        "Days of cover",
        Unit.DAYS,
        (BaseMeasure.STOCK, BaseMeasure.UNITS),
        "How long the stock lasts at the range's units a day.",
    ),
    Measure.VIEWS: MeasureFacts("Views", Unit.COUNT, (BaseMeasure.VIEWS,), "Product pages opened.", True),
    Measure.ADDS_TO_CART: MeasureFacts("Adds to cart", Unit.COUNT, (BaseMeasure.ADDS,), "Additions to a cart.", True),
    Measure.CHECKOUTS: MeasureFacts(
        "Checkouts", Unit.COUNT, (BaseMeasure.CHECKOUTS,), "Products that went into a checkout.", True
    ),
    Measure.CONVERSION: MeasureFacts(
        "Conversion",
        Unit.PERCENT,
        (BaseMeasure.PAID_VISITS, BaseMeasure.VISITS),
        "Visits that ended in a paid order, of visits that opened a product's page.",
    ),
}

OF_VISITS = frozenset(
    measure for measure, facts in MEASURES.items() if any(SOURCE_OF[base] is Source.EVENTS for base in facts.needs)
)
Sums = Sequence[int]


def amount_of(measure: Measure, bases: Sequence[BaseMeasure]) -> Callable[[Sums, int], int | None]:
    """Computes a measure from sums in the order of `bases`: cents, hundredths, or whole counts, for sorting rows.

    The second argument is the number of days of the range so far, for days of cover. None where the divisor is zero.
    """
    first, *others = [bases.index(base) for base in MEASURES[measure].needs]
    second, third = [*others, first, first][:2]
    match measure:
        case Measure.NET_SALES:
            return lambda sums, _: sums[first] - sums[second] - sums[third]
        case Measure.AVERAGE_ORDER_VALUE:
            return lambda sums, _: _rounded(sums[first] - sums[second], sums[third])
        case Measure.UNITS_PER_ORDER:
            return lambda sums, _: _rounded(sums[first] * 100, sums[second])
        case Measure.REPEAT_RATE | Measure.CONVERSION:
            return lambda sums, _: _rounded(sums[first] * 100_00, sums[second])
        case Measure.REFUND_RATE:
            return lambda sums, _: _rounded(sums[first] * 100_00, sums[second] - sums[third])
        case Measure.SELL_THROUGH:
            return lambda sums, _: _rounded(sums[first] * 100_00, sums[first] + sums[second])
        case Measure.DAYS_OF_COVER:
            return lambda sums, days: _rounded(sums[first] * days * 100, sums[second])
        case _:
            return lambda sums, _: sums[first]


def _rounded(part: int, whole: int) -> int | None:
    """The quotient, half rounded away from zero; None when dividing by zero."""
    if not whole:
        return None
    size = (2 * abs(part) + abs(whole)) // (2 * abs(whole))
    return size if (part < 0) is (whole < 0) else -size


def in_unit(measure: Measure, amount: int) -> Decimal:
    """An amount in cents, hundredths or counts as a value of the measure."""
    return Decimal(amount) if MEASURES[measure].unit is Unit.COUNT else Decimal(amount).scaleb(-2)


CENT = Decimal("0.01")


def percent(part: int | Decimal, whole: int | Decimal) -> Decimal | None:
    """Percent to two decimals, half rounded away from zero; None of zero."""
    return (Decimal(part) * 100 / Decimal(whole)).quantize(CENT, ROUND_HALF_UP) if whole else None


def money_each(cents: int, count: int) -> Decimal | None:
    """An average to the cent, half rounded away from zero; None of zero."""
    return (Decimal(cents) / count / 100).quantize(CENT, ROUND_HALF_UP) if count else None


def formatted(amount: Decimal | None, unit: Unit) -> str:
    """The value for display: $1,234.50, 38%, 1,204, 2.1, 3 days. A dash where there is no value."""
    if amount is None:
        return "\N{EN DASH}"
    sign, size = ("-" if amount < 0 else ""), abs(amount)
    match unit:
        case Unit.MONEY:
            return f"{sign}${size:,.2f}"
        case Unit.PERCENT:
            return f"{sign}{size.quantize(Decimal('0.1'), ROUND_HALF_UP)}%"
        case Unit.DAYS:
            return f"{sign}{size.quantize(Decimal(1), ROUND_HALF_UP):,} days"
        case Unit.RATIO:
            return f"{sign}{size:,.2f}"
        case Unit.COUNT:
            return f"{sign}{size:,.0f}"


def source_dimensions(measure: Measure) -> frozenset[Dimension]:
    """The dimensions by which a measure can be split and filtered."""
    facts = MEASURES[measure]
    dimensions = frozenset(Dimension)
    for base in facts.needs:
        dimensions &= KNOWN[SOURCE_OF[base]]
    return dimensions - frozenset(PER_LINE) if facts.per_order else dimensions

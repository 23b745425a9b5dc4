"""Inputs and enums of the report language in the GraphQL schema, and what the service makes of them."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

import strawberry

from server.analytics.reports import ranges, request
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.filters import condition
from server.analytics.reports.language import (
    CLOCK,
    MEASURES,
    Dimension,
    Measure,
    Source,
    Unit,
)
from server.analytics.reports.question import Condition
from server.analytics.reports.ranges import Grain, Period, Preset, Span
from server.analytics.reports.words import PERIOD_WORDS, PRESET_WORDS
from server.catalog.categories import Categories
from server.catalog.types import Size
from server.platform.core.text import parse_id
from server.platform.gql.types import describe_enum

describe_enum(Measure, "ReportMeasure", "What a report counts or sums.", {m: MEASURES[m].formula for m in Measure})


_WORDS = {dimension: dimension.facts.words for dimension in Dimension}
describe_enum(Dimension, "ReportDimension", "What a report's rows stand for.", _WORDS)


describe_enum(Preset, "RangePreset", "A range that has a name; weeks begin on Monday.", PRESET_WORDS)


describe_enum(Period, "ComparisonPeriod", "What a value is compared with.", PERIOD_WORDS)


describe_enum(
    Unit,
    "MeasureUnit",
    "What a value is counted in.",
    {
        Unit.MONEY: "In `shop.currency`, two decimals.",
        Unit.COUNT: "Whole things.",
        Unit.PERCENT: "Percent, two decimals: 12.50 is one in eight.",
        Unit.RATIO: "So many to one, two decimals.",
        Unit.DAYS: "Days, two decimals.",
    },
)


describe_enum(
    Source,
    "ReportSource",
    "Where members of a dimension are known from.",
    {
        Source.SALES: "Sold, or paid back, in the range.",
        Source.STOCK: "In the stock ledger by the end of the range.",
        Source.EVENTS: "Seen, put into a cart or taken to a checkout in the range.",
    },
)


@strawberry.input(description="Both days are included.")
class DateRange:
    from_: date = strawberry.field(name="from", description="First day.")
    to: date = strawberry.field(description="Last day.")


@strawberry.input(one_of=True, description="The running one and those before it, so many in all; give exactly one.")
class LastPeriods:
    days: int | None = strawberry.field(default=strawberry.UNSET, description="`days: 1` is today.")
    weeks: int | None = strawberry.field(default=strawberry.UNSET, description="Weeks, from Monday.")
    months: int | None = strawberry.field(default=strawberry.UNSET, description="Months.")
    quarters: int | None = strawberry.field(default=strawberry.UNSET, description="Quarters.")
    years: int | None = strawberry.field(default=strawberry.UNSET, description="Years.")


@strawberry.input(one_of=True, description="The time that a report is about; give exactly one.")
class ReportRange:
    preset: Preset | None = strawberry.field(default=strawberry.UNSET, description="By name.")
    dates: DateRange | None = strawberry.field(default=strawberry.UNSET, description="By first and last day.")
    last: LastPeriods | None = strawberry.field(
        default=strawberry.UNSET, description="Such as `{ months: 12 }`: this month and the 11 before."
    )


class ReportFilter:
    """A list of values for each dimension with `filter_words`, under the dimension's name, and `not`."""

    not_: "ReportFilter | None" = strawberry.field(
        name="not", default=None, description="Leaves out what has one of these values."
    )


_FILTERED: Mapping[Dimension, Any] = {
    Dimension.PRODUCT: list[strawberry.ID],
    Dimension.VARIANT: list[strawberry.ID],
    Dimension.SIZE: list[Size],
    Dimension.DISCOUNTED: bool,
    Dimension.DISCOUNT_CODE: list[str | None],
    Dimension.WEEKDAY: list[int],
    Dimension.HOUR_OF_DAY: list[int],
}
"""What a filter takes; of all other dimensions a list of texts."""


def _filters() -> dict[str, Any]:
    """The types of the fields by their names, those of the clock last; the fields themselves are set."""
    types: dict[str, Any] = {}
    for dimension in sorted(Dimension, key=CLOCK.__contains__):
        if dimension.facts.filter_words is not None:
            name = dimension.name.lower()
            setattr(ReportFilter, name, strawberry.field(default=None, description=dimension.facts.filter_words))
            types[name] = _FILTERED.get(dimension, list[str]) | None
    return types


ReportFilter.__annotations__ = {**_filters(), **ReportFilter.__annotations__}
strawberry.input(
    ReportFilter,
    description="Keeps what has one of the values in every field that is given. A null in a list means none, as in "
    "`discountCode: [null]`.",
)


_PARSED: Mapping[str, Any] = {
    "product": parse_id,
    "variant": parse_id,
}


def conditions_of(filter: ReportFilter | None, categories: Categories, *, negated: bool = False) -> list[Condition]:
    """Raises IncompatibleDimensions."""
    if filter is None:
        return []
    conditions = []
    for dimension in Dimension:
        name = dimension.name.lower()
        values = getattr(filter, name, None)
        if values is None:
            continue
        values = values if isinstance(values, list) else [values]
        parse = _PARSED.get(name, lambda value: value)
        conditions.append(condition(dimension, values, categories, negated=negated, parse=parse))
    if filter.not_ is not None and negated:
        raise IncompatibleDimensions("`not` inside `not` says nothing that could not be said without either.")
    return conditions + conditions_of(filter.not_, categories, negated=True)


@strawberry.input(description="Keeps rows whose measure lies within; rows without a value are dropped.")
class MeasureBound:
    measure: Measure = strawberry.field(description="What is compared, selected or not.")
    at_least: Decimal | None = strawberry.field(default=None, description="In the measure's unit.")
    at_most: Decimal | None = strawberry.field(default=None, description="In the measure's unit.")


@strawberry.enum(description="Which way a list runs.")
class SortDirection(Enum):
    ASCENDING = strawberry.enum_value("ascending", description="Least, earliest or A first.")
    DESCENDING = strawberry.enum_value("descending", description="Most, latest or Z first.")


@strawberry.input(description="By a measure or by a dimension: give exactly one of the two.")
class ReportOrder:
    measure: Measure | None = strawberry.field(default=None, description="Selected or not.")
    dimension: Dimension | None = strawberry.field(default=None, description="One that stands in `by`.")
    direction: SortDirection = strawberry.field(default=SortDirection.DESCENDING, description="Most first by default.")


@strawberry.input(description="Keeps the members of a dimension that have most; the others share one row, Other.")
class TopMembers:
    n: int = strawberry.field(description="How many keep a row of their own, 1 to 100.")
    of: Dimension = strawberry.field(description="One that stands in `by`, and is no time.")
    by: Measure = strawberry.field(description="What they must have most of, over the whole range.")


def span_of(range: ReportRange, now: datetime, zone: Any) -> Span:
    """Raises IncompatibleDimensions."""
    if range.preset:
        return ranges.of_preset(range.preset, now, zone)
    if range.dates:
        return ranges.of_dates(range.dates.from_, range.dates.to, zone)
    last = range.last
    for grain in (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR):
        count = getattr(last, f"{grain.value}s", None)
        if isinstance(count, int):
            return ranges.of_last(count, grain, now, zone)
    raise IncompatibleDimensions("A range is one of `preset`, `dates` and `last`.")


def ordering_of(orders: Sequence[ReportOrder]) -> tuple[request.ReportOrdering, ...]:
    """Raises IncompatibleDimensions."""
    ordering = []
    for each in orders:
        by = each.measure or each.dimension
        if by is None or (each.measure and each.dimension):
            raise IncompatibleDimensions("An order names either a `measure` or a `dimension`.")
        ordering.append(request.ReportOrdering(by, each.direction is SortDirection.DESCENDING))
    return tuple(ordering)


def top_members_of(top: TopMembers | None) -> request.TopMembersOnly | None:
    """Raises IncompatibleDimensions."""
    if top is not None and not 1 <= top.n <= 100:
        raise IncompatibleDimensions(f"`top` keeps 1 to 100 members, not {top.n}.")
    return request.TopMembersOnly(top.n, top.of, top.by) if top else None

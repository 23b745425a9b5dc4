"""What a report is asked for: span, dimensions, measures, filters and order."""

from collections.abc import Set
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.language import (
    KNOWN,
    MEASURES,
    TIME,
    BaseMeasure,
    Dimension,
    Measure,
    Source,
    source_dimensions,
)
from server.analytics.reports.question import Condition
from server.analytics.reports.ranges import Period, Span

Comparison = tuple[Period, bool]
"""The period to compare with, and whether only up to the elapsed part of the range."""


@dataclass(frozen=True)
class MeasureRange:
    """Keeps rows whose measure is in the range, bounds included; rows without a value are dropped."""

    measure: Measure
    at_least: Decimal | None = None
    at_most: Decimal | None = None

    def holds(self, value: Decimal | None) -> bool:
        """Whether the value is in the range."""
        if value is None:
            return False
        low, high = self.at_least, self.at_most
        return (low is None or value >= low) and (high is None or value <= high)


@dataclass(frozen=True)
class ReportOrdering:
    """Sorts by a measure or a dimension."""

    by: Measure | Dimension
    descending: bool = False


@dataclass(frozen=True)
class TopMembersOnly:
    """Keeps the `count` members of a dimension with the highest measure; the others share one row."""

    count: int
    of: Dimension
    measure: Measure


@dataclass(frozen=True)
class ReportRequest:
    """A complete request for a report."""

    span: Span
    by: tuple[Dimension, ...]
    measures: tuple[Measure, ...]
    where: tuple[Condition, ...] = ()
    having: tuple[MeasureRange, ...] = ()
    order: tuple[ReportOrdering, ...] = ()
    top: TopMembersOnly | None = None
    fill_gaps: bool = True
    comparisons: tuple[Comparison, ...] = ()
    rows_of: tuple[Source, ...] = (Source.SALES,)
    """The sources whose members make rows, whatever is measured."""
    sizes: tuple[str, ...] = ()
    """The order of sizes, where rows are by size."""
    page: range | None = None
    """Indices of the rows to be shown; None for all."""

    @cached_property
    def needed(self) -> tuple[Measure, ...]:
        """Every measure that has to be computed, shown or not."""
        extra = [bound.measure for bound in self.having]
        extra += [order.by for order in self.order if isinstance(order.by, Measure)]
        extra += [self.top.measure] if self.top else []
        return tuple(dict.fromkeys((*self.measures, *extra)))

    @cached_property
    def bases(self) -> tuple[BaseMeasure, ...]:
        """The base measures from which the needed measures are derived."""
        return tuple(dict.fromkeys(base for measure in self.needed for base in MEASURES[measure].needs))


def check(ask: ReportRequest) -> None:
    """Raises IncompatibleDimensions, which says what would fit."""
    if len(set(ask.by)) != len(ask.by):
        raise IncompatibleDimensions("Each dimension can stand in `by` once.")
    used = {*ask.by, *(condition.dimension for condition in ask.where)}
    for measure in ask.needed:
        dimensions = source_dimensions(measure)
        if not used <= dimensions:
            raise IncompatibleDimensions(
                f"{measure.name} cannot be split or filtered by {_names(used - dimensions)}. "
                f"It goes with {_names(dimensions)}."
            )
    for source in ask.rows_of:
        if not used <= KNOWN[source]:
            raise IncompatibleDimensions(
                f"Rows of {source.name} know no {_names(used - KNOWN[source])}. "
                f"They can be split and filtered by {_names(KNOWN[source])}."
            )
    if ask.top and ask.top.of not in ask.by:
        raise IncompatibleDimensions(f"`top` keeps members of {ask.top.of.name}, which is not in `by`.")
    if ask.top and ask.top.of in TIME:
        raise IncompatibleDimensions("`top` keeps members of a dimension that is not a time.")
    for order in ask.order:
        if isinstance(order.by, Dimension) and order.by not in ask.by:
            raise IncompatibleDimensions(f"Rows can be ordered by {order.by.name} only when it is in `by`.")


def _names(dimensions: Set[Dimension]) -> str:
    return ", ".join(dimension.name for dimension in Dimension if dimension in dimensions)

"""Keys, labels and values of a report's rows in the GraphQL schema."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any

import strawberry

from server.analytics.reports import result
from server.analytics.reports.export import change
from server.analytics.reports.language import (
    MEASURES,
    Dimension,
    Measure,
    Unit,
    formatted,
    percent,
)
from server.analytics.reports.question import GRAINS, OTHER
from server.analytics.reports.ranges import Period, Span


@strawberry.type(description="A span of days of one time zone; both days are included.")
class ReportSpan:
    from_: date = strawberry.field(name="from", description="First day.")
    to: date = strawberry.field(description="Last day.")
    days: int = strawberry.field(description="Days begun.")
    time_zone: str = strawberry.field(description="Whose midnights and clock.")
    start: datetime = strawberry.field(description="The moment it begins.")
    end: datetime = strawberry.field(description="The moment it is over; not included.")

    @classmethod
    def of(cls, span: Span) -> "ReportSpan":
        """From the service's span."""
        start, end = span.utc()
        return cls(
            from_=span.start.date(), to=span.last_day, days=span.days, time_zone=span.zone.key, start=start, end=end
        )


@strawberry.type(description="What one row stands for in one dimension.")
class DimensionValue:
    source: strawberry.Private[result.Report]
    part: strawberry.Private[Any]
    dimension: Dimension = strawberry.field(description="Which dimension.")

    @strawberry.field(
        description="For programs: an id, a code, the first day (or hour) of a time; null where there is none."
    )
    def key(self) -> str | None:
        return key_text(self.dimension, self.part)

    @strawberry.field(description="For people.")
    def label(self) -> str:
        return self.source.labels.of(self.dimension, self.part)

    @strawberry.field(description="A time that is not over yet, or sticks out of the range.")
    def is_part(self) -> bool:
        grain, now = GRAINS.get(self.dimension), self.source.now
        return grain is not None and self.source.ask.span.is_part(grain, self.part, now)

    @strawberry.field(description="The row of all members that `top` left out.")
    def is_other(self) -> bool:
        top = self.source.ask.top
        return top is not None and top.of is self.dimension and self.part == OTHER


@strawberry.type(description="The same measure over another time.")
class Comparison:
    amount: Decimal | None = strawberry.field(
        description="Its value then; null where there was none, or no row that corresponds."
    )
    formatted: str = strawberry.field(description="Its value then, for people.")
    difference: Decimal | None = strawberry.field(description="Now less then.")
    change: Decimal | None = strawberry.field(description="Percent up or down; null from nothing.")
    formatted_change: str = strawberry.field(description='For people, such as "+8.4%".')
    range: ReportSpan = strawberry.field(description="The time that was compared with.")


@strawberry.type(description="A measure of one row, exact and as a person reads it.")
class MeasureValue:
    source: strawberry.Private[result.Report]
    row: strawberry.Private[result.ResultRow]
    measure: Measure = strawberry.field(description="Which measure.")

    @strawberry.field(
        description="Exact; null where there is nothing to divide by, and of visits where none were recorded yet."
    )
    def amount(self) -> Decimal | None:
        return self.source.value(self.measure, self.row)

    @strawberry.field(description='For people, such as "$1,234.50".')
    def formatted(self) -> str:
        return formatted(self.source.value(self.measure, self.row), self.unit())

    @strawberry.field(description="What it is counted in.")
    def unit(self) -> Unit:
        return MEASURES[self.measure].unit

    @strawberry.field(description="Percent of the total; null for measures that do not add up.")
    def share(self) -> Decimal | None:
        if not MEASURES[self.measure].adds_up:
            return None
        part, whole = (self.source.value(self.measure, row) for row in (self.row, self.source.total))
        return None if part is None or whole is None else percent(part, whole)

    @strawberry.field(
        description="This and everything earlier in the range, within the same other dimensions, rows that `having` "
        "drops included. Null without a time in `by`, in totals, and for measures that do not add up."
    )
    def cumulative(self) -> Decimal | None:
        return self.source.cumulative(self.measure, self.row)

    @strawberry.field(description="1 for the row that has most; equals share a rank. Null in totals and for Other.")
    def rank(self) -> int | None:
        return self.source.rank(self.measure, self.row)

    @strawberry.field(
        description="The same measure over another time. Costs as much as the report again. A row is compared with the "
        "row that covers exactly the same part of the earlier time, and with nothing where there is none: weeks with "
        "weeks, days and hours with the same date, a running period with the same part of the earlier one, to the "
        "hour. A range of whole weeks, and a WEEKDAY in `by`, shift by weeks, Monday to Monday, unless MONTH, QUARTER "
        "or YEAR is there too."
    )
    def versus(
        self,
        period: Annotated[Period, strawberry.argument(description="With what.")],
        to_date: Annotated[
            bool,
            strawberry.argument(
                description="While the range is still running, compare with as much of the other one as has come of "
                "it, up to the end of the current hour."
            ),
        ] = True,
    ) -> Comparison:
        comparison = (period, to_date)
        now, before = (
            self.source.value(self.measure, self.row),
            self.source.compared_value(comparison, self.measure, self.row),
        )
        up = change(now, before)
        sign = "+" if up is not None and up > 0 else ""
        return Comparison(
            amount=before,
            formatted=formatted(before, self.unit()),
            difference=now - before if now is not None and before is not None else None,
            change=up,
            formatted_change=sign + formatted(up, Unit.PERCENT),
            range=ReportSpan.of(self.source.compared[comparison].span),
        )


def key_text(dimension: Dimension, key: Any) -> str | None:
    """A key as text for clients; None for no member."""
    if key is None or key == "":
        return None
    if isinstance(key, datetime):
        return key.isoformat(timespec="minutes") if dimension is Dimension.HOUR else key.date().isoformat()
    return str(key).lower() if isinstance(key, bool) else str(key)

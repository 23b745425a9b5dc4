"""The report language in the GraphQL schema."""

import asyncio
import builtins
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession
from strawberry.types.nodes import FragmentSpread, InlineFragment, SelectedField

from server.analytics import facts
from server.analytics.reports import ranges, report
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.export import as_csv, change
from server.analytics.reports.filters import condition
from server.analytics.reports.language import (
    MEASURES,
    Dimension,
    Measure,
    Source,
    Unit,
    formatted,
    percent,
)
from server.analytics.reports.plan import GRAINS, OTHER, Condition
from server.analytics.reports.pool import ReportsPool
from server.analytics.reports.ranges import Grain, Period, Preset, Span
from server.analytics.reports.words import DIMENSION_WORDS, PERIOD_WORDS, PRESET_WORDS, described
from server.audit import service as audit
from server.catalog.graphql import Gender, Size, Subcategory
from server.core.batches import slices
from server.core.cursors import decode_cursor, encode_cursor, integer_key, page_size
from server.core.db import begin
from server.core.text import parse_id
from server.gql.pagination import After, Connection, First, PageInfo, page_info
from server.gql.types import Info
from server.orders.admin.order import WholeOrder, order_of
from server.orders.queries import by_ids as orders_by_ids

MOST_ROWS = 1_000
MISSING = (
    "What the figures do not show yet: orders that are being counted anew after an upgrade or a change of the shop's "
    "time zone, or that could not be counted; null when they show everything up to `freshness`."
)
FRESHNESS = "Facts follow payments, refunds and changes of category within seconds; this says how far they are."
NOTED_LAG = timedelta(seconds=5)
"""A report that is further behind says so in its notes."""
AT_ONCE = 5
"""Rows whose values are computed between two turns of the event loop, which takes half a millisecond."""

described(Measure, "ReportMeasure", "What a report counts or sums.", {m: MEASURES[m].formula for m in Measure})
described(Dimension, "ReportDimension", "What a report's rows stand for.", DIMENSION_WORDS)
described(Preset, "RangePreset", "A range that has a name; weeks begin on Monday.", PRESET_WORDS)
described(Period, "ComparisonPeriod", "What a value is compared with.", PERIOD_WORDS)
described(
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
described(
    Source,
    "ReportSource",
    "Where members of a dimension are known from.",
    {
        Source.SALES: "Sold, or paid back, in the range.",
        Source.STOCK: "In the stock ledger by the end of the range.",
        Source.EVENTS: "Seen, put into a cart or taken to a checkout in the range.",
    },
)


@strawberry.enum(description="Kind of file.")
class ExportFormat(Enum):
    CSV = strawberry.enum_value("csv", description="Comma-separated values, UTF-8, for spreadsheets.")


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


@strawberry.input(
    description="Keeps what has one of the values in every field that is given. A null in a list means none, as in "
    "`discountCode: [null]`."
)
class ReportFilter:
    category: list[str] | None = strawberry.field(default=None, description='Such as `"men_shirts"`.')
    gender: list[Gender] | None = strawberry.field(default=None, description="Whom it is cut for.")
    subcategory: list[Subcategory] | None = strawberry.field(default=None, description="Kind of clothing.")
    product: list[strawberry.ID] | None = strawberry.field(default=None, description="Product ids.")
    variant: list[strawberry.ID] | None = strawberry.field(default=None, description="Variant ids.")
    color: list[str] | None = strawberry.field(default=None, description="Names of colors, as sold.")
    size: list[Size] | None = strawberry.field(default=None, description="Sizes.")
    price_band: list[str] | None = strawberry.field(default=None, description="Keys of price bands; see `catalogue`.")
    discounted: bool | None = strawberry.field(default=None, description="Sold below its full price or not.")
    discount_code: list[str | None] | None = strawberry.field(default=None, description="Codes of orders.")
    country: list[str] | None = strawberry.field(default=None, description="As the shopper wrote it.")
    city: list[str] | None = strawberry.field(default=None, description="As the shopper wrote it.")
    customer_kind: list[str] | None = strawberry.field(default=None, description="`new` or `returning`.")
    payment_status: list[str] | None = strawberry.field(
        default=None, description="`paid`, `partially_refunded` or `refunded`."
    )
    weekday: list[int] | None = strawberry.field(default=None, description="1 is Monday, 7 Sunday.")
    hour_of_day: list[int] | None = strawberry.field(default=None, description="0 to 23.")
    not_: "ReportFilter | None" = strawberry.field(
        name="not", default=None, description="Leaves out what has one of these values."
    )


_PARSED: Mapping[str, Any] = {
    "gender": lambda value: value.value,
    "subcategory": lambda value: value.value,
    "size": lambda value: value.value,
    "product": parse_id,
    "variant": parse_id,
}


def _conditions(given: ReportFilter | None, *, negated: bool = False) -> list[Condition]:
    """Raises IncompatibleDimensions."""
    if given is None:
        return []
    found = []
    for dimension in Dimension:
        name = dimension.name.lower()
        values = getattr(given, name, None)
        if values is None:
            continue
        values = values if isinstance(values, list) else [values]
        found.append(condition(dimension, values, negated=negated, parse=_PARSED.get(name, lambda value: value)))
    if given.not_ is not None and negated:
        raise IncompatibleDimensions("`not` inside `not` says nothing that could not be said without either.")
    return found + _conditions(given.not_, negated=True)


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
    source: strawberry.Private[report.Report]
    part: strawberry.Private[Any]
    dimension: Dimension = strawberry.field(description="Which dimension.")

    @strawberry.field(
        description="For programs: an id, a code, the first day (or hour) of a time; null where there is none."
    )
    def key(self) -> str | None:
        return _key_text(self.dimension, self.part)

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
    source: strawberry.Private[report.Report]
    row: strawberry.Private[report.ResultRow]
    measure: Measure = strawberry.field(description="Which measure.")

    @strawberry.field(description="Exact; null where there is nothing to divide by.")
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
        whole = self.source.value(self.measure, self.source.total)
        return percent(self.source.value(self.measure, self.row) or Decimal(0), whole or Decimal(0))

    @strawberry.field(
        description="This and everything earlier in the range, within the same other dimensions, rows that `having` "
        "drops included. Null without a time in `by`, in totals, and for measures that do not add up."
    )
    def cumulative(self) -> Decimal | None:
        return self.source.cumulative(self.measure, self.row)

    @strawberry.field(description="1 for the row that has most; equals share a rank. Null in totals.")
    def rank(self) -> int | None:
        return self.source.rank(self.measure, self.row)

    @strawberry.field(
        description="The same measure over another time. Costs as much as the report again. A row is compared with the "
        "row that covers exactly the same part of the earlier time, and with nothing where there is none: weeks with "
        "weeks, days and hours with the same date, a running month with as many days of the earlier one. A WEEKDAY in "
        "`by` shifts by weeks unless MONTH, QUARTER or YEAR is there too."
    )
    def versus(
        self,
        period: Annotated[Period, strawberry.argument(description="With what.")],
        to_date: Annotated[
            bool,
            strawberry.argument(
                description="While the range is still running, compare with as much of the other one as has come of it."
            ),
        ] = True,
    ) -> Comparison:
        asked = (period, to_date)
        now, before = (
            self.source.value(self.measure, self.row),
            self.source.compared_value(asked, self.measure, self.row),
        )
        up = change(now, before)
        sign = "+" if up is not None and up > 0 else ""
        return Comparison(
            amount=before,
            formatted=formatted(before, self.unit()),
            difference=now - before if now is not None and before is not None else None,
            change=up,
            formatted_change=sign + formatted(up, Unit.PERCENT),
            range=ReportSpan.of(self.source.compared[asked].span),
        )


@strawberry.type(description="One row of a report.")
class ReportRow:
    source: strawberry.Private[report.Report]
    row: strawberry.Private[report.ResultRow]

    @strawberry.field(description="What the row stands for in one of the dimensions of `by`; null in totals.")
    def dim(
        self,
        is_: Annotated[Dimension, strawberry.argument(name="is", description="One that stands in `by`.")],
    ) -> DimensionValue | None:
        ask = self.source.ask
        if self.row is self.source.total:
            return None
        if is_ not in ask.by:
            raise IncompatibleDimensions(
                f"{is_.name} is not in `by`; rows stand for {', '.join(each.name for each in ask.by)}."
            )
        return DimensionValue(source=self.source, part=self.row.key[ask.by.index(is_)], dimension=is_)

    @strawberry.field(description="A measure of the row. Selecting one never changes which rows there are.")
    def measure(
        self, is_: Annotated[Measure, strawberry.argument(name="is", description="Which measure.")]
    ) -> MeasureValue:
        return MeasureValue(source=self.source, row=self.row, measure=is_)

    @strawberry.field(description="How many orders stand behind the row: `measure(is: ORDERS)` as a number.")
    def orders(self) -> int:
        return int(self.source.value(Measure.ORDERS, self.row) or 0)

    @strawberry.field(
        description="The orders behind the row, the latest first: sold, or paid back, in it. Two statements a row."
    )
    async def behind(self, info: Info, first: First = 20, after: After = None) -> Connection[WholeOrder]:
        size, start = page_size(first), _start(after)
        async with info.context.resources.get(ReportsPool).snapshot() as (session, _):
            shop_zone = (await facts.standing(session)).time_zone
            ids, count = await report.orders_behind(
                session, self.source, self.row, shop_zone=shop_zone, limit=size, after=start
            )
            found = await orders_by_ids(session, ids)
        nodes = [order_of(found[order_id]) for order_id in ids if order_id in found]
        places = [(start + index,) for index in builtins.range(len(nodes))]
        return Connection.of(nodes, places, has_next=start + len(ids) < count, has_previous=start > 0, total=count)


def _start(after: str | None) -> int:
    """The index of a page's first row. Raises InvalidInput for a cursor of another list."""
    place = decode_cursor(after, integer_key(bits=32))
    return max(place[0] + 1, 0) if place else 0


def _key_text(dimension: Dimension, key: Any) -> str | None:
    if key is None or key == "":
        return None
    if isinstance(key, datetime):
        return key.isoformat(timespec="minutes") if dimension is Dimension.HOUR else key.date().isoformat()
    return str(key).lower() if isinstance(key, bool) else str(key)


@strawberry.type(description="How far the facts behind reports are.")
class DataFreshness:
    until: datetime = strawberry.field(
        description="Everything that was sold and paid back up to this moment is counted, but for what `missing` names."
    )
    lag_seconds: int = strawberry.field(description="How far that is behind the answer's moment; usually 0.")

    @classmethod
    def of(cls, standing: facts.FactsState) -> "DataFreshness":
        """From the state of the facts."""
        return cls(until=standing.fresh_until, lag_seconds=int(standing.lag.total_seconds()))


@strawberry.type(description="How an answer came about.")
class ReportMeta:
    as_of: datetime = strawberry.field(description="The moment whose state it shows.")
    time_zone: str = strawberry.field(description="Whose clock divides days and hours.")
    cost: int = strawberry.field(
        description="One for every 1,000 facts read and 20 rows made, for the range and again for each comparison; "
        "known before it ran."
    )
    cost_limit: int = strawberry.field(description="A report above this is refused.")
    milliseconds: int = strawberry.field(description="Time in the database and the server.")
    source: str = strawberry.field(description="What was read: every line sold, or sums made beforehand.")
    is_part: bool = strawberry.field(description="The range is still running.")
    freshness: DataFreshness = strawberry.field(description=FRESHNESS)
    missing: str | None = strawberry.field(description=MISSING)
    notes: list[str] = strawberry.field(
        description="Until when it counts, if that is behind; that gaps are left, if they are; from when to when each "
        "comparison is; and how the selected measures are counted. A sentence each."
    )


@strawberry.type(description="Rows of measures by dimensions.")
class Report:
    source: strawberry.Private[report.Report]
    first: strawberry.Private[int]
    start: strawberry.Private[int]
    standing: strawberry.Private[facts.FactsState]

    @strawberry.field(
        description="The page's rows: times in order, otherwise the most of the first measure first.",
        graphql_type=list[ReportRow],
    )
    async def rows(self) -> AsyncIterator[ReportRow]:
        shown, whole = self.source.shown, self.source.ask.page is None
        async for some in slices(shown[self.start : self.start + self.first] if whole else shown, AT_ONCE):
            for row in some:
                yield ReportRow(source=self.source, row=row)

    @strawberry.field(description="Everything together, worked out anew: an average of all, not the sum of averages.")
    def totals(self) -> ReportRow:
        return ReportRow(source=self.source, row=self.source.total)

    @strawberry.field(description="Rows over all pages.")
    def row_count(self) -> int:
        return len(self.source.rows)

    @strawberry.field(description="The page's place in the whole.")
    def page_info(self) -> PageInfo:
        shown = builtins.range(self.start, min(self.start + self.first, len(self.source.rows)))
        return page_info(
            [encode_cursor(index) for index in shown],
            has_next=self.start + self.first < len(self.source.rows),
            has_previous=self.start > 0,
        )

    @strawberry.field(description="The time that the report is about.")
    def range(self) -> ReportSpan:
        return ReportSpan.of(self.source.ask.span)

    @strawberry.field(description="When, by which clock, at what cost, and how it is counted.")
    def meta(self) -> ReportMeta:
        asked = self.source.ask
        return ReportMeta(
            as_of=self.source.as_of,
            time_zone=asked.span.zone.key,
            cost=self.source.cost,
            cost_limit=report.COST_LIMIT,
            milliseconds=self.source.milliseconds,
            source=self.source.source,
            is_part=self.source.elapsed.end < asked.span.end or self.source.now < asked.span.end,
            freshness=DataFreshness.of(self.standing),
            missing=self.standing.missing,
            notes=[
                *self._behind(),
                *self._gaps(),
                *self._compared(),
                *(f"{MEASURES[each].label}: {MEASURES[each].formula}" for each in asked.measures),
            ],
        )

    def _behind(self) -> Iterator[str]:
        if self.standing.lag > NOTED_LAG:
            until = self.standing.fresh_until.astimezone(self.source.ask.span.zone)
            yield f"Counted until {until:%Y-%m-%d %H:%M:%S}: what happened since is still being counted."

    def _gaps(self) -> Iterator[str]:
        if self.source.unfilled:
            yield (
                f"Gaps are left: with them filled it would have {self.source.unfilled:,} rows, and"
                f" {report.ROW_LIMIT:,} is the most. Choose a coarser time or fewer dimensions to have them filled."
            )

    def _compared(self) -> Iterator[str]:
        """Such as "Previous year: compared with 2025-10-06 to 2025-11-23, 52 weeks earlier."."""
        for (period, _), other in self.source.compared.items():
            yield f"{period.value.capitalize()}: compared with {other.span.words}, {other.shift.words}."

    @strawberry.field(description="All rows and the totals as the text of a file.")
    async def export(
        self,
        info: Info,
        format: Annotated[ExportFormat, strawberry.argument(description="Kind of file.")] = ExportFormat.CSV,
    ) -> str:
        measured = ", ".join(MEASURES[each].label for each in self.source.ask.measures)
        by = ", ".join(each.value for each in self.source.ask.by)
        exported = audit.AuditSubject("export", "report", f"{measured} by {by}" if by else measured)
        async with begin(info.context.sessions) as session:
            await audit.record(session, info.context.signed_in, "exported", exported)
        return await {ExportFormat.CSV: as_csv}[format](self.source)


@dataclass(frozen=True)
class _Selected:
    measures: tuple[Measure, ...]
    comparisons: tuple[report.Comparison, ...]
    every_row: bool


def _selected(info: Info) -> _Selected:
    """The measures and comparisons that the query selects, and whether only for the rows of the page."""
    measures: dict[Measure, None] = {}
    comparisons: dict[report.Comparison, None] = {}
    every_row = False
    for field in _fields(info.selected_fields):
        if field.name == "orders":
            measures[Measure.ORDERS] = None
        # A value's own measure is called `measure` too, but has no arguments.
        if field.name == "measure" and "is" in field.arguments:
            measures[_member(Measure, field.arguments["is"])] = None
        every_row = every_row or field.name == "export"
        if field.name == "versus":
            to_date = field.arguments.get("toDate", True)
            comparisons[_member(Period, field.arguments.get("period")), bool(to_date)] = None
    return _Selected(tuple(measures), tuple(comparisons), every_row)


def _fields(nodes: Iterable[Any]) -> Iterable[SelectedField]:
    for node in nodes:
        if not _is_included(node):
            continue
        if isinstance(node, SelectedField):
            yield node
        if isinstance(node, SelectedField | FragmentSpread | InlineFragment):
            yield from _fields(node.selections)


def _is_included(node: Any) -> bool:
    directives = getattr(node, "directives", {})
    return directives.get("include", {}).get("if", True) and not directives.get("skip", {}).get("if", False)


def _member(kind: Any, given: Any) -> Any:
    return given if isinstance(given, kind) else kind[str(given)]


@dataclass(frozen=True)
class ReportSnapshot:
    """A snapshot for reports on one span; `now` is the wall clock of its zone, `standing` the state of the facts."""

    session: AsyncSession
    span: Span
    shop_zone: str
    as_of: datetime
    now: datetime
    standing: facts.FactsState


@asynccontextmanager
async def asking(info: Info, given: ReportRange, time_zone: str | None) -> AsyncIterator[ReportSnapshot]:
    """Opens a snapshot, in the shop's time zone unless another is named. Raises IncompatibleDimensions."""
    async with info.context.resources.get(ReportsPool).snapshot() as (session, as_of):
        standing = await facts.standing(session)
        zone = ranges.zone_of(time_zone or standing.time_zone)
        now = as_of.astimezone(zone).replace(tzinfo=None)
        yield ReportSnapshot(session, _span(given, now, zone), standing.time_zone, as_of, now, standing)


def _span(given: ReportRange, now: datetime, zone: Any) -> Span:
    """Raises IncompatibleDimensions."""
    if given.preset:
        return ranges.of_preset(given.preset, now, zone)
    if given.dates:
        return ranges.of_dates(given.dates.from_, given.dates.to, zone)
    last = given.last
    for grain in (Grain.DAY, Grain.WEEK, Grain.MONTH, Grain.QUARTER, Grain.YEAR):
        count = getattr(last, f"{grain.value}s", None)
        if isinstance(count, int):
            return ranges.of_last(count, grain, now, zone)
    raise IncompatibleDimensions("A range is one of `preset`, `dates` and `last`.")


def _order(given: Sequence[ReportOrder]) -> tuple[report.ReportOrdering, ...]:
    """Raises IncompatibleDimensions."""
    found = []
    for each in given:
        by = each.measure or each.dimension
        if by is None or (each.measure and each.dimension):
            raise IncompatibleDimensions("An order names either a `measure` or a `dimension`.")
        found.append(report.ReportOrdering(by, each.direction is SortDirection.DESCENDING))
    return tuple(found)


def _top(given: TopMembers | None) -> report.TopMembersOnly | None:
    """Raises IncompatibleDimensions."""
    if given is not None and not 1 <= given.n <= 100:
        raise IncompatibleDimensions(f"`top` keeps 1 to 100 members, not {given.n}.")
    return report.TopMembersOnly(given.n, given.of, given.by) if given else None


async def answer(
    info: Info,
    *,
    range: ReportRange,
    by: Sequence[Dimension],
    where: ReportFilter | None,
    having: Sequence[MeasureBound],
    order_by: Sequence[ReportOrder],
    first: int,
    after: str | None,
    fill_gaps: bool,
    top: TopMembers | None,
    time_zone: str | None,
    rows_of: Sequence[Source],
) -> Report:
    """Runs the report that a query asks for. Raises IncompatibleDimensions and QueryTooExpensive."""
    if not 1 <= first <= MOST_ROWS:
        raise IncompatibleDimensions(f"`first` is 1 to {MOST_ROWS:,}, not {first}.")
    started = time.perf_counter()
    await asyncio.sleep(0)
    selected = _selected(info)
    start = _start(after)
    async with asking(info, range, time_zone) as about:
        asked = report.ReportRequest(
            span=about.span,
            by=tuple(by),
            measures=selected.measures,
            where=tuple(_conditions(where)),
            having=tuple(report.MeasureRange(each.measure, each.at_least, each.at_most) for each in having),
            order=_order(order_by),
            top=_top(top),
            fill_gaps=fill_gaps,
            comparisons=selected.comparisons,
            rows_of=tuple(rows_of),
            page=None if selected.every_row else builtins.range(start, start + first),
        )
        made = await report.run(about.session, asked, shop_zone=about.shop_zone, as_of=about.as_of)
    made.milliseconds = round((time.perf_counter() - started) * 1000)
    return Report(source=made, first=first, start=start, standing=about.standing)

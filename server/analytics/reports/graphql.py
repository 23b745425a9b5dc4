"""The report language in the GraphQL schema."""

import asyncio
import builtins
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Annotated

import strawberry
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import facts
from server.analytics.reports import ranges, report, request, result
from server.analytics.reports.cost import COST_LIMIT, ROW_LIMIT
from server.analytics.reports.errors import IncompatibleDimensions
from server.analytics.reports.export import as_csv
from server.analytics.reports.inputs import (
    MeasureBound,
    ReportFilter,
    ReportOrder,
    ReportRange,
    TopMembers,
    conditions_of,
    ordering_of,
    span_of,
    top_members_of,
)
from server.analytics.reports.language import (
    MEASURES,
    Dimension,
    Measure,
    Source,
)
from server.analytics.reports.pool import ReportsPool
from server.analytics.reports.ranges import Span
from server.analytics.reports.selection import selected_in
from server.analytics.reports.values import DimensionValue, MeasureValue, ReportSpan
from server.audit import service as audit
from server.catalog import category_queries
from server.catalog.categories import Categories
from server.orders.admin.order import WholeOrder, order_of
from server.orders.queries import by_ids as orders_by_ids
from server.platform.core.batches import slices
from server.platform.core.cursors import decode_cursor, encode_cursor, integer_key, page_size
from server.platform.core.db import begin
from server.platform.gql.pagination import After, Connection, First, PageInfo, page_info
from server.platform.gql.types import Info

MOST_ROWS = 1_000
MOST_BOUNDS = 20
"""Members of `having`, and of `orderBy`."""
MISSING = (
    "What the figures do not show yet: orders that are being counted anew after an upgrade or a change of the shop's "
    "time zone, or that could not be counted; null when they show everything up to `freshness`."
)

FRESHNESS = "Facts follow payments, refunds and changes of category within seconds; this says how far they are."
NOTED_LAG = timedelta(seconds=5)
"""A report that is further behind says so in its notes."""
AT_ONCE = 5
"""Rows whose values are computed between two turns of the event loop, which takes half a millisecond."""


@strawberry.enum(description="Kind of file.")
class ExportFormat(Enum):
    CSV = strawberry.enum_value("csv", description="Comma-separated values, UTF-8, for spreadsheets.")


@strawberry.type(description="One row of a report.")
class ReportRow:
    source: strawberry.Private[result.Report]
    row: strawberry.Private[result.ResultRow]

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
            shop_zone = (await facts.facts_state(session)).time_zone
            ids, count = await result.orders_behind(
                session, self.source, self.row, shop_zone=shop_zone, limit=size, after=start
            )
            orders = await orders_by_ids(session, ids)
        nodes = [order_of(orders[order_id]) for order_id in ids if order_id in orders]
        places = [(start + index,) for index in builtins.range(len(nodes))]
        return Connection.of(nodes, places, has_next=start + len(ids) < count, has_previous=start > 0, total=count)


def _start(after: str | None) -> int:
    """The index of a page's first row. Raises InvalidInput for a cursor of another list."""
    place = decode_cursor(after, integer_key(bits=32))
    return max(place[0] + 1, 0) if place else 0


@strawberry.type(description="How far the facts behind reports are.")
class DataFreshness:
    until: datetime = strawberry.field(
        description="Everything that was sold and paid back up to this moment is counted, but for what `missing` names."
    )
    lag_seconds: int = strawberry.field(description="How far that is behind the answer's moment; usually 0.")

    @classmethod
    def of(cls, facts_state: facts.FactsState) -> "DataFreshness":
        """From the state of the facts."""
        return cls(until=facts_state.fresh_until, lag_seconds=int(facts_state.lag.total_seconds()))


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
        description="Until when it counts, if that is behind; that gaps are left, if they are; since when visits are "
        "recorded, if that is within the range; from when to when each comparison is; and how the selected measures "
        "are counted. A sentence each."
    )


@strawberry.type(description="Rows of measures by dimensions.")
class Report:
    source: strawberry.Private[result.Report]
    first: strawberry.Private[int]
    start: strawberry.Private[int]
    facts_state: strawberry.Private[facts.FactsState]

    @strawberry.field(
        description="The page's rows: times and price bands in order, otherwise the most of the first measure first.",
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
        ask = self.source.ask
        return ReportMeta(
            as_of=self.source.as_of,
            time_zone=ask.span.zone.key,
            cost=self.source.cost,
            cost_limit=COST_LIMIT,
            milliseconds=self.source.milliseconds,
            source=self.source.source,
            is_part=self.source.elapsed.end < ask.span.end or self.source.now < ask.span.end,
            freshness=DataFreshness.of(self.facts_state),
            missing=self.facts_state.missing,
            notes=[
                *self._behind(),
                *self._gaps(),
                *self._unrecorded(),
                *self._compared(),
                *(f"{MEASURES[each].label}: {MEASURES[each].formula}" for each in ask.measures),
            ],
        )

    def _behind(self) -> Iterator[str]:
        if self.facts_state.lag > NOTED_LAG:
            until = self.facts_state.fresh_until.astimezone(self.source.ask.span.zone)
            yield f"Counted until {until:%Y-%m-%d %H:%M:%S}: what happened since is still being counted."

    def _gaps(self) -> Iterator[str]:
        if self.source.unfilled:
            yield (
                f"Gaps are left: with them filled it would have {self.source.unfilled:,} rows, and"
                f" {ROW_LIMIT:,} is the most. Choose a coarser time or fewer dimensions to have them filled."
            )

    def _unrecorded(self) -> Iterator[str]:
        since = self.source.visits_since
        if since == datetime.max:  # noqa: DTZ901 - a wall clock
            yield "No visit has been recorded yet."
        elif since > self.source.ask.span.start:
            yield f"Visits are recorded since {since:%Y-%m-%d %H:%M}: before that, they have no figures."

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
class ReportSnapshot:
    """A snapshot for reports on one span; `now` is the wall clock of its zone, `facts_state` the state of the facts."""

    session: AsyncSession
    span: Span
    shop_zone: str
    as_of: datetime
    now: datetime
    facts_state: facts.FactsState


@asynccontextmanager
async def asking(info: Info, range_input: ReportRange, time_zone: str | None) -> AsyncIterator[ReportSnapshot]:
    """Opens a snapshot, in the shop's time zone unless another is named. Raises IncompatibleDimensions."""
    async with info.context.resources.get(ReportsPool).snapshot() as (session, as_of):
        facts_state = await facts.facts_state(session)
        zone = ranges.zone_of(time_zone or facts_state.time_zone)
        now = as_of.astimezone(zone).replace(tzinfo=None)
        yield ReportSnapshot(session, span_of(range_input, now, zone), facts_state.time_zone, as_of, now, facts_state)


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
    for name, bounds in {"having": having, "orderBy": order_by}.items():
        if len(bounds) > MOST_BOUNDS:
            raise IncompatibleDimensions(f"`{name}` takes at most {MOST_BOUNDS} members, not {len(bounds)}.", name)
    started = time.perf_counter()
    await asyncio.sleep(0)
    selected = selected_in(info)
    start = _start(after)
    async with asking(info, range, time_zone) as about:
        has_keys = bool(where) or Dimension.SIZE in by
        categories = await category_queries.categories(about.session) if has_keys else Categories()
        report_request = request.ReportRequest(
            span=about.span,
            by=tuple(by),
            measures=selected.measures,
            where=tuple(conditions_of(where, categories)),
            having=tuple(request.MeasureRange(each.measure, each.at_least, each.at_most) for each in having),
            order=ordering_of(order_by),
            top=top_members_of(top),
            fill_gaps=fill_gaps,
            comparisons=selected.comparisons,
            rows_of=tuple(rows_of),
            sizes=categories.size_choices.names,
            page=None if selected.every_row else builtins.range(start, start + first),
        )
        run_result = await report.run(about.session, report_request, shop_zone=about.shop_zone, as_of=about.as_of)
    run_result.milliseconds = round((time.perf_counter() - started) * 1000)
    return Report(source=run_result, first=first, start=start, facts_state=about.facts_state)

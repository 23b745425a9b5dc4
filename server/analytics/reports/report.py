"""Runs a report: a few statements in one snapshot, combined into rows."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property, lru_cache, partial
from itertools import chain
from math import ceil
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy import Select, bindparam, func, literal_column, select, table
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from server.analytics.models import Sale, SalesDay
from server.analytics.reports import plan
from server.analytics.reports.comparisons import Shift, counterparts, shift_of
from server.analytics.reports.errors import IncompatibleDimensions, QueryTooExpensive
from server.analytics.reports.labels import Labels, labels_of
from server.analytics.reports.language import (
    CLOCK,
    KNOWN,
    MEASURES,
    SOURCE_OF,
    TIME,
    BaseMeasure,
    Dimension,
    Measure,
    Source,
    Sums,
    amount_of,
    in_unit,
    source_dimensions,
)
from server.analytics.reports.plan import GRAINS, OTHER, Condition, Members, ReportStatement
from server.analytics.reports.ranges import DAY, Grain, Period, Span
from server.catalog.models import Product
from server.core.batches import slices

COST_LIMIT = 5_000
ROW_LIMIT = 20_000
LINES_PER_COST = 1_000
ROWS_PER_COST = 20
AT_ONCE = 1_000
"""Rows processed between two turns of the event loop, which takes half a millisecond."""
FETCHED_AT_ONCE = 1_500
"""Rows fetched from the database at a time; reading them takes two milliseconds."""
STATEMENTS = 64
"""Compiled statements cached for repeated questions."""

NO_VALUE = float("-inf")

Key = tuple[Any, ...]
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

    @property
    def grain(self) -> Grain:
        """The unit in which elapsed time is counted: hours when the report uses them or spans a single day."""
        by_hour = {Dimension.HOUR, Dimension.HOUR_OF_DAY} & set(self.by) or self.span.days <= 1
        return Grain.HOUR if by_hour else Grain.DAY


class ResultRow(NamedTuple):
    """One row; `sums` are the base measures from which its values are computed on demand."""

    key: Key
    sums: Sums


@dataclass(frozen=True)
class ComparedReport:
    """The same report over another span."""

    span: Span
    days: int
    sums: Mapping[Key, Sums]
    total: Sums
    shift: Shift
    key_of: Callable[[Key], Key | None]
    """Maps a row's key to the key it is compared with; None where nothing corresponds to it."""


@dataclass
class Report:
    """All rows unsorted, those of the page sorted, and what their values need: totals, comparisons, labels."""

    ask: ReportRequest
    counted: list[tuple[Key, Sums]]
    """All rows, before `having`."""
    rows: list[tuple[Key, Sums]]
    """The rows that `having` keeps, as plain tuples: the garbage collector soon untracks these."""
    shown: list[ResultRow]
    total: ResultRow
    compared: Mapping[Comparison, ComparedReport]
    labels: Labels
    now: datetime
    as_of: datetime
    elapsed: Span
    cost: int
    source: str
    members: Members | None = None
    unfilled: int = 0
    """How many rows filled gaps would make, where those are too many and gaps are left."""
    milliseconds: int = 0
    _amounts: dict[Measure, Callable[[Sums, int], int | None]] = field(default_factory=dict)
    _ranks: dict[Measure, dict[Key, int]] = field(default_factory=dict)
    _running: dict[Measure, dict[Key, int]] = field(default_factory=dict)

    def value(self, measure: Measure, row: ResultRow) -> Decimal | None:
        """The measure's value in a row; None without one."""
        return self._value(measure, row.sums, self.elapsed.days)

    def _value(self, measure: Measure, sums: Sums, days: int) -> Decimal | None:
        amount = self._amount_of(measure)(sums, days)
        return None if amount is None else in_unit(measure, amount)

    def _amount_of(self, measure: Measure) -> Callable[[Sums, int], int | None]:
        if measure not in self._amounts:
            self._amounts[measure] = amount_of(measure, self.ask.bases)
        return self._amounts[measure]

    def amounts(self, measure: Measure, rows: Sequence[tuple[Key, Sums]]) -> list[int | None]:
        """Values for sorting, which are faster to compute for all rows than `value`."""
        amount, days = self._amount_of(measure), self.elapsed.days
        return [amount(sums, days) for _, sums in rows]

    def rank(self, measure: Measure, row: ResultRow) -> int | None:
        """1 is the highest; equal values share a rank. None for totals and rows without a value."""
        if row is self.total:
            return None
        if measure not in self._ranks:
            values = dict(zip([key for key, _ in self.rows], self.amounts(measure, self.rows), strict=True))
            known = sorted((value for value in values.values() if value is not None), reverse=True)
            places: dict[int, int] = {}
            for place, value in enumerate(known, start=1):
                places.setdefault(value, place)
            self._ranks[measure] = {key: places[value] for key, value in values.items() if value is not None}
        return self._ranks[measure].get(row.key)

    def cumulative(self, measure: Measure, row: ResultRow) -> Decimal | None:
        """The sum of this and all earlier rows with the same other dimensions, before `having`.

        None without a time dimension, or where rows do not add up.
        """
        if not MEASURES[measure].adds_up or not any(dimension in TIME for dimension in self.ask.by):
            return None
        if measure not in self._running:
            self._running[measure] = self._run_up(measure)
        found = self._running[measure].get(row.key)
        return None if found is None else in_unit(measure, found)

    def _run_up(self, measure: Measure) -> dict[Key, int]:
        times = [index for index, dimension in enumerate(self.ask.by) if dimension in TIME]
        others = [index for index in range(len(self.ask.by)) if index not in times]
        sums: dict[Key, int] = {}
        found: dict[Key, int] = {}
        rows = sorted(self.counted, key=lambda each: [each[0][index] for index in times])
        for (key, _), amount in zip(rows, self.amounts(measure, rows), strict=True):
            group = tuple([key[index] for index in others])
            sums[group] = sums.get(group, 0) + (amount or 0)
            found[key] = sums[group]
        return found

    def compared_value(self, comparison: Comparison, measure: Measure, row: ResultRow) -> Decimal | None:
        """The measure in the row that this row is compared with; None without such a row or value."""
        other = self.compared[comparison]
        if row is self.total:
            return self._value(measure, other.total, other.days)
        key = other.key_of(row.key)
        if key is None:
            return None
        nothing = (0,) * len(self.ask.bases)
        return self._value(measure, other.sums.get(key, nothing), other.days)

    def conditions_of(self, row: ResultRow) -> tuple[Condition, ...]:
        """The conditions that select what a row stands for; only `where` for the totals."""
        if row is self.total:
            return self.ask.where
        return (*self.ask.where, *(self._member(*each) for each in zip(self.ask.by, row.key, strict=True)))

    def _member(self, dimension: Dimension, key: Any) -> Condition:
        if self.members is None or self.members.of is not dimension:
            return Condition(dimension, (key,))
        if key == OTHER:
            return Condition(dimension, self.members.kept, negated=True)
        return Condition(dimension, tuple(each for each in self.members.kept if plan.member_text(each) == key))


async def orders_behind(
    session: AsyncSession, made: Report, row: ResultRow, *, shop_zone: str, limit: int, after: int
) -> tuple[list[UUID], int]:
    """A page of the orders that a row counts, latest first, and their total number."""
    question = ReportStatement((), made.conditions_of(row), made.ask.span, shop_zone)
    asked = plan.orders_behind(question)
    count = int(await session.scalar(select(func.count()).select_from(asked.order_by(None).subquery())) or 0)
    rows = await session.execute(asked.limit(limit).offset(after))
    return [row.order_id for row in rows], count


async def run(session: AsyncSession, ask: ReportRequest, *, shop_zone: str, as_of: datetime) -> Report:
    """Runs a report. Raises IncompatibleDimensions or QueryTooExpensive before anything expensive is read.

    The caller's transaction is one snapshot; `as_of` is its time, in UTC.
    """
    check(ask)
    now = as_of.astimezone(ask.span.zone).replace(tzinfo=None)
    cost = await _cost(session, ask, shop_zone)
    elapsed = ask.span.elapsed(now, ask.grain)
    members = await _members(session, ask, shop_zone)
    main = ReportStatement(ask.by, ask.where, ask.span, shop_zone, members)
    answer = await _answer(session, main, ask.bases, ask.rows_of)
    compared = {
        comparison: await _compare(session, ask, comparison, elapsed, shop_zone, members)
        for comparison in ask.comparisons
    }
    report = Report(
        ask=ask,
        counted=[],
        rows=[],
        shown=[],
        total=ResultRow((), answer.total),
        compared=compared,
        labels=Labels({}, {}),
        now=now,
        as_of=as_of,
        elapsed=elapsed,
        cost=cost,
        source=source_of(ask, shop_zone),
        members=members,
    )
    report.counted, report.unfilled = await _filled(ask, answer.rows, members)
    report.rows = await _kept(report, report.counted)
    report.shown = await _ordered(report)
    report.labels = await labels_of(session, ask.by, [row.key for row in report.shown])
    return report


def check(ask: ReportRequest) -> None:
    """Raises IncompatibleDimensions, which says what would fit."""
    if len(set(ask.by)) != len(ask.by):
        raise IncompatibleDimensions("Each dimension can stand in `by` once.")
    used = {*ask.by, *(condition.dimension for condition in ask.where)}
    for measure in ask.needed:
        known = source_dimensions(measure)
        if not used <= known:
            raise IncompatibleDimensions(
                f"{measure.name} cannot be split or filtered by {_names(used - known)}. It goes with {_names(known)}."
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


async def _cost(session: AsyncSession, ask: ReportRequest, shop_zone: str) -> int:
    """Thousands of rows read plus rows made, for the range and each comparison. Raises QueryTooExpensive."""
    lines, products = await _lines_and_products(session, ask.span)
    groups = 1
    for dimension in ask.by:
        groups *= _size(dimension, ask.span, products)
    question = ReportStatement(ask.by, ask.where, ask.span, shop_zone)
    own = [base for base in ask.bases if SOURCE_OF[base] is Source.SALES]
    if plan.table_for(question, own) is not Sale:
        lines = min(lines, ask.span.days * products)
    if groups > ROW_LIMIT and min(groups, lines) > ROW_LIMIT:
        advice = f"It could have up to {groups:,} rows. Choose a coarser time, fewer dimensions or `where`."
        raise QueryTooExpensive(ceil(groups / ROWS_PER_COST), COST_LIMIT, advice)
    once = ceil(lines / LINES_PER_COST) + ceil(min(groups, ROW_LIMIT) / ROWS_PER_COST)
    cost = once * (1 + len(ask.comparisons))
    if cost > COST_LIMIT:
        raise QueryTooExpensive(
            cost, COST_LIMIT, "Choose a shorter range, fewer comparisons, or the shop's own time zone."
        )
    return cost


_LINES = select(func.coalesce(func.sum(SalesDay.lines), 0)).where(
    SalesDay.day >= bindparam("first"), SalesDay.day <= bindparam("last")
)
_PRODUCTS = (
    select(func.greatest(literal_column("reltuples::bigint"), 1))
    .select_from(table("pg_class"))
    .where(literal_column("oid") == func.to_regclass(Product.__tablename__))
)
_LINES_AND_PRODUCTS = select(_LINES.scalar_subquery(), _PRODUCTS.scalar_subquery())


async def _lines_and_products(session: AsyncSession, span: Span) -> tuple[int, int]:
    """How many lines were sold in the span, and roughly how many products there are."""
    days = {"first": (span.start - DAY).date(), "last": span.end.date()}
    lines, products = (await session.execute(_LINES_AND_PRODUCTS, days)).one()
    return int(lines), int(products)


_SIZES: Mapping[Dimension, int] = {
    Dimension.WEEKDAY: 7,
    Dimension.HOUR_OF_DAY: 24,
    Dimension.CATEGORY: 5,
    Dimension.GENDER: 2,
    Dimension.SUBCATEGORY: 3,
    Dimension.COLOR: 50,
    Dimension.SIZE: 6,
    Dimension.PRICE_BAND: 4,
    Dimension.DISCOUNTED: 2,
    Dimension.DISCOUNT_CODE: 20,
    Dimension.COUNTRY: 20,
    Dimension.CITY: 500,
    Dimension.CUSTOMER_KIND: 2,
    Dimension.PAYMENT_STATUS: 3,
}
VARIANTS_PER_PRODUCT = 15


def _size(dimension: Dimension, span: Span, products: int) -> int:
    """Estimated number of a dimension's members; exact for times."""
    if dimension in GRAINS:
        grain = GRAINS[dimension]
        length = {Grain.HOUR: 1 / 24, Grain.DAY: 1, Grain.WEEK: 7, Grain.MONTH: 28, Grain.QUARTER: 90, Grain.YEAR: 365}
        return ceil(span.days / length[grain])
    if dimension in (Dimension.PRODUCT, Dimension.VARIANT):
        return products * (VARIANTS_PER_PRODUCT if dimension is Dimension.VARIANT else 1)
    return _SIZES[dimension]


async def _members(session: AsyncSession, ask: ReportRequest, shop_zone: str) -> Members | None:
    """The members that keep their own rows, by the whole range."""
    if ask.top is None:
        return None
    top = ask.top
    question = ReportStatement((top.of,), ask.where, ask.span, shop_zone)
    bases = MEASURES[top.measure].needs
    answer = await _answer(session, question, bases)
    amount = amount_of(top.measure, bases)
    values = {key[0]: amount(found, ask.span.days) for key, found in answer.rows.items()}
    known = [(value, member) for member, value in values.items() if value is not None]
    known.sort(key=lambda each: (-each[0], plan.member_text(each[1])))
    return Members(top.of, tuple(member for _, member in known[: top.count]))


@dataclass(frozen=True)
class _Answer:
    """Sums for every row, and for all rows together."""

    rows: dict[Key, Sums]
    total: Sums


async def _answer(
    session: AsyncSession, question: ReportStatement, bases: Sequence[BaseMeasure], rows_of: Sequence[Source] = ()
) -> _Answer:
    """Queries each source once and joins the sums by key.

    With `rows_of`, only keys of these sources make rows; without, those of all sources. Totals are added up from all
    rows where that is correct; the others are queried without dimensions.
    """
    rows: dict[Key, Sums] = {}
    total = dict.fromkeys(bases, 0)
    width = len(question.by)
    connection = await session.connection()
    for source in dict.fromkeys((*rows_of, *_sources(bases))):
        own = [base for base in bases if SOURCE_OF[base] is source]
        if not own and not question.by:
            continue
        is_alone = not rows and len(own) == len(bases)
        places = [bases.index(base) for base in own]
        makes_rows = not rows_of or source in rows_of or not question.by
        told = 0
        async for columns in _told(connection, source, question, tuple(own)):
            told += len(columns[0])
            if told > ROW_LIMIT:
                advice = f"It has more than {ROW_LIMIT:,} rows. Choose fewer dimensions."
                raise QueryTooExpensive(COST_LIMIT + 1, COST_LIMIT, advice)
            nothing: list[Key] = [()] * len(columns[0])
            keys = list(zip(*columns[:width], strict=True)) if width else nothing
            sums = list(zip(*columns[width:], strict=True)) if own else nothing
            if is_alone:
                rows.update(zip(keys, sums, strict=True))
            else:
                _join(rows, keys, sums, places, len(bases), makes_rows=makes_rows)
            for base, column in zip(own, columns[width:], strict=True):
                total[base] += sum(column)
    others = [base for base in bases if not plan.adds_up(base, question)] if question.by else []
    if others:
        whole = ReportStatement((), question.where, question.span, question.shop_zone)
        total.update(zip(others, (await _answer(session, whole, others)).total, strict=True))
    return _Answer(rows, tuple(total.values()))


async def _told(
    connection: AsyncConnection, source: Source, question: ReportStatement, bases: tuple[BaseMeasure, ...]
) -> AsyncIterator[Sequence[list[Any]]]:
    """The result in batches, each with one list for every column."""
    asked = _in_lists(source, question, bases)
    await asyncio.sleep(0)
    result = await connection.stream(asked, execution_options={"yield_per": 1})
    async for some in result:
        yield some


@lru_cache(maxsize=STATEMENTS)
def _in_lists(source: Source, question: ReportStatement, bases: tuple[BaseMeasure, ...]) -> Select[Any]:
    """The statement with its rows aggregated into lists, which are read four times as fast as rows.

    Cached, since a page of charts repeats its questions and compiling takes as long as reading.
    """
    rows = plan.statement(source, question, bases).limit(ROW_LIMIT + 1)
    *columns, number = rows.add_columns(func.row_number().over().label("number")).subquery().c
    return select(*map(func.array_agg, columns)).group_by((number - 1) // FETCHED_AT_ONCE)


def _join(
    rows: dict[Key, Sums],
    keys: Sequence[Key],
    told: Sequence[Sums],
    places: Sequence[int],
    width: int,
    *,
    makes_rows: bool,
) -> None:
    """Adds the sums of one source to those of other sources with the same keys."""
    nothing = (0,) * width
    for key, values in zip(keys, told, strict=True):
        if not makes_rows and key not in rows:
            continue
        sums = list(rows.get(key, nothing))
        for place, value in zip(places, values, strict=True):
            sums[place] = value
        rows[key] = tuple(sums)


async def _compare(
    session: AsyncSession,
    ask: ReportRequest,
    comparison: Comparison,
    elapsed: Span,
    shop_zone: str,
    members: Members | None,
) -> ComparedReport:
    period, to_date = comparison
    here = elapsed if to_date else ask.span
    shift = shift_of(period, ask.span, ask.by)
    span = shift.span(here)
    answer = await _answer(session, ReportStatement(ask.by, ask.where, span, shop_zone, members), ask.bases)

    def part_of(dimension: Dimension, moment: datetime) -> Any:
        return _part_of(dimension, members)(moment)

    key_of = counterparts(ask.by, here, shift, part_of)
    return ComparedReport(span, span.days, answer.rows, answer.total, shift, key_of)


def _sources(bases: Sequence[BaseMeasure]) -> list[Source]:
    return list(dict.fromkeys(SOURCE_OF[base] for base in bases))


_TOLD_BY: Mapping[Dimension, Collection[Dimension]] = {
    Dimension.HOUR: (Dimension.WEEKDAY, Dimension.HOUR_OF_DAY),
    Dimension.DAY: (Dimension.WEEKDAY,),
}
"""Dimensions whose member follows from a time: no Monday is a Tuesday."""


def _part_of(dimension: Dimension, members: Members | None) -> Callable[[datetime], Any]:
    """A function from a time to the dimension's member."""
    if dimension in GRAINS:
        return GRAINS[dimension].floor
    part: Callable[[datetime], int] = datetime.isoweekday if dimension is Dimension.WEEKDAY else attrgetter("hour")
    if members is None or members.of is not dimension:
        return part
    kept = {plan.member_text(member) for member in members.kept}
    return lambda moment: text if (text := plan.member_text(part(moment))) in kept else OTHER


async def _filled(
    ask: ReportRequest, sums: dict[Key, Sums], members: Members | None
) -> tuple[list[tuple[Key, Sums]], int]:
    """Adds rows for every time of the range and every group that has a row. Returns also `Report.unfilled`."""
    known = list(sums.items())
    finest = min(set(ask.by) & set(TIME), key=TIME.index, default=None)
    if not ask.fill_gaps or finest is None:
        return known, 0
    told = {*TIME, *_TOLD_BY.get(finest, ())}
    times = [index for index, dimension in enumerate(ask.by) if dimension in told]
    fixed = [index for index, dimension in enumerate(ask.by) if dimension not in told]
    starts = list(ask.span.buckets(GRAINS[finest]))
    if finest is Dimension.WEEK:
        # A week may span two months, each of which has its part.
        buckets = [ask.span.buckets(GRAINS[ask.by[index]]) for index in times]
        starts = sorted({max(start, ask.span.start) for start in chain(*buckets)})
    await asyncio.sleep(0)
    groups = _parts(sums, fixed) if sums or fixed else [()]
    wanted = len(starts) * len(groups)
    is_full = len(times) == 1 and wanted == len(sums)
    if is_full or wanted > ROW_LIMIT:
        return known, 0 if is_full else wanted
    # Each start once for all groups, since truncating times is expensive.
    is_known = finest is not Dimension.WEEK
    cuts = [None if is_known and ask.by[index] is finest else _part_of(ask.by[index], members) for index in times]
    moments: list[Key] = []
    async for part in slices(starts, AT_ONCE // 4):
        moments += [tuple([cut(start) if cut else start for cut in cuts]) for start in part]
    places = sorted(range(len(ask.by)), key=lambda place: (*times, *fixed)[place])
    nothing = (0,) * len(ask.bases)
    async for some in slices(groups, max(1, AT_ONCE // 4 // len(moments))):
        for key in _keys(some, moments, places):
            if key not in sums:
                known.append((key, nothing))
    return known, 0


def _parts(keys: Iterable[Key], places: Sequence[int]) -> list[Key]:
    """The distinct parts of the keys at these places, in the order of first appearance."""
    if len(places) > 1:
        return list(dict.fromkeys(map(itemgetter(*places), keys)))
    return [(part,) for part in dict.fromkeys(map(itemgetter(*places), keys))] if places else [()]


def _keys(groups: Sequence[Key], moments: Sequence[Key], places: Sequence[int]) -> Iterator[Key]:
    """The keys of each group at each moment, with the parts in their places."""
    for group in groups:
        for moment in moments:
            parts = (*moment, *group)
            yield tuple([parts[place] for place in places])


async def _kept(report: Report, rows: list[tuple[Key, Sums]]) -> list[tuple[Key, Sums]]:
    """The rows that `having` keeps."""
    bounds = report.ask.having
    if not bounds:
        return rows
    kept: list[tuple[Key, Sums]] = []
    async for some in slices(rows, AT_ONCE // 20):
        kept += [
            row for row in some if all(bound.holds(report.value(bound.measure, ResultRow(*row))) for bound in bounds)
        ]
    return kept


_Column = Callable[[Sequence[tuple[Key, Sums]]], Awaitable[list[Any]]]


async def _ordered(report: Report) -> list[ResultRow]:
    """The rows of the page, or all: in the requested order, else by time and by the first measure, descending.

    Other comes last. The first sort key is computed for every row, further ones only for rows near the page.
    """
    rows, page, order = report.rows, report.ask.page, list(_order(report))
    if page is None or len(page) >= len(rows) or not order:
        return (await _sorted(rows, order))[page.start : page.stop] if page else await _sorted(rows, order)
    decides, descending = order[0]
    values = await decides(rows)
    await asyncio.sleep(0)
    in_order = sorted(values, reverse=descending)[: page.stop]
    ends = in_order[page.start :][:1] + in_order[-1:]
    if len(ends) < 2:
        return []
    await asyncio.sleep(0)
    low, high = sorted(ends)
    near = [row for row, value in zip(rows, values, strict=True) if low <= value <= high]
    skipped = page.start - in_order.index(ends[0])
    return (await _sorted(near, order))[skipped:][: len(page)]


async def _sorted(rows: Sequence[tuple[Key, Sums]], order: Sequence[tuple[_Column, bool]]) -> list[ResultRow]:
    places = list(range(len(rows)))
    for column, descending in reversed(order):
        values = await column(rows)
        await asyncio.sleep(0)
        places.sort(key=values.__getitem__, reverse=descending)
        await asyncio.sleep(0)
    shown: list[ResultRow] = []
    async for some in slices(places, AT_ONCE):
        shown += [ResultRow(*rows[place]) for place in some]
    return shown


def _order(report: Report) -> Iterator[tuple[_Column, bool]]:
    """Sort keys from the first to the last, each with whether it is descending."""
    ask = report.ask
    asked = ask.order or (
        *(ReportOrdering(dimension) for dimension in ask.by if dimension in TIME),
        *(ReportOrdering(dimension) for dimension in ask.by if dimension in CLOCK),
        *(ReportOrdering(measure, descending=True) for measure in ask.measures[:1]),
    )
    if ask.top and not ask.order:
        yield from ((partial(_places, index, _place), False) for index, each in enumerate(ask.by) if each in TIME)
        yield partial(_are_other, ask.by.index(ask.top.of)), False
    for order in asked:
        if isinstance(order.by, Measure):
            yield partial(_sizes, report, order.by), order.descending
        else:
            place = _clock_place if order.by in CLOCK else _place
            yield partial(_places, ask.by.index(order.by), place), order.descending
    settled = {order.by for order in asked}
    for index, dimension in enumerate(ask.by):
        if dimension not in settled:
            yield partial(_places, index, plan.member_text), False


async def _places(index: int, place: Callable[[Any], Any], rows: Sequence[tuple[Key, Sums]]) -> list[int]:
    """Each row's sort position by one part of its key; every distinct part is compared only once."""
    parts = [key[index] for key, _ in rows]
    places = {part: number for number, part in enumerate(sorted(set(parts), key=place))}
    await asyncio.sleep(0)
    return [places[part] for part in parts]


async def _are_other(index: int, rows: Sequence[tuple[Key, Sums]]) -> list[bool]:
    return [key[index] == OTHER for key, _ in rows]


def _place(part: Any) -> tuple[bool, Any]:
    return (part is not None, part if isinstance(part, int | datetime) else plan.member_text(part))


def _clock_place(part: Any) -> tuple[bool, int]:
    """`top` turns hours and weekdays into text, which would sort 10 before 9; Other comes last."""
    return (True, 0) if part == OTHER else (False, int(part))


async def _sizes(report: Report, measure: Measure, rows: Sequence[tuple[Key, Sums]]) -> list[float]:
    """Values for sorting; rows without a value come below all others."""
    sizes: list[float] = []
    async for some in slices(rows, AT_ONCE):
        sizes += [NO_VALUE if amount is None else amount for amount in report.amounts(measure, some)]
    return sizes


def source_of(ask: ReportRequest, shop_zone: str) -> str:
    """A readable name of the table that the sales came from."""
    own = [base for base in ask.bases if SOURCE_OF[base] is Source.SALES]
    if not own and ask.bases:
        return _sources(ask.bases)[0].value
    names = {
        "sale_facts": "every line sold",
        "sales_by_day": "sums by day",
        "sales_by_day_category": "sums by day and category",
        "sales_by_day_product": "sums by day and product",
    }
    return names[plan.table_for(ReportStatement(ask.by, ask.where, ask.span, shop_zone), own).__tablename__]

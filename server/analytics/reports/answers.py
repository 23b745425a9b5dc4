"""Sums from the database: one statement for each source, joined by key."""

import asyncio
import operator
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from server.analytics.models import Sale
from server.analytics.reports import plan
from server.analytics.reports.cost import COST_LIMIT, ROW_LIMIT
from server.analytics.reports.errors import QueryTooExpensive
from server.analytics.reports.language import (
    SOURCE_OF,
    BaseMeasure,
    Source,
    Sums,
)
from server.analytics.reports.question import ReportStatement
from server.analytics.reports.ranges import Grain
from server.analytics.reports.result import Key

FETCHED_AT_ONCE = 1_500
"""Rows fetched from the database at a time; reading them takes two milliseconds."""
STATEMENTS = 64
"""Compiled statements cached for repeated questions."""


@dataclass(frozen=True)
class SourceSums:
    """Sums for every row, and for all rows together."""

    rows: dict[Key, Sums]
    total: Sums


async def sums_of(
    session: AsyncSession, question: ReportStatement, bases: Sequence[BaseMeasure], rows_of: Sequence[Source] = ()
) -> SourceSums:
    """Queries each source once and joins the sums by key.

    With `rows_of`, only keys of these sources make rows; without, those of all sources. Totals are added up from all
    rows where that is correct; the others are queried without dimensions.
    """
    rows: dict[Key, Sums] = {}
    total = dict.fromkeys(bases, 0)
    width = len(question.by)
    connection = await session.connection()
    for source in dict.fromkeys((*rows_of, *sources_of(bases))):
        own = [base for base in bases if SOURCE_OF[base] is source]
        if not own and not question.by:
            continue
        is_alone = not rows and len(own) == len(bases)
        places = [bases.index(base) for base in own]
        makes_rows = not rows_of or source in rows_of or not question.by
        row_count = 0
        async for columns in _batches(connection, source, question, tuple(own)):
            row_count += len(columns[0])
            if row_count > ROW_LIMIT:
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
        total.update(zip(others, (await sums_of(session, whole, others)).total, strict=True))
    return SourceSums(rows, tuple(total.values()))


async def sums_to_the_hour(
    session: AsyncSession, question: ReportStatement, bases: Sequence[BaseMeasure]
) -> SourceSums:
    """The same as `sums_of`. Whole days come from sums by day where these hold them, only the rest from every line."""
    midnight = Grain.DAY.floor(question.span.end)
    days = replace(question, span=replace(question.span, end=midnight))
    is_split = question.span.start < midnight < question.span.end and all(map(plan.adds_up_over_time, bases))
    if not is_split or plan.table_for(days, bases) is Sale:
        return await sums_of(session, question, bases)
    whole = await sums_of(session, days, bases)
    rest = await sums_of(session, replace(question, span=replace(question.span, start=midnight)), bases)
    for key, sums in rest.rows.items():
        whole.rows[key] = _added(whole.rows[key], sums) if key in whole.rows else sums
    return SourceSums(whole.rows, _added(whole.total, rest.total))


def _added(one: Sums, other: Sums) -> Sums:
    return tuple(map(operator.add, one, other))


async def _batches(
    connection: AsyncConnection, source: Source, question: ReportStatement, bases: tuple[BaseMeasure, ...]
) -> AsyncIterator[Sequence[list[Any]]]:
    """The result in batches, each with one list for every column."""
    query = _in_lists(source, question, bases)
    await asyncio.sleep(0)
    result = await connection.stream(query, execution_options={"yield_per": 1})
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
    sums_of_source: Sequence[Sums],
    places: Sequence[int],
    width: int,
    *,
    makes_rows: bool,
) -> None:
    """Adds the sums of one source to those of other sources with the same keys."""
    nothing = (0,) * width
    for key, values in zip(keys, sums_of_source, strict=True):
        if not makes_rows and key not in rows:
            continue
        sums = list(rows.get(key, nothing))
        for place, value in zip(places, values, strict=True):
            sums[place] = value
        rows[key] = tuple(sums)


def sources_of(bases: Sequence[BaseMeasure]) -> list[Source]:
    """The sources of base measures, each once."""
    return list(dict.fromkeys(SOURCE_OF[base] for base in bases))

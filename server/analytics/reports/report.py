"""Runs a report: a few statements in one snapshot, combined into rows."""

from datetime import datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import ShopEvent
from server.analytics.reports import plan
from server.analytics.reports.answers import sources_of, sums_of, sums_to_the_hour
from server.analytics.reports.comparisons import counterparts, shift_of
from server.analytics.reports.cost import cost_of
from server.analytics.reports.gaps import part_of_time, with_gaps_filled
from server.analytics.reports.labels import Labels, labels_of
from server.analytics.reports.language import (
    MEASURES,
    SOURCE_OF,
    Dimension,
    Source,
    amount_of,
)
from server.analytics.reports.question import Members, ReportStatement, member_text
from server.analytics.reports.ranges import Span
from server.analytics.reports.request import Comparison, ReportRequest, check
from server.analytics.reports.result import ComparedReport, Report, ResultRow
from server.analytics.reports.sorting import page_of, within_bounds


async def run(session: AsyncSession, ask: ReportRequest, *, shop_zone: str, as_of: datetime) -> Report:
    """Runs a report. Raises IncompatibleDimensions or QueryTooExpensive before anything expensive is read.

    The caller's transaction is one snapshot; `as_of` is its time, in UTC.
    """
    check(ask)
    now = as_of.astimezone(ask.span.zone).replace(tzinfo=None)
    cost = await cost_of(session, ask, shop_zone)
    elapsed = ask.span.elapsed(now)
    members = await _members(session, ask, shop_zone)
    main = ReportStatement(ask.by, ask.where, ask.span, shop_zone, members)
    answer = await sums_of(session, main, ask.bases, ask.rows_of)
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
        labels=Labels(),
        now=now,
        as_of=as_of,
        elapsed=elapsed,
        cost=cost,
        source=source_of(ask, shop_zone),
        members=members,
        visits_since=await _visits_since(session, ask),
    )
    report.counted, report.unfilled = await with_gaps_filled(ask, answer.rows, members)
    report.rows = await within_bounds(report, report.counted)
    report.shown = await page_of(report)
    report.labels = await labels_of(session, ask.by, [row.key for row in report.shown])
    return report


async def _visits_since(session: AsyncSession, ask: ReportRequest) -> datetime:
    """When the first visit that is stored was, by the range's clock; `datetime.min` when no visits are measured."""
    if not any(SOURCE_OF[base] is Source.EVENTS for base in ask.bases):
        return datetime.min  # noqa: DTZ901 - a wall clock
    first = await session.scalar(_FIRST_VISIT)
    return first.astimezone(ask.span.zone).replace(tzinfo=None) if first else datetime.max  # noqa: DTZ901


_FIRST_VISIT = select(ShopEvent.at).order_by(ShopEvent.local_at).limit(1)


async def _members(session: AsyncSession, ask: ReportRequest, shop_zone: str) -> Members | None:
    """The members that keep their own rows, by the whole range."""
    if ask.top is None:
        return None
    top = ask.top
    question = ReportStatement((top.of,), ask.where, ask.span, shop_zone)
    bases = MEASURES[top.measure].needs
    answer = await sums_of(session, question, bases)
    amount = amount_of(top.measure, bases)
    values = {key[0]: amount(sums, ask.span.days) for key, sums in answer.rows.items()}
    ranked = [(value, member) for member, value in values.items() if value is not None]
    ranked.sort(key=lambda each: (-each[0], member_text(each[1])))
    return Members(top.of, tuple(member for _, member in ranked[: top.count]))


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
    question = ReportStatement(ask.by, ask.where, span, shop_zone, members)
    answer = await sums_to_the_hour(session, question, ask.bases)

    def part_of(dimension: Dimension, moment: datetime) -> Any:
        return part_of_time(dimension, members)(moment)

    key_of = counterparts(ask.by, here, shift, part_of)
    return ComparedReport(span, span.days, answer.rows, answer.total, shift, key_of)


def source_of(ask: ReportRequest, shop_zone: str) -> str:
    """A readable name of the table that the sales came from."""
    own = [base for base in ask.bases if SOURCE_OF[base] is Source.SALES]
    if not own and ask.bases:
        return sources_of(ask.bases)[0].value
    names = {
        "sale_facts": "every line sold",
        "sales_by_day": "sums by day",
        "sales_by_day_category": "sums by day and category",
        "sales_by_day_product": "sums by day and product",
    }
    return names[plan.table_for(ReportStatement(ask.by, ask.where, ask.span, shop_zone), own).__tablename__]

"""The cost of a report, estimated before it runs, and its limits."""

from math import ceil

from sqlalchemy import bindparam, func, literal_column, select, table
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import Sale, SalesDay
from server.analytics.reports import plan
from server.analytics.reports.errors import QueryTooExpensive
from server.analytics.reports.language import (
    SOURCE_OF,
    Dimension,
    Source,
)
from server.analytics.reports.question import GRAINS, ReportStatement
from server.analytics.reports.ranges import DAY, Grain, Span
from server.analytics.reports.request import ReportRequest
from server.catalog.models import Product

COST_LIMIT = 5_000
ROW_LIMIT = 20_000
LINES_PER_COST = 1_000
ROWS_PER_COST = 20


async def cost_of(session: AsyncSession, ask: ReportRequest, shop_zone: str) -> int:
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


VARIANTS_PER_PRODUCT = 15


def _size(dimension: Dimension, span: Span, products: int) -> int:
    """Estimated number of a dimension's members; exact for times."""
    if dimension in GRAINS:
        grain = GRAINS[dimension]
        length = {Grain.HOUR: 1 / 24, Grain.DAY: 1, Grain.WEEK: 7, Grain.MONTH: 28, Grain.QUARTER: 90, Grain.YEAR: 365}
        return ceil(span.days / length[grain])
    if dimension in (Dimension.PRODUCT, Dimension.VARIANT):
        return products * (VARIANTS_PER_PRODUCT if dimension is Dimension.VARIANT else 1)
    if dimension.facts.size is None:
        raise AssertionError(f"{dimension} needs a size")
    return dimension.facts.size

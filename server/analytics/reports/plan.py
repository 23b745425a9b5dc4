"""Query planning: which table answers a report's question at the lowest cost, and the SQL statement."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    TIMESTAMP,
    ColumnElement,
    Select,
    and_,
    cast,
    func,
    literal_column,
    select,
)

from server.analytics.models import (
    Sale,
    SalesDay,
    SalesDayCategory,
    SalesDayProduct,
)
from server.analytics.reports.aggregates import (
    COUNTED,
    DISTINCT,
    KINDS_OF_CUSTOMERS,
    OF_WHOLE_ORDERS,
    amount_of_facts,
    as_integer,
    count_of,
    different,
    distinct_customers,
    number_of,
)
from server.analytics.reports.columns import (
    EVENTS,
    clock_of,
    condition_on,
    conditions_on,
    in_span,
    or_other,
    part_by,
    plain_key,
)
from server.analytics.reports.keys import Clock, Column, column_of
from server.analytics.reports.language import (
    KINDS,
    PER_LINE,
    SOURCE_OF,
    BaseMeasure,
    Dimension,
    Source,
)
from server.analytics.reports.question import ReportStatement
from server.catalog.models import Product, ProductColor, StockMovement, Variant
from server.orders.models import Order

Table = type[SalesDay] | type[SalesDayCategory] | type[SalesDayProduct] | type[Sale]

_DAILY = frozenset(
    (Dimension.DAY, Dimension.WEEK, Dimension.MONTH, Dimension.QUARTER, Dimension.YEAR, Dimension.WEEKDAY)
)


def table_for(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Table:
    """The smallest table that contains the answer."""
    if not question.in_shop_zone or not question.span.is_whole_days or any(base in DISTINCT for base in bases):
        return Sale
    beyond_days = question.used - _DAILY
    if not beyond_days:
        return SalesDay
    if BaseMeasure.SHIPPING in bases:
        return Sale
    # An order counts once in each category or product, so a row of several members would count it several times.
    counts_orders = BaseMeasure.ORDERS in bases
    if beyond_days <= set(KINDS):
        return Sale if counts_orders and not _is_of_one(Dimension.CATEGORY, question) else SalesDayCategory
    if beyond_days <= {*KINDS, Dimension.PRODUCT}:
        return Sale if counts_orders and not _is_of_one(Dimension.PRODUCT, question) else SalesDayProduct
    return Sale


def _is_of_one(dimension: Dimension, question: ReportStatement) -> bool:
    """Whether each row is of one member: by the rows' keys, unless Other is among them, or by a filter for just one."""
    has_other = question.members is not None and question.members.of is dimension
    only = any(each.dimension is dimension and not each.negated and len(each.values) == 1 for each in question.where)
    return only or (dimension in question.by and not has_other)


def sales(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """Sums of sales: first the dimensions in order, then the base measures."""
    table = table_for(question, bases)
    if issubclass(table, Sale):
        return _facts(question, bases)
    midnight = cast(table.day, TIMESTAMP(timezone=False))
    clock = Clock(midnight, column_of(table.day), literal_column("0"))
    keys = [or_other(dimension, plain_key(dimension, table, clock), question) for dimension in question.by]
    sums = [as_integer(func.sum(getattr(table, base.value))).label(base.value) for base in bases]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    query = select(*labelled, *sums)
    if table is SalesDayProduct and question.used & set(KINDS):
        query = query.outerjoin_from(SalesDayProduct, Product, Product.id == SalesDayProduct.product_id)
    within = [*in_span(table, midnight, question), *conditions_on(question, table, clock)]
    return query.where(*within).group_by(*_positions(labelled))


def _facts(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """Reads whole orders, which an index contains, where no dimension divides them."""
    whole = not question.used & set(PER_LINE)
    apart = BaseMeasure.CUSTOMERS in bases and not set(KINDS_OF_CUSTOMERS).isdisjoint(bases)
    read = {*bases, *KINDS_OF_CUSTOMERS} - {BaseMeasure.CUSTOMERS} if apart else set(bases)
    sums = {
        base: number_of(base, whole=whole) if base in COUNTED else amount_of_facts(base, whole=whole)
        for base in BaseMeasure
        if base in read
    }
    if apart:
        sums |= {kind: distinct_customers(kind, whole=whole) for kind in KINDS_OF_CUSTOMERS}
    return _in_one_pass(Sale, question, bases, sums, [OF_WHOLE_ORDERS] if whole else [])


def _in_one_pass(
    table: Any,
    question: ReportStatement,
    bases: Sequence[BaseMeasure],
    sums: Mapping[BaseMeasure, Column],
    within: Sequence[ColumnElement[bool]] = (),
) -> Select[Any]:
    """Groups by numbers, and looks up their members only for the resulting rows."""
    clock = clock_of(table, question)
    parts = [part_by(dimension, table, clock, question) for dimension in question.by]
    inner = (
        select(
            *(part.inner.label(f"k{index}") for index, part in enumerate(parts)),
            *(total.label(base.value) for base, total in sums.items()),
        )
        .where(*in_span(table, clock.at, question), *conditions_on(question, table, clock), *within)
        .group_by(*_positions(parts))
        .subquery()
    )
    keys = [part.outer(inner.c[f"k{index}"]).label(f"k{index}") for index, part in enumerate(parts)]
    return select(*keys, *(count_of(base, inner.c) for base in bases)).select_from(inner)


def adds_up(base: BaseMeasure, question: ReportStatement) -> bool:
    """Whether the rows' values add up to the total: not where one order, customer or visit is in several rows."""
    if base is BaseMeasure.ORDERS:
        return not question.used & set(PER_LINE)
    return base not in DISTINCT and base not in _DID


def adds_up_over_time(base: BaseMeasure) -> bool:
    """Whether the values of two times add up to that of both: an order is paid once, a customer may come in each."""
    return SOURCE_OF[base] is Source.SALES and base not in DISTINCT


def events(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """Counts of events and of distinct visits."""
    return _in_one_pass(EVENTS, question, bases, {base: _happened(base) for base in bases})


def _happened(base: BaseMeasure) -> Column:
    """Visits that a rebuild has not numbered yet are not counted."""
    if base in _DID:
        return different(EVENTS.visit_number, and_(EVENTS.kind == _DID[base], EVENTS.visit_number.is_not(None)))
    return func.count().filter(EVENTS.kind == _KINDS[base])


_KINDS = {BaseMeasure.VIEWS: "viewed", BaseMeasure.ADDS: "added", BaseMeasure.CHECKOUTS: "checkout"}
_DID = {BaseMeasure.VISITS: "viewed", BaseMeasure.PAID_VISITS: "paid"}


def stock(question: ReportStatement) -> Select[Any]:
    """Items in stock at the end of the span, by the ledger."""
    keys = [_stock_key(dimension, question) for dimension in question.by]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    conditions = [condition_on(each, _stock_key(each.dimension, question)) for each in question.where]
    return (
        select(*labelled, as_integer(func.sum(StockMovement.quantity)).label(BaseMeasure.STOCK.value))
        .join_from(StockMovement, Variant, Variant.id == StockMovement.variant_id)
        .join(Product, Product.id == Variant.product_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(StockMovement.created_at < question.span.utc()[1], *conditions)
        .group_by(*_positions(labelled))
    )


def orders_behind(question: ReportStatement) -> Select[Any]:
    """Ids and latest times of the orders that the question counts, latest first."""
    clock = clock_of(Sale, question)
    within = [*in_span(Sale, clock.at, question), *conditions_on(question, Sale, clock)]
    latest = func.max(Sale.at).label("latest")
    counted = select(Sale.order_number, latest).where(*within).group_by(Sale.order_number).subquery()
    query = select(Order.id.label("order_id"), counted.c.latest).join_from(
        counted, Order, Order.number == counted.c.order_number
    )
    return query.order_by(counted.c.latest.desc(), Order.id)


def statement(source: Source, question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """The statement for those of the base measures that `source` has."""
    own = [base for base in bases if SOURCE_OF[base] is source]
    match source:
        case Source.SALES:
            return sales(question, own)
        case Source.EVENTS:
            return events(question, own)
        case Source.STOCK:
            return stock(question)


def _positions(columns: Sequence[Any]) -> list[Column]:
    return [literal_column(str(index + 1)) for index in range(len(columns))]


def _stock_key(dimension: Dimension, question: ReportStatement) -> Column:
    return or_other(dimension, dimension.facts.stock, question)

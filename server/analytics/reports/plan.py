"""From a question to SQL: which table answers it most cheaply, and the statement."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import (
    TIMESTAMP,
    ColumnElement,
    Integer,
    Select,
    Text,
    case,
    cast,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
)

from server.analytics.models import Sale, SalesDay, SalesDayCategory, SalesDayProduct, VisitEvent
from server.analytics.reports.language import (
    KINDS,
    PER_LINE,
    PRICE_BANDS,
    SOURCE_OF,
    Base,
    Dimension,
    Source,
)
from server.analytics.reports.ranges import DAY, Grain, Span
from server.catalog.models import Product, ProductColor, StockMovement, Variant

GRAINS: Mapping[Dimension, Grain] = {Dimension[grain.name]: grain for grain in Grain}
UNKNOWN_PRODUCT = UUID(int=0)
OTHER = "other"
EVENTS = VisitEvent.c
DISTINCT = (Base.CUSTOMERS, Base.NEW_CUSTOMERS, Base.RETURNING_CUSTOMERS)


@dataclass(frozen=True)
class Condition:
    """Keeps rows whose dimension has one of the values, or none of them."""

    dimension: Dimension
    values: tuple[Any, ...]
    negated: bool = False


@dataclass(frozen=True)
class Members:
    """The members of a dimension that keep rows of their own; the rest become Other."""

    of: Dimension
    kept: tuple[Any, ...]


@dataclass(frozen=True)
class Question:
    """What one statement answers. `shop_zone` is the zone that the stored local times show."""

    by: tuple[Dimension, ...]
    where: tuple[Condition, ...]
    span: Span
    shop_zone: str
    members: Members | None = None
    used: frozenset[Dimension] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "used", frozenset((*self.by, *(condition.dimension for condition in self.where))))

    @property
    def in_shop_zone(self) -> bool:
        return self.span.zone.key == self.shop_zone


Column = ColumnElement[Any]

Table = type[SalesDay] | type[SalesDayCategory] | type[SalesDayProduct] | type[Sale]
_DAILY = frozenset(
    (Dimension.DAY, Dimension.WEEK, Dimension.MONTH, Dimension.QUARTER, Dimension.YEAR, Dimension.WEEKDAY)
)


def table_for(question: Question, bases: Sequence[Base]) -> Table:
    """The smallest table that holds the answer."""
    if not question.in_shop_zone or not question.span.is_whole_days or any(base in DISTINCT for base in bases):
        return Sale
    beyond_days = question.used - _DAILY
    if not beyond_days:
        return SalesDay
    if Base.SHIPPING in bases:
        return Sale
    counts_orders = Base.ORDERS in bases
    if beyond_days <= set(KINDS):
        return Sale if counts_orders and Dimension.CATEGORY not in question.by else SalesDayCategory
    if beyond_days <= {*KINDS, Dimension.PRODUCT}:
        whole = Dimension.PRODUCT in question.by and question.members is None
        return Sale if counts_orders and not whole else SalesDayProduct
    return Sale


def sales(question: Question, bases: Sequence[Base]) -> Select[Any]:
    """Sums of sales: first the dimensions in order, then the bases."""
    table = table_for(question, bases)
    clock = _clock(table, question)
    keys = [_key(dimension, table, clock, question) for dimension in question.by]
    within = [*_within(table, clock, question), *_conditions(question, table, clock)]
    if table is Sale and _needs_orders_apart(question, bases):
        return _by_order(question, bases, keys, within)
    sums = [_sum(base, table).label(base.value) for base in bases]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    asked = select(*labelled, *sums)
    if table is SalesDayProduct and question.used & set(KINDS):
        asked = asked.outerjoin_from(SalesDayProduct, Product, Product.id == SalesDayProduct.product_id)
    return asked.where(*within).group_by(*_positions(labelled))


def _needs_orders_apart(question: Question, bases: Sequence[Base]) -> bool:
    """Whether lines of one order can fall into one row more than once, and orders are counted."""
    return Base.ORDERS in bases and bool(question.used & set(PER_LINE))


def _by_order(
    question: Question,
    bases: Sequence[Base],
    keys: Sequence[Column],
    within: Sequence[ColumnElement[bool]],
) -> Select[Any]:
    """First one row per order, then the rows: quicker than counting different orders in every group."""
    added = [base for base in bases if base is not Base.ORDERS and base not in DISTINCT]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    apart = [Sale.order_id, Sale.customer, Sale.is_new]
    inner = (
        select(
            *labelled,
            *apart,
            func.bool_or(Sale.is_sale).label("sold"),
            *(func.sum(getattr(Sale, base.value)).label(base.value) for base in added),
        )
        .where(*within)
        .group_by(*_positions(labelled), *apart)
        .subquery()
    )
    sold = inner.c.sold
    counts: dict[Base, Column] = {
        Base.ORDERS: func.count().filter(sold),
        Base.CUSTOMERS: func.count(inner.c.customer.distinct()).filter(sold),
        Base.NEW_CUSTOMERS: func.count(inner.c.customer.distinct()).filter(sold, inner.c.is_new),
        Base.RETURNING_CUSTOMERS: func.count(inner.c.customer.distinct()).filter(sold, not_(inner.c.is_new)),
    }
    outer_keys = [inner.c[label.name] for label in labelled]
    sums = [counts[base] if base in counts else func.sum(inner.c[base.value]) for base in bases]
    columns = [*outer_keys, *(each.label(base.value) for base, each in zip(bases, sums, strict=True))]
    return select(*columns).group_by(*_positions(outer_keys))


def _sum(base: Base, table: Table) -> Column:
    if table is not Sale:
        return func.sum(getattr(table, base.value))
    match base:
        case Base.ORDERS:
            return func.sum(Sale.order_mark)
        case Base.CUSTOMERS:
            return func.count(Sale.customer.distinct()).filter(Sale.is_sale)
        case Base.NEW_CUSTOMERS:
            return func.count(Sale.customer.distinct()).filter(Sale.is_sale, Sale.is_new)
        case Base.RETURNING_CUSTOMERS:
            return func.count(Sale.customer.distinct()).filter(Sale.is_sale, not_(Sale.is_new))
        case _:
            return func.sum(getattr(Sale, base.value))


def events(question: Question, bases: Sequence[Base]) -> Select[Any]:
    """Counts of events and of visits."""
    clock = _local(EVENTS.local_at, EVENTS.at, question)
    keys = [_key(dimension, EVENTS, clock, question) for dimension in question.by]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    kinds = {Base.VIEWS: "viewed", Base.ADDS: "added", Base.CHECKOUTS: "checkout"}
    visits = {Base.VISITS: "viewed", Base.PAID_VISITS: "paid"}
    counts = [
        func.count().filter(EVENTS.kind == kinds[base])
        if base in kinds
        else func.count(EVENTS.visit.distinct()).filter(EVENTS.kind == visits[base])
        for base in bases
    ]
    within = [*_within(EVENTS, clock, question), *_conditions(question, EVENTS, clock)]
    columns = [*labelled, *(each.label(base.value) for base, each in zip(bases, counts, strict=True))]
    return select(*columns).where(*within).group_by(*_positions(labelled))


def stock(question: Question) -> Select[Any]:
    """Pieces in the house at the end of the span, by the ledger."""
    keys = [_stock_key(dimension, question) for dimension in question.by]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    conditions = [_condition(each, _stock_key(each.dimension, question)) for each in question.where]
    return (
        select(*labelled, func.sum(StockMovement.quantity).label(Base.STOCK.value))
        .join_from(StockMovement, Variant, Variant.id == StockMovement.variant_id)
        .join(Product, Product.id == Variant.product_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(StockMovement.created_at < question.span.utc()[1], *conditions)
        .group_by(*_positions(labelled))
    )


def orders_behind(question: Question) -> Select[Any]:
    """Ids of the orders that have something in what the question counts, and when they last had; the latest first."""
    clock = _clock(Sale, question)
    within = [*_within(Sale, clock, question), *_conditions(question, Sale, clock)]
    latest = func.max(Sale.at).label("latest")
    columns: list[Any] = [Sale.order_id, latest]
    asked = select(*columns).where(*within).group_by(Sale.order_id)
    return asked.order_by(latest.desc(), Sale.order_id)


def statement(source: Source, question: Question, bases: Sequence[Base]) -> Select[Any]:
    """The statement for those `bases` that `source` knows."""
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


def _clock(table: Table, question: Question) -> Column:
    if issubclass(table, Sale):
        return _local(Sale.local_at, Sale.at, question)
    return cast(table.day, TIMESTAMP(timezone=False))


def _local(stored: Any, at: Any, question: Question) -> Column:
    """The wall clock of the question's zone; stored for the shop's own."""
    if question.in_shop_zone:
        column: Column = stored
        return column
    return func.timezone(question.span.zone.key, at)


def _within(table: Any, clock: Column, question: Question) -> list[ColumnElement[bool]]:
    span = question.span
    if hasattr(table, "day"):
        return [table.day >= span.start.date(), table.day < span.end.date()]
    near = []
    if not question.in_shop_zone:
        start, end = span.utc()
        near = [table.at >= start - DAY, table.at < end + DAY]
    return [*near, clock >= span.start, clock < span.end]


def _conditions(question: Question, table: Any, clock: Column) -> list[ColumnElement[bool]]:
    return [_condition(each, _plain_key(each.dimension, table, clock)) for each in question.where]


def _condition(condition: Condition, key: Column) -> ColumnElement[bool]:
    given = [value for value in condition.values if value is not None]
    kept = or_(key.in_(given), key.is_(None)) if None in condition.values else key.in_(given)
    return (
        or_(not_(kept), key.is_(None))
        if condition.negated and None not in condition.values
        else (not_(kept) if condition.negated else kept)
    )


def _key(dimension: Dimension, table: Any, clock: Column, question: Question) -> Column:
    return _or_other(dimension, _plain_key(dimension, table, clock), question)


def _or_other(dimension: Dimension, key: Column, question: Question) -> Column:
    members = question.members
    if members is None or members.of is not dimension:
        return key
    as_text = func.coalesce(cast(key, Text), "")
    kept = [member_text(member) for member in members.kept]
    return case((as_text.in_(kept), as_text), else_=literal(OTHER))


def member_text(member: Any) -> str:
    """A key as the database's text, for picking out members."""
    if member is None:
        return ""
    return str(member).lower() if isinstance(member, bool) else str(member)


def _plain_key(dimension: Dimension, table: Any, clock: Column) -> Column:
    if dimension in GRAINS:
        return func.date_trunc(GRAINS[dimension].value, clock)
    match dimension:
        case Dimension.WEEKDAY:
            return cast(func.extract("isodow", clock), Integer)
        case Dimension.HOUR_OF_DAY:
            return cast(func.extract("hour", clock), Integer)
        case Dimension.CATEGORY:
            return func.nullif(_category(table), "")
        case Dimension.GENDER:
            return func.nullif(func.split_part(func.coalesce(_category(table), ""), "_", 1), "")
        case Dimension.SUBCATEGORY:
            return func.nullif(func.split_part(func.coalesce(_category(table), ""), "_", 2), "")
        case Dimension.PRODUCT:
            return func.nullif(table.product_id, UNKNOWN_PRODUCT)
        case Dimension.PRICE_BAND:
            return _price_band()
        case _:
            column: Column = _COLUMNS[dimension]
            return column


def _category(table: Any) -> Any:
    return Product.category if table is SalesDayProduct else table.category


_COLUMNS: Mapping[Dimension, Any] = {
    Dimension.VARIANT: Sale.variant_id,
    Dimension.COLOR: Sale.color,
    Dimension.SIZE: Sale.size,
    Dimension.DISCOUNTED: Sale.discounted,
    Dimension.DISCOUNT_CODE: Sale.code,
    Dimension.COUNTRY: Sale.country,
    Dimension.CITY: Sale.city,
    Dimension.CUSTOMER_KIND: case((Sale.is_new, "new"), else_="returning"),
    Dimension.PAYMENT_STATUS: Sale.payment_status,
}


def _price_band() -> Column:
    steps = [(Sale.unit_price_cents < below, key) for key, below, _ in PRICE_BANDS if below is not None]
    return case(*steps, else_=PRICE_BANDS[-1][0])


def _stock_key(dimension: Dimension, question: Question) -> Column:
    plain: Mapping[Dimension, Any] = {
        Dimension.CATEGORY: Product.category,
        Dimension.GENDER: Product.gender,
        Dimension.SUBCATEGORY: Product.subcategory,
        Dimension.PRODUCT: Product.id,
        Dimension.VARIANT: Variant.id,
        Dimension.COLOR: ProductColor.name,
        Dimension.SIZE: Variant.size,
    }
    return _or_other(dimension, plain[dimension], question)

"""Query planning: which table answers a report's question at the lowest cost, and the SQL statement."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    TIMESTAMP,
    BigInteger,
    Boolean,
    ColumnElement,
    Date,
    Integer,
    Interval,
    Select,
    Text,
    Uuid,
    and_,
    any_,
    case,
    cast,
    func,
    literal,
    literal_column,
    not_,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from server.analytics.models import (
    FIRSTS,
    EventMember,
    Sale,
    SaleMember,
    SalesDay,
    SalesDayCategory,
    SalesDayProduct,
    VisitEvent,
)
from server.analytics.reports.language import (
    KINDS,
    PER_LINE,
    PRICE_BANDS,
    SOURCE_OF,
    BaseMeasure,
    Dimension,
    Source,
)
from server.analytics.reports.ranges import DAY, Grain, Span
from server.catalog.models import Product, ProductColor, StockMovement, Variant
from server.orders.models import Order

GRAINS: Mapping[Dimension, Grain] = {Dimension[grain.name]: grain for grain in Grain}
UNKNOWN_PRODUCT = UUID(int=0)
OTHER = "other"
EVENTS = VisitEvent.c
A_MONDAY = date(1999, 1, 4)
REST = -1
"""The number that stands for all members that `top` leaves out."""
KINDS_OF_CUSTOMERS = (BaseMeasure.NEW_CUSTOMERS, BaseMeasure.RETURNING_CUSTOMERS)
DISTINCT = (BaseMeasure.CUSTOMERS, *KINDS_OF_CUSTOMERS)
COUNTED = (BaseMeasure.ORDERS, *DISTINCT)


@dataclass(frozen=True)
class Condition:
    """Keeps rows whose dimension has one of the values, or none of them."""

    dimension: Dimension
    values: tuple[Any, ...]
    negated: bool = False


@dataclass(frozen=True)
class Members:
    """The members of a dimension that keep their own rows; the rest become Other."""

    of: Dimension
    kept: tuple[Any, ...]


@dataclass(frozen=True)
class ReportStatement:
    """The question that one statement answers. Stored local times are in `shop_zone`."""

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
        """Whether the question counts days in the shop's time zone."""
        return self.span.zone.key == self.shop_zone


Column = ColumnElement[Any]
_Named = type[SaleMember] | type[EventMember]

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
    counts_orders, undivided = BaseMeasure.ORDERS in bases, question.members is None
    if beyond_days <= set(KINDS):
        is_known = undivided and Dimension.CATEGORY in question.by
        return Sale if counts_orders and not is_known else SalesDayCategory
    if beyond_days <= {*KINDS, Dimension.PRODUCT}:
        is_known = undivided and Dimension.PRODUCT in question.by
        return Sale if counts_orders and not is_known else SalesDayProduct
    return Sale


def sales(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """Sums of sales: first the dimensions in order, then the base measures."""
    table = table_for(question, bases)
    if issubclass(table, Sale):
        return _facts(question, bases)
    midnight = cast(table.day, TIMESTAMP(timezone=False))
    clock = _Clock(midnight, _column(table.day), literal_column("0"))
    keys = [_or_other(dimension, _plain_key(dimension, table, clock), question) for dimension in question.by]
    sums = [_whole(func.sum(getattr(table, base.value))).label(base.value) for base in bases]
    labelled = [key.label(f"k{index}") for index, key in enumerate(keys)]
    asked = select(*labelled, *sums)
    if table is SalesDayProduct and question.used & set(KINDS):
        asked = asked.outerjoin_from(SalesDayProduct, Product, Product.id == SalesDayProduct.product_id)
    within = [*_within(table, midnight, question), *_conditions(question, table, clock)]
    return asked.where(*within).group_by(*_positions(labelled))


def _facts(question: ReportStatement, bases: Sequence[BaseMeasure]) -> Select[Any]:
    """Reads whole orders, which an index contains, where no dimension divides them."""
    whole = not question.used & set(PER_LINE)
    once = STANDS_FOR_ORDER if whole else _first_line(question)
    apart = BaseMeasure.CUSTOMERS in bases and not set(KINDS_OF_CUSTOMERS).isdisjoint(bases)
    read = {*bases, *KINDS_OF_CUSTOMERS} - {BaseMeasure.CUSTOMERS} if apart else set(bases)
    sums = {
        base: _number(base, once) if base in COUNTED else _amount(base, whole=whole)
        for base in BaseMeasure
        if base in read
    }
    if apart:
        sums |= {kind: _different_customers(kind, once) for kind in KINDS_OF_CUSTOMERS}
    return _in_one_pass(Sale, question, bases, sums, [OF_WHOLE_ORDERS] if whole else [])


def _in_one_pass(
    table: Any,
    question: ReportStatement,
    bases: Sequence[BaseMeasure],
    sums: Mapping[BaseMeasure, Column],
    within: Sequence[ColumnElement[bool]] = (),
) -> Select[Any]:
    """Groups by numbers, and looks up their members only for the resulting rows."""
    clock = _clock(table, question)
    parts = [_part(dimension, table, clock, question) for dimension in question.by]
    inner = (
        select(
            *(part.inner.label(f"k{index}") for index, part in enumerate(parts)),
            *(total.label(base.value) for base, total in sums.items()),
        )
        .where(*_within(table, clock.at, question), *_conditions(question, table, clock), *within)
        .group_by(*_positions(parts))
        .subquery()
    )
    keys = [part.outer(inner.c[f"k{index}"]).label(f"k{index}") for index, part in enumerate(parts)]
    return select(*keys, *(_count(base, inner.c) for base in bases)).select_from(inner)


def _count(base: BaseMeasure, found: Any) -> Column:
    """A count after one pass. Distinct customers are new plus returning ones, less those who were both."""
    if base is BaseMeasure.CUSTOMERS and base.value not in found:
        new, returning = (found[kind.value] for kind in KINDS_OF_CUSTOMERS)
        return _size(new) + _size(returning) - _size(new.op("&")(returning))
    column = found[base.value]
    return _size(column) if isinstance(column.type, ARRAY) else _whole(column)


def _size(numbers: Any) -> Column:
    return _whole(func.icount(numbers))


def _whole(sum_: Any) -> Column:
    """As an integer, 0 for null."""
    return func.coalesce(cast(sum_, BigInteger), literal_column("0"))


@dataclass(frozen=True)
class _Clock:
    """The wall clock of the question's time zone, with day and hour; stored columns in the shop's own."""

    at: Column
    day: Column
    hour: Column


def _clock(table: Any, question: ReportStatement) -> _Clock:
    if table is Sale and question.in_shop_zone:
        return _Clock(_column(Sale.local_at), _column(Sale.day), _column(Sale.hour))
    at = table.local_at if question.in_shop_zone else func.timezone(question.span.zone.key, table.at)
    return _Clock(at, cast(at, Date), cast(func.date_part("hour", at), Integer))


def _column(stored: Any) -> Column:
    return stored  # type: ignore[no-any-return]


@dataclass(frozen=True)
class _Part:
    """How facts are grouped by a dimension, and how the key follows from that."""

    inner: Column
    outer: Callable[[Column], Any] = lambda key: key


def _part(dimension: Dimension, table: Any, clock: _Clock, question: ReportStatement) -> _Part:
    number = _numbers(table).get(dimension)
    if number is not None:
        return _numbered(dimension, number, _members(table), question.members)
    days: Column = func.date_mi(clock.day, A_MONDAY, type_=Integer)
    match dimension:
        case Dimension.DAY:
            return _Part(clock.day, _midnight)
        case Dimension.WEEK | Dimension.MONTH | Dimension.QUARTER | Dimension.YEAR:
            return _bucket(clock.day, [start.date() for start in question.span.buckets(GRAINS[dimension])])
        case Dimension.HOUR:
            return _Part(days * 24 + clock.hour, _start_of_hour)
        case Dimension.PRICE_BAND if not _makes_others(dimension, question):
            return _Part(_price_band(range(len(PRICE_BANDS))), lambda band: case(_BANDS, value=band))
        case Dimension.CUSTOMER_KIND if not _makes_others(dimension, question):
            return _Part(_column(Sale.is_new), lambda is_new: case((is_new, "new"), else_="returning"))
        case _:
            return _Part(_or_other(dimension, _plain_key(dimension, table, clock), question))


def _bucket(day: Any, starts: Sequence[date]) -> _Part:
    """Looks a day up among the first days of all months, which is faster than truncating it."""
    days = literal(starts, ARRAY(Date))
    named = func.unnest(days).table_valued("start", with_ordinality="number").render_derived()

    def start(number: Column) -> Column:
        return _midnight(select(named.c.start).where(named.c.number == number).scalar_subquery())

    return _Part(func.width_bucket(day, days, type_=Integer), start)


def _numbered(dimension: Dimension, number: Any, named: _Named, members: Members | None) -> _Part:
    """Groups by number. The members are looked up afterwards, for the few resulting rows."""
    known = aliased(named)

    def member(key: Column) -> Any:
        return select(known.member).where(known.number == key).scalar_subquery()

    if members is not None and members.of is dimension:
        kept = case((_is_one_of(number, named, members.kept), number), else_=REST)
        return _Part(kept, lambda key: case((key == REST, literal(OTHER)), else_=func.coalesce(member(key), "")))
    is_id = dimension in (Dimension.PRODUCT, Dimension.VARIANT)
    return _Part(number, lambda key: cast(member(key), Uuid) if is_id else member(key))


def _is_one_of(number: Any, named: _Named, members: Sequence[Any]) -> ColumnElement[bool]:
    """Whether the number stands for one of these members; None has the number 0."""
    texts = [member_text(member) for member in members if member is not None]
    known = select(named.number).where(named.member.in_(texts)).scalar_subquery()
    one_of: ColumnElement[bool] = number == any_(func.array(known))
    return or_(one_of, number == 0) if None in members else one_of


def _midnight(day: Any) -> Column:
    return cast(day, TIMESTAMP(timezone=False))


def _start_of_hour(number: Any) -> Column:
    return _midnight(literal(A_MONDAY, Date)) + func.make_interval(0, 0, 0, 0, number, type_=Interval)


STANDS_FOR_ORDER: ColumnElement[bool] = Sale.order_mark == literal_column("1")
OF_WHOLE_ORDERS = or_(STANDS_FOR_ORDER, not_(Sale.is_sale))
"""Rows that stand for an order or a refund; an index contains them."""
_SUMS_OF_WHOLE_ORDERS: Mapping[BaseMeasure, Any] = {
    BaseMeasure.UNITS: Sale.order_units,
    BaseMeasure.GROSS: Sale.order_gross_cents,
    BaseMeasure.DISCOUNTS: Sale.order_discount_cents,
    BaseMeasure.TAX: Sale.order_tax_cents,
}
"""Columns that differ between a line and its whole order; refunds and delivery are equal in both."""


def _amount(base: BaseMeasure, *, whole: bool) -> Column:
    line = getattr(Sale, base.value)
    return func.sum(_SUMS_OF_WHOLE_ORDERS.get(base, line) if whole else line)


def _number(base: BaseMeasure, once: ColumnElement[bool] | None) -> Column:
    """A count of orders or customers. `once` is true once for each order of a row."""
    if once is not None and base is BaseMeasure.ORDERS:
        return func.count().filter(once)
    if once is not None and base is BaseMeasure.NEW_CUSTOMERS:
        return func.count().filter(once, Sale.is_new)
    return (
        different(Sale.order_number, _column(Sale.is_sale))
        if base is BaseMeasure.ORDERS
        else _different_customers(base, once)
    )


def _different_customers(base: BaseMeasure, once: ColumnElement[bool] | None) -> Column:
    """The distinct customers as an array of numbers: four times as fast as sorting rows."""
    bought: Any = Sale.is_sale if once is None else once
    match base:
        case BaseMeasure.NEW_CUSTOMERS:
            return different(Sale.customer, and_(bought, Sale.is_new))
        case BaseMeasure.RETURNING_CUSTOMERS:
            return different(Sale.customer, and_(bought, not_(Sale.is_new)))
        case _:
            return different(Sale.customer, bought)


def _first_line(question: ReportStatement) -> ColumnElement[bool] | None:
    """A condition that is true for one line of each order in a row; None where the facts have no such bit.

    Facts have a bit for lines that share the question's dimensions. Rows that combine several members, by a filter or
    as Other, are not of that kind.
    """
    in_common = question.used & set(PER_LINE)
    several = {each.dimension for each in question.where if each.negated or len(each.values) != 1} - set(question.by)
    if question.members is not None:
        several.add(question.members.of)
    if not in_common.isdisjoint(several) or not in_common <= {*_CHOSEN, Dimension.PRICE_BAND}:
        return None
    chosen = {name for dimension in in_common for name in _CHOSEN.get(dimension, ())}
    bits: Any = Sale.firsts_in_band if Dimension.PRICE_BAND in in_common else Sale.firsts
    bit = bits.bitwise_rshift(literal_column(str(sum(FIRSTS[name] for name in chosen))))
    is_first: ColumnElement[bool] = bit.bitwise_and(literal_column("1")) == literal_column("1")
    return is_first


_CHOSEN: Mapping[Dimension, tuple[str, ...]] = {
    Dimension.CATEGORY: ("gender", "subcategory"),
    Dimension.GENDER: ("gender",),
    Dimension.SUBCATEGORY: ("subcategory",),
    Dimension.PRODUCT: ("product",),
    Dimension.COLOR: ("color",),
    Dimension.SIZE: ("size",),
    Dimension.DISCOUNTED: ("discounted",),
}


def different(number: Any, wanted: ColumnElement[bool]) -> Column:
    """The distinct numbers in order; null for none."""
    numbers: Column = func.uniq(func.sort(func.array_agg(number).filter(wanted)), type_=ARRAY(Integer))
    return numbers


def adds_up(base: BaseMeasure, question: ReportStatement) -> bool:
    """Whether the rows' values add up to the total: not where one order, customer or visit is in several rows."""
    if base is BaseMeasure.ORDERS:
        return not question.used & set(PER_LINE)
    return base not in DISTINCT and base not in _DID


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
    conditions = [_condition(each, _stock_key(each.dimension, question)) for each in question.where]
    return (
        select(*labelled, _whole(func.sum(StockMovement.quantity)).label(BaseMeasure.STOCK.value))
        .join_from(StockMovement, Variant, Variant.id == StockMovement.variant_id)
        .join(Product, Product.id == Variant.product_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(StockMovement.created_at < question.span.utc()[1], *conditions)
        .group_by(*_positions(labelled))
    )


def orders_behind(question: ReportStatement) -> Select[Any]:
    """Ids and latest times of the orders that the question counts, latest first."""
    clock = _clock(Sale, question)
    within = [*_within(Sale, clock.at, question), *_conditions(question, Sale, clock)]
    latest = func.max(Sale.at).label("latest")
    found = select(Sale.order_number, latest).where(*within).group_by(Sale.order_number).subquery()
    asked = select(Order.id.label("order_id"), found.c.latest).join_from(
        found, Order, Order.number == found.c.order_number
    )
    return asked.order_by(found.c.latest.desc(), Order.id)


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


def _within(table: Any, clock: Column, question: ReportStatement) -> list[ColumnElement[bool]]:
    span = question.span
    if table is not Sale and hasattr(table, "day"):
        return [table.day >= span.start.date(), table.day < span.end.date()]
    near = []
    if not question.in_shop_zone:
        start, end = span.utc()
        near = [table.at >= start - DAY, table.at < end + DAY]
    return [*near, clock >= span.start, clock < span.end]


def _conditions(question: ReportStatement, table: Any, clock: _Clock) -> list[ColumnElement[bool]]:
    numbers = _numbers(table)
    return [
        _of_number(each, numbers[each.dimension], _members(table))
        if each.dimension in numbers
        else _condition(each, _plain_key(each.dimension, table, clock))
        for each in question.where
    ]


def _of_number(condition: Condition, number: Any, named: _Named) -> ColumnElement[bool]:
    kept = _is_one_of(number, named, condition.values)
    return not_(kept) if condition.negated else kept


def _condition(condition: Condition, key: Column) -> ColumnElement[bool]:
    given = [value for value in condition.values if value is not None]
    kept = or_(key.in_(given), key.is_(None)) if None in condition.values else key.in_(given)
    return (
        or_(not_(kept), key.is_(None))
        if condition.negated and None not in condition.values
        else (not_(kept) if condition.negated else kept)
    )


def _or_other(dimension: Dimension, key: Column, question: ReportStatement) -> Column:
    if question.members is None or not _makes_others(dimension, question):
        return key
    as_text = func.coalesce(cast(key, Text), "")
    kept = [member_text(member) for member in question.members.kept]
    return case((as_text.in_(kept), as_text), else_=literal(OTHER))


def _makes_others(dimension: Dimension, question: ReportStatement) -> bool:
    return question.members is not None and question.members.of is dimension


def member_text(member: Any) -> str:
    """A key as the database's text, for selecting members."""
    if member is None:
        return ""
    return str(member).lower() if isinstance(member, bool) else str(member)


def _plain_key(dimension: Dimension, table: Any, clock: _Clock) -> Column:
    if dimension in GRAINS:
        return func.date_trunc(GRAINS[dimension].value, clock.at)
    match dimension:
        case Dimension.WEEKDAY:
            return func.date_mi(clock.day, A_MONDAY, type_=Integer) % 7 + 1
        case Dimension.HOUR_OF_DAY:
            return cast(clock.hour, Integer)
        case Dimension.CATEGORY:
            return func.nullif(_category(table), "")
        case Dimension.GENDER:
            return func.nullif(func.split_part(func.coalesce(_category(table), ""), "_", 1), "")
        case Dimension.SUBCATEGORY:
            return func.nullif(func.split_part(func.coalesce(_category(table), ""), "_", 2), "")
        case Dimension.PRODUCT:
            return func.nullif(table.product_id, UNKNOWN_PRODUCT)
        case Dimension.PRICE_BAND:
            return _price_band(list(_BANDS.values()))
        case Dimension.CUSTOMER_KIND:
            return case((Sale.is_new, "new"), else_="returning")
        case Dimension.DISCOUNTED:
            discounted: Any = Sale.discounted
            return cast(discounted, Boolean)
        case _:
            raise AssertionError(f"{dimension} is the number of a member")


def _category(table: Any) -> Any:
    return Product.category if table is SalesDayProduct else table.category


_NUMBERS: Mapping[Dimension, Any] = {
    Dimension.CATEGORY: Sale.category,
    Dimension.GENDER: Sale.gender,
    Dimension.SUBCATEGORY: Sale.subcategory,
    Dimension.PRODUCT: Sale.product,
    Dimension.VARIANT: Sale.variant,
    Dimension.COLOR: Sale.color,
    Dimension.SIZE: Sale.size,
    Dimension.DISCOUNT_CODE: Sale.code,
    Dimension.COUNTRY: Sale.country,
    Dimension.CITY: Sale.city,
    Dimension.PAYMENT_STATUS: Sale.payment_status,
}
"""Columns of the facts that hold the number of a member."""

_NUMBERS_OF_EVENTS: Mapping[Dimension, Any] = {
    Dimension.CATEGORY: EVENTS.category_number,
    Dimension.GENDER: EVENTS.gender_number,
    Dimension.SUBCATEGORY: EVENTS.subcategory_number,
    Dimension.PRODUCT: EVENTS.product_number,
}


def _numbers(table: Any) -> Mapping[Dimension, Any]:
    return _NUMBERS if table is Sale else _NUMBERS_OF_EVENTS if table is EVENTS else {}


def _members(table: Any) -> _Named:
    return EventMember if table is EVENTS else SaleMember


_BANDS = dict(enumerate(key for key, _, _ in PRICE_BANDS))


def _price_band(names: Sequence[Any]) -> Column:
    steps = [
        (Sale.unit_price_cents < below, name)
        for (_, below, _), name in zip(PRICE_BANDS, names, strict=True)
        if below is not None
    ]
    return case(*steps, else_=names[-1])


def _stock_key(dimension: Dimension, question: ReportStatement) -> Column:
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

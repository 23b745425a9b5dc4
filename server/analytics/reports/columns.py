"""SQL columns by which facts, events and stock are filtered and grouped: one for each dimension."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ARRAY,
    TIMESTAMP,
    Boolean,
    ColumnElement,
    Date,
    Integer,
    Interval,
    Text,
    Uuid,
    any_,
    case,
    cast,
    func,
    literal,
    not_,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from server.analytics.models import (
    EventMember,
    Sale,
    SaleMember,
    SalesDayProduct,
    VisitEvent,
)
from server.analytics.reports.language import (
    PRICE_BANDS,
    Dimension,
)
from server.analytics.reports.question import GRAINS, OTHER, Condition, Members, ReportStatement, member_text
from server.analytics.reports.ranges import DAY
from server.catalog.models import Product

UNKNOWN_PRODUCT = UUID(int=0)
EVENTS = VisitEvent.c
A_MONDAY = date(1999, 1, 4)
REST = -1
"""The number that stands for all members that `top` leaves out."""
Column = ColumnElement[Any]
_Named = type[SaleMember] | type[EventMember]


@dataclass(frozen=True)
class Clock:
    """The wall clock of the question's time zone, with day and hour; stored columns in the shop's own."""

    at: Column
    day: Column
    hour: Column


def clock_of(table: Any, question: ReportStatement) -> Clock:
    """The wall clock for a table's rows: stored columns where the facts have them for this time zone."""
    if table is Sale and question.in_shop_zone:
        return Clock(column_of(Sale.local_at), column_of(Sale.day), column_of(Sale.hour))
    at = table.local_at if question.in_shop_zone else func.timezone(question.span.zone.key, table.at)
    return Clock(at, cast(at, Date), cast(func.date_part("hour", at), Integer))


def column_of(stored: Any) -> Column:
    """A mapped attribute with the type of a column."""
    return stored  # type: ignore[no-any-return]


@dataclass(frozen=True)
class KeyPart:
    """How facts are grouped by a dimension, and how the key follows from that."""

    inner: Column
    outer: Callable[[Column], Any] = lambda key: key


def part_by(dimension: Dimension, table: Any, clock: Clock, question: ReportStatement) -> KeyPart:
    """How rows are grouped by a dimension."""
    number = numbers_in(table).get(dimension)
    if number is not None:
        return _numbered(dimension, number, _members(table), question.members)
    days: Column = func.date_mi(clock.day, A_MONDAY, type_=Integer)
    match dimension:
        case Dimension.DAY:
            return KeyPart(clock.day, _midnight)
        case Dimension.WEEK | Dimension.MONTH | Dimension.QUARTER | Dimension.YEAR:
            return _bucket(clock.day, [start.date() for start in question.span.buckets(GRAINS[dimension])])
        case Dimension.HOUR:
            return KeyPart(days * 24 + clock.hour, _start_of_hour)
        case Dimension.PRICE_BAND if not _makes_others(dimension, question):
            return KeyPart(price_band(range(len(PRICE_BANDS))), lambda band: case(_BANDS, value=band))
        case Dimension.CUSTOMER_KIND if not _makes_others(dimension, question):
            return KeyPart(column_of(Sale.is_new), lambda is_new: case((is_new, "new"), else_="returning"))
        case _:
            return KeyPart(or_other(dimension, plain_key(dimension, table, clock), question))


def _bucket(day: Any, starts: Sequence[date]) -> KeyPart:
    """Looks a day up among the first days of all months, which is faster than truncating it."""
    days = literal(starts, ARRAY(Date))
    named = func.unnest(days).table_valued("start", with_ordinality="number").render_derived()

    def start(number: Column) -> Column:
        return _midnight(select(named.c.start).where(named.c.number == number).scalar_subquery())

    return KeyPart(func.width_bucket(day, days, type_=Integer), start)


def _numbered(dimension: Dimension, number: Any, named: _Named, members: Members | None) -> KeyPart:
    """Groups by number. The members are looked up afterwards, for the few resulting rows."""
    members_table = aliased(named)

    def member(key: Column) -> Any:
        return select(members_table.member).where(members_table.number == key).scalar_subquery()

    if members is not None and members.of is dimension:
        grouped = case((is_one_of(number, named, members.values), number), else_=REST)
        return KeyPart(grouped, lambda key: case((key == REST, literal(OTHER)), else_=func.coalesce(member(key), "")))
    is_id = dimension in (Dimension.PRODUCT, Dimension.VARIANT)
    return KeyPart(number, lambda key: cast(member(key), Uuid) if is_id else member(key))


def is_one_of(number: Any, named: _Named, members: Sequence[Any]) -> ColumnElement[bool]:
    """Whether the number stands for one of these members; None has the number 0."""
    texts = [member_text(member) for member in members if member is not None]
    numbers = select(named.number).where(named.member.in_(texts)).scalar_subquery()
    one_of: ColumnElement[bool] = number == any_(func.array(numbers))
    return or_(one_of, number == 0) if None in members else one_of


def _midnight(day: Any) -> Column:
    return cast(day, TIMESTAMP(timezone=False))


def _start_of_hour(number: Any) -> Column:
    return _midnight(literal(A_MONDAY, Date)) + func.make_interval(0, 0, 0, 0, number, type_=Interval)


def in_span(table: Any, clock: Column, question: ReportStatement) -> list[ColumnElement[bool]]:
    """Conditions that keep the rows of the question's span."""
    span = question.span
    if table is not Sale and hasattr(table, "day"):
        return [table.day >= span.start.date(), table.day < span.end.date()]
    near = []
    if not question.in_shop_zone:
        start, end = span.utc()
        near = [table.at >= start - DAY, table.at < end + DAY]
    return [*near, clock >= span.start, clock < span.end]


def conditions_on(question: ReportStatement, table: Any, clock: Clock) -> list[ColumnElement[bool]]:
    """The question's filters as conditions on a table."""
    numbers = numbers_in(table)
    return [
        _of_number(each, numbers[each.dimension], _members(table))
        if each.dimension in numbers
        else condition_on(each, plain_key(each.dimension, table, clock))
        for each in question.where
    ]


def _of_number(condition: Condition, number: Any, named: _Named) -> ColumnElement[bool]:
    is_member = is_one_of(number, named, condition.values)
    return not_(is_member) if condition.negated else is_member


def condition_on(condition: Condition, key: Column) -> ColumnElement[bool]:
    """A filter as a condition on a key; None in its values means null."""
    values = [value for value in condition.values if value is not None]
    matches = or_(key.in_(values), key.is_(None)) if None in condition.values else key.in_(values)
    return (
        or_(not_(matches), key.is_(None))
        if condition.negated and None not in condition.values
        else (not_(matches) if condition.negated else matches)
    )


def or_other(dimension: Dimension, key: Column, question: ReportStatement) -> Column:
    """The key, or Other for members that `top` leaves out."""
    if question.members is None or not _makes_others(dimension, question):
        return key
    as_text = func.coalesce(cast(key, Text), "")
    texts = [member_text(member) for member in question.members.values]
    return case((as_text.in_(texts), as_text), else_=literal(OTHER))


def _makes_others(dimension: Dimension, question: ReportStatement) -> bool:
    return question.members is not None and question.members.of is dimension


def plain_key(dimension: Dimension, table: Any, clock: Clock) -> Column:
    """The key of a dimension, computed for each row."""
    if dimension in GRAINS:
        return func.date_trunc(GRAINS[dimension].value, clock.at)
    match dimension:
        case Dimension.WEEKDAY:
            return func.date_mi(clock.day, A_MONDAY, type_=Integer) % 7 + 1
        case Dimension.HOUR_OF_DAY:
            return cast(clock.hour, Integer)
        case Dimension.CATEGORY:
            return func.nullif(category_of(table), "")
        case Dimension.GENDER:
            return func.nullif(func.split_part(func.coalesce(category_of(table), ""), "_", 1), "")
        case Dimension.SUBCATEGORY:
            return func.nullif(func.split_part(func.coalesce(category_of(table), ""), "_", 2), "")
        case Dimension.PRODUCT:
            return func.nullif(table.product_id, UNKNOWN_PRODUCT)
        case Dimension.PRICE_BAND:
            return price_band(list(_BANDS.values()))
        case Dimension.CUSTOMER_KIND:
            return case((Sale.is_new, "new"), else_="returning")
        case Dimension.DISCOUNTED:
            discounted: Any = Sale.discounted
            return cast(discounted, Boolean)
        case _:
            raise AssertionError(f"{dimension} is the number of a member")


def category_of(table: Any) -> Any:
    """The category of a table's rows, such as `men_shirts`."""
    return Product.category if table is SalesDayProduct else table.category


_NUMBERS: Mapping[Dimension, Any] = {
    dimension: getattr(Sale, dimension.facts.column) for dimension in Dimension if dimension.facts.column
}
"""Columns of the facts that hold the number of a member."""

_NUMBERS_OF_EVENTS: Mapping[Dimension, Any] = {
    dimension: EVENTS[f"{dimension.facts.column}_number"]
    for dimension in Dimension
    if dimension.facts.column and dimension.facts.of_events
}


def numbers_in(table: Any) -> Mapping[Dimension, Any]:
    """The columns of a table that hold numbers of members, by dimension."""
    return _NUMBERS if table is Sale else _NUMBERS_OF_EVENTS if table is EVENTS else {}


def _members(table: Any) -> _Named:
    return EventMember if table is EVENTS else SaleMember


_BANDS = dict(enumerate(key for key, _, _ in PRICE_BANDS))


def price_band(names: Sequence[Any]) -> Column:
    """The band of a line's price, by the given names."""
    steps = [
        (Sale.unit_price_cents < below, name)
        for (_, below, _), name in zip(PRICE_BANDS, names, strict=True)
        if below is not None
    ]
    return case(*steps, else_=names[-1])

"""SQL columns by which facts, events and stock are filtered and grouped: one for each dimension."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Date, Integer, Text, Uuid, any_, case, cast, func, literal, not_, or_, select
from sqlalchemy.orm import aliased

from server.analytics.models import EventMember, Sale, SaleMember, VisitEvent
from server.analytics.reports.dimensions import Dimension
from server.analytics.reports.keys import Clock, Column, ComputedKey, KeyPart, column_of
from server.analytics.reports.question import OTHER, Condition, Members, ReportStatement, member_text
from server.analytics.reports.ranges import DAY

EVENTS = VisitEvent.c
REST = -1
"""The number that stands for all members that `top` leaves out."""
_Named = type[SaleMember] | type[EventMember]


def clock_of(table: Any, question: ReportStatement) -> Clock:
    """The wall clock for a table's rows: stored columns where the facts have them for this time zone."""
    if table is Sale and question.in_shop_zone:
        return Clock(column_of(Sale.local_at), column_of(Sale.day), column_of(Sale.hour))
    at = table.local_at if question.in_shop_zone else func.timezone(question.span.zone.key, table.at)
    return Clock(at, cast(at, Date), cast(func.date_part("hour", at), Integer))


def part_by(dimension: Dimension, table: Any, clock: Clock, question: ReportStatement) -> KeyPart:
    """How rows are grouped by a dimension."""
    number = numbers_in(table).get(dimension)
    if number is not None:
        return _numbered(dimension, number, _members(table), question.members)
    computed = _computed(dimension)
    if computed.part is not None and not _makes_others(dimension, question):
        return computed.part(clock, question.span)
    return KeyPart(or_other(dimension, computed.of(table, clock), question))


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
    return _computed(dimension).of(table, clock)


def _computed(dimension: Dimension) -> ComputedKey:
    if dimension.facts.key is None:
        raise AssertionError(f"{dimension} is the number of a member")
    return dimension.facts.key


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

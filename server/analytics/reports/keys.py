"""Keys of dimensions that are computed from the columns of a table, and by what rows are grouped for them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, TIMESTAMP, ColumnElement, Date, Integer, Interval, case, cast, func, literal, select

from server.analytics.models import Sale, SalesDayProduct
from server.analytics.reports.ranges import Grain, Span
from server.catalog.models import Product

Column = ColumnElement[Any]
A_MONDAY = date(1999, 1, 4)
UNKNOWN_PRODUCT = UUID(int=0)


@dataclass(frozen=True)
class Clock:
    """The wall clock of the question's time zone, with day and hour; stored columns in the shop's own."""

    at: Column
    day: Column
    hour: Column

    @property
    def days(self) -> Column:
        """The number of days since a Monday."""
        return func.date_mi(self.day, A_MONDAY, type_=Integer)


@dataclass(frozen=True)
class KeyPart:
    """How facts are grouped by a dimension, and how the key follows from that."""

    inner: Column
    outer: Callable[[Column], Any] = lambda key: key


@dataclass(frozen=True)
class ComputedKey:
    """The key of a table's row."""

    of: Callable[[Any, Clock], Column]
    part: Callable[[Clock, Span], KeyPart] | None = None
    """What to group the facts of a span by where that is cheaper than grouping by the key."""


def column_of(stored: Any) -> Column:
    """A mapped attribute with the type of a column."""
    return stored  # type: ignore[no-any-return]


def time(grain: Grain) -> ComputedKey:
    """The beginning of an hour, a day and so on."""
    parts: dict[Grain, Callable[[Clock, Span], KeyPart]] = {
        Grain.HOUR: lambda clock, _: KeyPart(clock.days * 24 + clock.hour, _start_of_hour),
        Grain.DAY: lambda clock, _: KeyPart(clock.day, _midnight),
    }
    buckets = parts.get(grain, lambda clock, span: _bucket(clock.day, [start.date() for start in span.buckets(grain)]))
    return ComputedKey(lambda _, clock: func.date_trunc(grain.value, clock.at), buckets)


def _bucket(day: Any, starts: Sequence[date]) -> KeyPart:
    """Looks a day up among the first days of all months, which is faster than truncating it."""
    days = literal(starts, ARRAY(Date))
    named = func.unnest(days).table_valued("start", with_ordinality="number").render_derived()

    def start(number: Column) -> Column:
        return _midnight(select(named.c.start).where(named.c.number == number).scalar_subquery())

    return KeyPart(func.width_bucket(day, days, type_=Integer), start)


def _midnight(day: Any) -> Column:
    return cast(day, TIMESTAMP(timezone=False))


def _start_of_hour(number: Any) -> Column:
    return _midnight(literal(A_MONDAY, Date)) + func.make_interval(0, 0, 0, 0, number, type_=Interval)


def category_of(table: Any) -> Any:
    """The category of a table's rows, such as `men_shirts`."""
    return Product.category if table is SalesDayProduct else table.category


def part_of_category(number: int) -> ComputedKey:
    """The gender (1) or the kind of clothing (2) in the category."""
    return ComputedKey(
        lambda table, _: func.nullif(func.split_part(func.coalesce(category_of(table), ""), "_", number), "")
    )


def steps(names: Sequence[str], ends: Sequence[int]) -> ComputedKey:
    """The step of a line's price, of which each but the last ends before a number of cents; grouped by its number."""

    def step(values: Sequence[Any]) -> Column:
        below = [(Sale.unit_price_cents < end, value) for end, value in zip(ends, values, strict=False)]
        return case(*below, else_=values[-1])

    numbers = range(len(names))
    return ComputedKey(
        lambda *_: step(names),
        lambda *_: KeyPart(step(numbers), lambda number: case(dict(enumerate(names)), value=number)),
    )

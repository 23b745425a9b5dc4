"""The scalars of the schema: how each is parsed and written."""

from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NewType

import strawberry
from graphql import GraphQLError, StringValueNode, ValueNode
from strawberry.types.scalar import ScalarDefinition

from server.platform.core import money

Money = NewType("Money", int)
URL = NewType("URL", str)

LONGEST_DECIMAL = 30
"""Digits before the point, or zeros after it."""


def _money_in(value: object) -> int:
    if isinstance(value, str | int | Decimal) and not isinstance(value, bool):
        try:
            return money.cents(Decimal(value) if isinstance(value, int) else value)
        except ValueError as error:
            raise GraphQLError(f'Not an amount of money: {value!r}. Write it like "19.90".') from error
    raise GraphQLError('An amount of money is a string with at most two decimals, like "19.90".')


def _money_literal(node: ValueNode, variables: dict[str, Any] | None = None) -> int:
    if isinstance(node, StringValueNode):
        return _money_in(node.value)
    return _money_in(getattr(node, "value", None))


def _moment_in(value: object) -> datetime:
    """A time; UTC without a zone. Years at the ends of the calendar do not exist in every zone and are refused."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
        if moment is not None and 1 < moment.year < 9999:
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except ValueError:
        moment = None
    raise GraphQLError('A moment is ISO 8601 with its zone, like "2026-05-01T09:30:00Z".')


def _date_in(value: object) -> date:
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError as error:
        raise GraphQLError('A day is written like "2026-05-01".') from error


def _decimal_in(value: object) -> Decimal:
    try:
        number = Decimal(value) if isinstance(value, str | int) else Decimal(str(value))
        if number.is_finite() and abs(number.adjusted()) <= LONGEST_DECIMAL:
            return number
    except InvalidOperation:
        pass
    raise GraphQLError('A decimal number is written like "12.5".')


def _moment_out(value: datetime) -> str:
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


SCALARS: dict[object, ScalarDefinition] = {
    datetime: strawberry.scalar(
        name="DateTime",
        description='A moment in ISO 8601, UTC, such as "2026-05-01T09:30:00Z".',
        serialize=_moment_out,
        parse_value=_moment_in,
    ),
    date: strawberry.scalar(
        name="Date",
        description='A day of the calendar, such as "2026-05-01".',
        serialize=date.isoformat,
        parse_value=_date_in,
    ),
    Decimal: strawberry.scalar(
        name="Decimal",
        description='An exact decimal number, such as "12.5".',
        serialize=str,
        parse_value=_decimal_in,
    ),
    Money: strawberry.scalar(
        name="Money",
        description='An exact decimal amount in `shop.currency`, such as "19.90".',
        serialize=money.decimal_text,
        parse_value=_money_in,
        parse_literal=_money_literal,
    ),
    URL: strawberry.scalar(
        name="URL",
        description='An absolute or rooted address, such as "/images/…/900.avif".',
        serialize=str,
        parse_value=str,
    ),
}

"""Shared vocabulary of the schema: scalars, refusals, permissions."""

from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, NewType, cast

import strawberry
from graphql import GraphQLError, StringValueNode, ValueNode
from strawberry.permission import BasePermission
from strawberry.types.nodes import SelectedField
from strawberry.types.scalar import ScalarDefinition

from server.core import errors as refusals
from server.core import money
from server.core.context import Context
from server.core.text import parse_id as parse_id
from server.core.viewer import Access

Info = strawberry.Info[Context, None]

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
    """Without a zone it is UTC. Years at either end of the calendar leave it in some zones, and are refused."""
    try:
        given = datetime.fromisoformat(value) if isinstance(value, str) else None
        if given is not None and 1 < given.year < 9999:
            return given.replace(tzinfo=UTC) if given.tzinfo is None else given.astimezone(UTC)
    except ValueError:
        given = None
    raise GraphQLError('A moment is ISO 8601 with its zone, like "2026-05-01T09:30:00Z".')


def _date_in(value: object) -> date:
    try:
        return date.fromisoformat(value if isinstance(value, str) else "")
    except ValueError as error:
        raise GraphQLError('A day is written like "2026-05-01".') from error


def _decimal_in(value: object) -> Decimal:
    try:
        given = Decimal(value) if isinstance(value, str | int) else Decimal(str(value))
        if given.is_finite() and abs(given.adjusted()) <= LONGEST_DECIMAL:
            return given
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


def enum_value(value: str, description: str) -> str:
    """A member of an enum with its description; Strawberry gives the member its plain value back."""
    return cast(str, strawberry.enum_value(value, description=description))


@strawberry.interface(description="A refusal that a person can act on: what to say, and the input it belongs to.")
class UserError:
    message: str = strawberry.field(description="Words for the person, ready to show.")
    field: str | None = strawberry.field(
        default=None, description="The input at fault, such as `email`; null when no single input is."
    )


@strawberry.type(description="One broken rule.")
class FieldError:
    field: str = strawberry.field(description="The input at fault.")
    message: str = strawberry.field(description="Words for the person, ready to show.")


@strawberry.type(description="Input that breaks one or more rules.")
class InvalidInput(UserError):
    errors: list[FieldError] = strawberry.field(
        default_factory=list, description="Every broken rule, in the order of the form."
    )

    @classmethod
    def of(cls, error: refusals.InvalidInput) -> "InvalidInput":
        broken = [FieldError(field=name, message=message) for name, message in error.errors.items()]
        return cls(message=str(error), field=broken[0].field, errors=broken)


@strawberry.type(description="Asked too often.")
class TooManyAttempts(UserError):
    retry_after: int = strawberry.field(default=60, description="Seconds to wait.")

    @classmethod
    def of(cls, error: refusals.TooManyRequests) -> "TooManyAttempts":
        return cls(message=str(error), retry_after=error.retry_after)


@strawberry.type(description="It is done; there is nothing more to tell.")
class Done:
    ok: bool = strawberry.field(default=True, description="Always true.")


def asks_for(info: Info, name: str) -> bool:
    """Whether the query selects that field of what is being resolved: nobody counts what nobody wants to know."""
    return any(_has_field(selection, name) for field in info.selected_fields for selection in field.selections)


def _has_field(selection: object, name: str) -> bool:
    """Whether a selection is the field, or a fragment that has it."""
    if isinstance(selection, SelectedField):
        return selection.name == name
    return any(_has_field(each, name) for each in getattr(selection, "selections", ()))


class Declared(BasePermission):
    """What every field of Query and Mutation carries one of."""

    access: Access
    needs: str | None = None
    """What its fields' descriptions end with, so that nobody meets a refusal unwarned."""

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        self.access.check(cast(Context, info.context).viewer)
        return True


class Anyone(Declared):
    """Open to visitors."""

    access = Access.ANYONE


class SignedInOnly(Declared):
    """Open to shoppers with an account."""

    access = Access.SIGNED_IN
    needs = "Needs a session."


class AdminOnly(Declared):
    """Open to the back office."""

    access = Access.ADMIN
    needs = "For admins."


class PrimaryAdminOnly(Declared):
    """Open to one account."""

    access = Access.PRIMARY_ADMIN
    needs = "For the primary admin."


class RecentSignIn(BasePermission):
    """For acts that need a sign-in, or a reauthentication, of the last ten minutes: of an account with a second factor,
    one that used it. Stands after who may do them."""

    needs = "Needs a sign-in of the last ten minutes; `reauthenticate` renews it."

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        cast(Context, info.context).signed_in.require_recent_sign_in()
        return True


class RecentSignInForCredentials(RecentSignIn):
    """Declares that the service asks for a recent sign-in where credentials of an admin, or of an account with a second
    factor, change: what is given and who asks decide."""

    needs = (
        "For a new e-mail, password or provider an admin, or an account with a second factor, needs a sign-in of the "
        "last ten minutes; `reauthenticate` renews it."
    )

    def has_permission(self, source: object, info: strawberry.Info, **kwargs: object) -> bool:
        return True

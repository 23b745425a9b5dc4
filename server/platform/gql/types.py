"""Types that all domains of the schema share: errors that a user can act on, and the resolver's info."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, cast

import strawberry

from server.platform.core import errors as refusals
from server.platform.core.context import Context
from server.platform.gql.documents import names_in

Info = strawberry.Info[Context, None]


def enum_value(value: str, description: str) -> str:
    """An enum member with a description; Strawberry replaces it by its plain value."""
    return cast(str, strawberry.enum_value(value, description=description))


def describe_enum(kind: type[Enum], name: str, description: str, members: Mapping[Any, str]) -> None:
    """Makes an enum of the rules a GraphQL enum; `members` are the descriptions of its values."""
    strawberry.enum(kind, name=name, description=description)
    for value in kind.__strawberry_definition__.values:  # type: ignore[attr-defined]
        value.description = members[kind[value.name]]


@strawberry.interface(description="What `node` finds again by its id. No two nodes share one, whatever their types.")
class Node:
    id: strawberry.ID = strawberry.field(description="Opaque.")


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
        """From the service's error; `field` is the first invalid one."""
        broken = [FieldError(field=name, message=message) for name, message in error.errors.items()]
        return cls(message=str(error), field=broken[0].field, errors=broken)


@strawberry.type(description="Asked too often.")
class TooManyAttempts(UserError):
    retry_after: int = strawberry.field(default=60, description="Seconds to wait.")

    @classmethod
    def of(cls, error: refusals.TooManyRequests) -> "TooManyAttempts":
        """From the service's error."""
        return cls(message=str(error), retry_after=error.retry_after)


FORM_ERRORS = (refusals.InvalidInput, refusals.TooManyRequests)


def form_error(error: refusals.InvalidInput | refusals.TooManyRequests) -> InvalidInput | TooManyAttempts:
    """The error of a form as data, for mutations whose result can be either."""
    return InvalidInput.of(error) if isinstance(error, refusals.InvalidInput) else TooManyAttempts.of(error)


@strawberry.type(description="It is done; there is nothing more to tell.")
class Success:
    ok: bool = strawberry.field(default=True, description="Always true.")


def asks_for(info: Info, name: str) -> bool:
    """Whether the query selects this field of the object, so that unselected counts are not run."""
    return name in asked_names(info)


def asked_names(info: Info) -> frozenset[str]:
    """Names of the fields of the object that the query selects."""
    raw_info, variables = info._raw_info, info.variable_values
    selections = [node.selection_set for node in raw_info.field_nodes if node.selection_set]
    return frozenset(name for each in selections for name in names_in(each, raw_info.fragments, variables))

"""Which fields are plain data: an attribute, or a method that takes the object and plain arguments."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Any, cast
from uuid import UUID

from graphql import GraphQLField
from graphql.type import introspection
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField

from server.platform.gql.descriptions import described

Resolve = Callable[..., Any]

PLAIN = frozenset((str, int, float, bool, Decimal, datetime, date, UUID))
"""Values of these types are never awaitable."""
_KEPT = "minimal-plain-resolver"


def plain_resolver(definition: GraphQLField) -> Resolve | None:
    """A function that returns the field's value from the object and plain arguments; None where more is needed."""
    if _KEPT not in definition.extensions:
        definition.extensions[_KEPT] = _introspective(definition) or _plain_resolver(described(definition))
    resolve: Resolve | None = definition.extensions[_KEPT]
    return resolve


def attribute(definition: GraphQLField) -> str | None:
    """The name of the attribute that the field is; None for any other field."""
    field = described(definition)
    return field.python_name if field and type(plain_resolver(definition)) is attrgetter else None


def arguments_in_python(definition: GraphQLField, values: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their names in Python."""
    field = described(definition)
    if field is None:
        return dict(values)
    arguments = zip(definition.args, field.arguments, strict=True)
    return {argument.python_name: values[name] for name, argument in arguments if name in values}


def _introspective(definition: GraphQLField) -> Resolve | None:
    """The resolver of an introspection field; all but `possibleTypes` ignore the request."""
    resolve = definition.resolve
    code = getattr(resolve, "__code__", None)
    if resolve is None or code is None or resolve.__module__ != introspection.__name__:
        return None
    return partial(_without_info, resolve) if "_info" in code.co_varnames[:2] else None


def _without_info(resolve: Resolve, source: Any, **arguments: Any) -> Any:
    return resolve(source, None, **arguments)


def _plain_resolver(field: StrawberryField | None) -> Resolve | None:
    if field is None or field.extensions or field.is_subscription:
        return None
    resolver = field.base_resolver
    if resolver is None:
        return attrgetter(field.python_name)
    takes_more = resolver.info_parameter or resolver.root_parameter or resolver.parent_parameter
    if takes_more or field.is_async or not resolver.self_parameter:
        return None
    if not all(_is_plain(argument) for argument in field.arguments):
        return None
    return cast(Resolve, resolver.wrapped_func)


def _is_plain(argument: StrawberryArgument) -> bool:
    """Whether Strawberry passes the argument on as graphql-core parses it, and as an immutable value."""
    kind = argument.type.of_type if type(argument.type) is StrawberryOptional else argument.type
    return isinstance(kind, StrawberryEnumDefinition) or kind in (bool, int, float, str)

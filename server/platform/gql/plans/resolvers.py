"""Resolvers as one call each: what Strawberry finds out about a field in every call is found out once.

That is who may call it, what its function takes, and how each argument becomes a value of Python.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING
from inspect import isawaitable, iscoroutinefunction
from typing import Any, NamedTuple

from graphql import (
    GraphQLArgument,
    GraphQLField,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInputType,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
)
from strawberry import Info
from strawberry.permission import BasePermission, PermissionExtension
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.base import StrawberryMaybe
from strawberry.types.field import StrawberryField

from server.platform.gql.descriptions import described, described_object

Convert = Callable[[Any], Any]
KEPT = "minimal-resolver"
"""Key in a field's extensions."""


class Argument(NamedTuple):
    """An argument or a member of an input. Without `convert` its value stays as graphql-core has parsed it."""

    name: str
    python_name: str
    convert: Convert | None


class NotCovered(Exception):
    """Something about a field that is left to Strawberry."""


class Resolver:
    """Calls the function of one field as Strawberry does, after asking its permissions."""

    def __init__(self, definition: GraphQLField, field: StrawberryField) -> None:
        function = field.base_resolver
        if function is None or field.is_subscription or isinstance(function.wrapped_func, staticmethod | classmethod):
            raise NotCovered
        self._field = field
        self._function = function.wrapped_func
        self._permissions = _permissions(field)
        self._arguments = _members(definition.args, {})
        self._takes_self = function.self_parameter is not None
        parents = (function.parent_parameter, function.root_parameter)
        self._parents = [each.name for each in parents if each]
        self._info = function.info_parameter.name if function.info_parameter else None
        self._is_async = field.is_async

    def __call__(self, source: Any, raw_info: Any, values: Mapping[str, Any]) -> Any:
        """The field's value, or an awaitable of it. Raises what permissions and resolvers raise."""
        info: Info[Any, Any] = Info(_raw_info=raw_info, _field=self._field)
        arguments = _converted(self._arguments, values)
        if self._is_async:
            return self._later(source, info, arguments)
        return self._called(source, info, arguments)

    async def _later(self, source: Any, info: "Info[Any, Any]", arguments: dict[str, Any]) -> Any:
        result = self._called(source, info, arguments)
        return await result if isawaitable(result) else result

    def _called(self, source: Any, info: "Info[Any, Any]", arguments: dict[str, Any]) -> Any:
        for each in self._permissions:
            if each.has_permission(source, info, **arguments) is not True:
                each.on_unauthorized()
        for name in self._parents:
            arguments[name] = source
        if self._info:
            arguments[self._info] = info
        return self._function(source, **arguments) if self._takes_self else self._function(**arguments)


def resolver(definition: GraphQLField) -> Resolver | None:
    """The resolver of a field of this schema; None for one that is left to Strawberry."""
    if KEPT not in definition.extensions:
        field = described(definition)
        try:
            definition.extensions[KEPT] = Resolver(definition, field) if field else None
        except NotCovered:
            definition.extensions[KEPT] = None
    cached: Resolver | None = definition.extensions[KEPT]
    return cached


def _permissions(field: StrawberryField) -> tuple[BasePermission, ...]:
    permissions: list[BasePermission] = []
    for each in field.extensions:
        if type(each) is not PermissionExtension or each.fail_silently:
            raise NotCovered
        permissions += each.permissions
    if any(iscoroutinefunction(each.has_permission) for each in permissions):
        raise NotCovered
    return tuple(permissions)


class _Input:
    """Makes an object of an input type. A type may have members of its own type."""

    def __init__(self, kind: GraphQLInputObjectType, inputs: "Inputs") -> None:
        definition = described_object(kind)
        if definition is None or definition.from_input is not None:
            raise NotCovered
        inputs[kind] = self
        self._origin = definition.origin
        # Strawberry gives None for a member without a default; graphql-core has seen to those that must be there.
        self._absent = {
            each.python_name: None
            for each in definition.fields
            if each.default_value is MISSING and each.default_factory is MISSING
        }
        self._members = _members(kind.fields, inputs)

    def __call__(self, value: Any) -> Any:
        return None if value is None else self._origin(**{**self._absent, **_converted(self._members, value)})


Inputs = dict[GraphQLInputObjectType, _Input]


def _members(definitions: Mapping[str, GraphQLArgument | GraphQLInputField], inputs: Inputs) -> tuple[Argument, ...]:
    members = []
    for name, definition in definitions.items():
        member = definition.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        if isinstance(member.type, StrawberryMaybe):
            raise NotCovered
        members.append(Argument(name, member.python_name, _conversion(definition.type, inputs)))
    return tuple(members)


def _conversion(kind: GraphQLInputType, inputs: Inputs) -> Convert | None:
    """What Strawberry makes of a value of this type. A list is copied, since a default is one for all requests."""
    if is_non_null_type(kind):
        return _conversion(kind.of_type, inputs)
    if is_list_type(kind):
        item = _conversion(kind.of_type, inputs)
        return lambda value: value if value is None else [item(each) if item else each for each in value]
    if is_input_object_type(kind):
        return inputs.get(kind) or _Input(kind, inputs)
    return None


def _converted(members: tuple[Argument, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    return {
        each.python_name: each.convert(values[each.name]) if each.convert else values[each.name]
        for each in members
        if each.name in values
    }

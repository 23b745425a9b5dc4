"""How fields of an answer are worked out: as graphql-core does it, but for what is the same in every row of a list.

Most fields are an attribute, or a method that takes the object and plain arguments. These need neither the story of the
whole request nor their arguments read anew for every row, which is most of the time that a long answer takes.

The size of an answer is counted while it is made. Execution stops at the limit, because an answer that is refused only
when it is complete has taken its time and memory by then.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from operator import attrgetter
from typing import Any, cast
from uuid import UUID

from graphql import (
    GraphQLError,
    GraphQLField,
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    get_argument_values,
    is_leaf_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution.collect_fields import FieldDetailsList
from graphql.pyutils import Path, Undefined
from graphql.type import introspection
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.arguments import StrawberryArgument
from strawberry.types.base import StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.types.field import StrawberryField

Resolve = Callable[..., Any]

PLAIN = frozenset((str, int, float, bool, Decimal, datetime, date, UUID))
"""Values of these types are no promise of a value."""
TYPE_NAME = "__typename"
HIDE_SUGGESTIONS = "minimal-hide-suggestions"
"""Among a schema's extensions: whether errors keep to themselves which similar names there are."""
MAX_ANSWER_BYTES = 4_000_000
"""About four times the longest answer that a page of 100 products with everything in it makes."""
MAX_ADMIN_ANSWER_BYTES = 48_000_000
"""About four times the export of a report of 20,000 rows with every measure in it."""
FIELD_BYTES = 8
"""Counted for each field beyond its name and value, and for each value that is no text."""
_KEPT = "minimal-plain-resolver"


@dataclass(frozen=True, slots=True)
class _Selected:
    """What is the same each time that one selection of a field is worked out; without `resolve` nothing is."""

    details: FieldDetailsList
    """Kept, since its identity is what this is found by."""
    resolve: Resolve | None = None
    definition: GraphQLField | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    leaf: GraphQLLeafType | None = None
    object: GraphQLObjectType | None = None
    nullable: bool = False
    size: int = FIELD_BYTES
    """Bytes of its name in the answer."""


class Execution(StrawberryGraphQLCoreExecutionContext):
    """Looks at each selection once, however many rows it is worked out for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._selected: dict[int, _Selected] = {}
        self._bytes_left = answer_limit(self.context_value)

    @classmethod
    def build(cls, schema: GraphQLSchema, *args: Any, **kwargs: Any) -> "list[GraphQLError] | Execution":
        kwargs["hide_suggestions"] = bool(schema.extensions.get(HIDE_SUGGESTIONS))
        return cast("list[GraphQLError] | Execution", super().build(schema, *args, **kwargs))

    def build_response(self, data: dict[str, Any] | None) -> Any:
        """What was found out for this answer is let go at once: an execution refers to itself, and would be garbage."""
        self._selected.clear()
        self._relevant_sub_fields.clear()
        return super().build_response(data)

    def build_per_event_executor(self, payload: Any) -> "Execution":
        """Selections of one event are not those of the next."""
        made = cast(Execution, super().build_per_event_executor(payload))
        made._selected = {}
        made._bytes_left = answer_limit(self.context_value)
        return made

    def handle_field_error(self, raw_error: Exception, *args: Any) -> None:
        """An answer that has become too large ends as a whole; otherwise each nullable field would end by itself."""
        if self._bytes_left < 0:
            raise raw_error
        super().handle_field_error(raw_error, *args)

    def complete_leaf_value(  # type: ignore[override]  # graphql-core calls its static one on the executor as well
        self, return_type: GraphQLLeafType, result: Any
    ) -> Any:
        """As in graphql-core, and counted. Raises GraphQLError once the answer is too large."""
        value = return_type.coerce_output_value(result)
        if value is Undefined or value is None:
            raise TypeError(f"Expected `{return_type}` to give a value for {type(result).__name__}.")
        self._bytes_left -= len(value) if type(value) is str else FIELD_BYTES
        if self._bytes_left < 0:
            raise too_large(answer_limit(self.context_value))
        return value

    def execute_field(
        self,
        parent_type: GraphQLObjectType,
        source: Any,
        field_details_list: FieldDetailsList,
        path: Path,
        position_context: Any,
    ) -> Any:
        selected = self._selected.get(id(field_details_list))
        if selected is None:
            selected = self._look_at(parent_type, field_details_list)
            self._selected[id(field_details_list)] = selected
        self._bytes_left -= selected.size
        if self._bytes_left < 0:
            raise too_large(answer_limit(self.context_value))
        if selected.resolve is None or selected.definition is None:
            return super().execute_field(parent_type, source, field_details_list, path, position_context)
        kind = selected.definition.type
        try:
            result = selected.resolve(source, **selected.arguments)
            if selected.leaf is not None and type(result) in PLAIN:
                return self.complete_leaf_value(selected.leaf, result)
            if result is None and selected.nullable:
                return None
            if self.is_awaitable(result) or result is None or isinstance(result, Exception) or selected.object is None:
                nodes = [each.node for each in field_details_list]
                info = self.build_resolve_info(selected.definition, nodes, parent_type, path)
                complete = self.complete_awaitable_value if self.is_awaitable(result) else self.complete_value
                completed: Any = complete(kind, field_details_list, info, path, result, position_context)
            else:
                completed = self.collect_and_execute_subfields(
                    selected.object, field_details_list, path, result, position_context
                )
        except Exception as error:  # noqa: BLE001 - whatever a resolver raises is the field's error
            self.handle_field_error(error, kind, field_details_list, path)
            return None
        return self._settled(completed, kind, field_details_list, path) if self.is_awaitable(completed) else completed

    async def _settled(
        self, completed: Awaitable[Any], kind: GraphQLOutputType, details: FieldDetailsList, path: Path
    ) -> Any:
        try:
            return await completed
        except Exception as error:  # noqa: BLE001
            self.handle_field_error(error, kind, details, path)
            return None

    def _look_at(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> _Selected:
        first = details[0]
        definition = self.schema.get_field(parent_type, first.node.name.value)
        size = FIELD_BYTES + len((first.node.alias or first.node.name).value)
        if definition is None or (self.middleware_manager and self.middleware_manager.middlewares):
            return _Selected(details, size=size)
        is_name = first.node.name.value == TYPE_NAME
        resolve = (lambda _: parent_type.name) if is_name else plain_resolver(definition)
        if resolve is None:
            return _Selected(details, size=size)
        try:
            given = get_argument_values(
                definition, first.node, self.variable_values, first.fragment_variable_values, self.hide_suggestions
            )
        except GraphQLError:
            return _Selected(details, size=size)
        kind = definition.type.of_type if is_non_null_type(definition.type) else definition.type
        return _Selected(
            details,
            resolve,
            definition,
            given if is_name else _in_python(definition, given),
            kind if is_leaf_type(kind) else None,
            kind if is_object_type(kind) and not kind.is_type_of else None,
            nullable=kind is definition.type,
            size=size,
        )


def answer_limit(context: object) -> int:
    """Bytes that an answer may have, roughly as JSON: reports and long lists are for admins."""
    viewer = getattr(context, "viewer", None)
    return MAX_ADMIN_ANSWER_BYTES if viewer is not None and viewer.is_admin else MAX_ANSWER_BYTES


def too_large(limit: int) -> GraphQLError:
    return GraphQLError(
        f"This answer would be larger than {limit / 1_000_000:g} MB. Ask for fewer with `first`, or select less.",
        extensions={"code": "TOO_LARGE", "limit": limit},
    )


def plain_resolver(definition: GraphQLField) -> Resolve | None:
    """What gives the field's value from the object and plain arguments alone; None where there is more to it."""
    if _KEPT not in definition.extensions:
        definition.extensions[_KEPT] = _introspective(definition) or _plain_resolver(_described(definition))
    found: Resolve | None = definition.extensions[_KEPT]
    return found


def _introspective(definition: GraphQLField) -> Resolve | None:
    """Of a field of the introspection types: all but `possibleTypes` make no use of the request."""
    resolve = definition.resolve
    code = getattr(resolve, "__code__", None)
    if resolve is None or code is None or resolve.__module__ != introspection.__name__:
        return None
    return partial(_without_info, resolve) if "_info" in code.co_varnames[:2] else None


def _without_info(resolve: Resolve, source: Any, **arguments: Any) -> Any:
    return resolve(source, None, **arguments)


def _plain_resolver(described: StrawberryField | None) -> Resolve | None:
    if described is None or described.extensions or described.is_subscription:
        return None
    resolver = described.base_resolver
    if resolver is None:
        return attrgetter(described.python_name)
    takes_more = resolver.info_parameter or resolver.root_parameter or resolver.parent_parameter
    if takes_more or described.is_async or not resolver.self_parameter:
        return None
    if not all(_is_plain(argument) for argument in described.arguments):
        return None
    return cast(Resolve, resolver.wrapped_func)


def _is_plain(argument: StrawberryArgument) -> bool:
    """Whether Strawberry hands it on as graphql-core reads it, and nobody can change it."""
    kind = argument.type.of_type if type(argument.type) is StrawberryOptional else argument.type
    return isinstance(kind, StrawberryEnumDefinition) or kind in (bool, int, float, str)


def _described(definition: GraphQLField) -> StrawberryField | None:
    found = definition.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return found if isinstance(found, StrawberryField) else None


def _in_python(definition: GraphQLField, given: Mapping[str, Any]) -> dict[str, Any]:
    """By the names that the resolver has for them."""
    described = _described(definition)
    if described is None:
        return dict(given)
    arguments = zip(definition.args, described.arguments, strict=True)
    return {argument.python_name: given[name] for name, argument in arguments if name in given}

"""Executes documents like graphql-core, but does what is the same in every row of a list only once.

Most fields are an attribute, or a method that takes the object and plain arguments. For these it skips the resolve info
and the parsing of arguments in every row, which take most of a long response's time.

The size of a response is counted while it is built, and execution stops at the limit; refusing a complete response
would save neither time nor memory.
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
"""Values of these types are never awaitable."""
TYPE_NAME = "__typename"
HIDE_SUGGESTIONS = "minimal-hide-suggestions"
"""Key in a schema's extensions: whether error messages leave out similar names."""
MAX_ANSWER_BYTES = 4_000_000
"""About four times the longest response that a page of 100 products with every field makes."""
MAX_ADMIN_ANSWER_BYTES = 48_000_000
"""About four times the export of a report of 20,000 rows with every measure."""
FIELD_BYTES = 8
"""Counted for each field beside its name and value, and for each value that is not text."""
_KEPT = "minimal-plain-resolver"


@dataclass(frozen=True, slots=True)
class _Selected:
    """What all executions of one selected field share. Without `resolve` the field is executed by graphql-core."""

    details: FieldDetailsList
    """Referenced here because its identity is the cache key."""
    resolve: Resolve | None = None
    definition: GraphQLField | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    leaf: GraphQLLeafType | None = None
    object: GraphQLObjectType | None = None
    nullable: bool = False
    size: int = FIELD_BYTES
    """Bytes of the field's name in the response."""


class Execution(StrawberryGraphQLCoreExecutionContext):
    """Prepares each selected field once, however many rows it is executed for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._selected: dict[int, _Selected] = {}
        self._bytes_left = answer_limit(self.context_value)

    @classmethod
    def build(cls, schema: GraphQLSchema, *args: Any, **kwargs: Any) -> "list[GraphQLError] | Execution":
        """As in graphql-core, with the schema's choice about suggestions."""
        kwargs["hide_suggestions"] = bool(schema.extensions.get(HIDE_SUGGESTIONS))
        return cast("list[GraphQLError] | Execution", super().build(schema, *args, **kwargs))

    def build_response(self, data: dict[str, Any] | None) -> Any:
        """As in graphql-core; drops the prepared fields, since an execution refers to itself and would be garbage."""
        self._selected.clear()
        self._relevant_sub_fields.clear()
        return super().build_response(data)

    def build_per_event_executor(self, payload: Any) -> "Execution":
        """Starts without prepared fields: each event of a subscription selects anew."""
        made = cast(Execution, super().build_per_event_executor(payload))
        made._selected = {}
        made._bytes_left = answer_limit(self.context_value)
        return made

    def handle_field_error(self, raw_error: Exception, *args: Any) -> None:
        """As in graphql-core, except that a response over the size limit fails as a whole."""
        if self._bytes_left < 0:
            raise raw_error
        super().handle_field_error(raw_error, *args)

    def complete_leaf_value(  # type: ignore[override]  # graphql-core calls its static one on the executor as well
        self, return_type: GraphQLLeafType, result: Any
    ) -> Any:
        """As in graphql-core, and counts the bytes. Raises GraphQLError once the response is too large."""
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
        """As in graphql-core, by the prepared field. Raises GraphQLError once the response is too large."""
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
    """Maximal bytes of a response, roughly as JSON; larger for admins, who export reports and long lists."""
    viewer = getattr(context, "viewer", None)
    return MAX_ADMIN_ANSWER_BYTES if viewer is not None and viewer.is_admin else MAX_ANSWER_BYTES


def too_large(limit: int) -> GraphQLError:
    """The error of a response over the limit (bytes), with the code TOO_LARGE."""
    return GraphQLError(
        f"This answer would be larger than {limit / 1_000_000:g} MB. Ask for fewer with `first`, or select less.",
        extensions={"code": "TOO_LARGE", "limit": limit},
    )


def plain_resolver(definition: GraphQLField) -> Resolve | None:
    """A function that returns the field's value from the object and plain arguments; None where more is needed."""
    if _KEPT not in definition.extensions:
        definition.extensions[_KEPT] = _introspective(definition) or _plain_resolver(_described(definition))
    found: Resolve | None = definition.extensions[_KEPT]
    return found


def _introspective(definition: GraphQLField) -> Resolve | None:
    """The resolver of an introspection field; all but `possibleTypes` ignore the request."""
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
    """Whether Strawberry passes the argument on as graphql-core parses it, and as an immutable value."""
    kind = argument.type.of_type if type(argument.type) is StrawberryOptional else argument.type
    return isinstance(kind, StrawberryEnumDefinition) or kind in (bool, int, float, str)


def _described(definition: GraphQLField) -> StrawberryField | None:
    found = definition.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return found if isinstance(found, StrawberryField) else None


def _in_python(definition: GraphQLField, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by their names in Python."""
    described = _described(definition)
    if described is None:
        return dict(given)
    arguments = zip(definition.args, described.arguments, strict=True)
    return {argument.python_name: given[name] for name, argument in arguments if name in given}

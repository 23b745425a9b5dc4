"""Executes documents like graphql-core, but does what is the same in every row of a list only once.

With a plan, an object whose selection is plain data is written by a function generated for it; see `writers`. Fields
of other objects, and of documents without a plan, are prepared once: it skips the resolve info and the parsing of
arguments in every row, which take most of a long response's time.
"""

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLField,
    GraphQLLeafType,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    ListValueNode,
    ObjectValueNode,
    OperationDefinitionNode,
    ValueNode,
    VariableNode,
    default_field_resolver,
    default_type_resolver,
    get_argument_values,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from graphql.execution import ExecutionResult
from graphql.execution.collect_fields import DeferUsage, FieldDetailsList, FragmentDetails, GroupedFieldSet
from graphql.execution.values import VariableValues
from graphql.pyutils import Path
from strawberry.execution import optimized_is_awaitable
from strawberry.utils.await_maybe import await_maybe

from server.platform.gql.execution import LimitedExecution, hides_suggestions, name_bytes
from server.platform.gql.plans.plain_fields import PLAIN, Resolve, arguments_in_python, plain_resolver
from server.platform.gql.plans.resolvers import Resolver, resolver
from server.platform.gql.plans.writers import TYPE_NAME, GivenArguments, Writers, origin_of


@dataclass(frozen=True, slots=True)
class Field:
    """What all executions of one selected field share."""

    details: FieldDetailsList
    parent: GraphQLObjectType
    definition: GraphQLField
    resolve: Resolve | Resolver
    """Takes the object and the arguments of a field that is plain data; calls the function of any other."""
    arguments: Mapping[str, Any] | None
    """None where they contain variables: then they are an execution's own."""
    leaf: GraphQLLeafType | None
    object: GraphQLObjectType | None
    origin: type | None
    """The class of its objects, where the type is checked: one that implements an interface."""
    item: GraphQLObjectType | None
    """The type of the objects that it lists."""
    nullable: bool


class RootField(NamedTuple):
    """A field of the query or mutation itself."""

    name: str
    path: Path
    nodes: list[FieldNode]
    field: Field
    size: int
    """Bytes of the field's name in the response."""


class _Selected(NamedTuple):
    """A selected field; None is executed by graphql-core."""

    details: FieldDetailsList
    """Referenced here because its identity is the cache key."""
    size: int
    """Bytes of the field's name in the response."""
    field: Field | None = None


class Plan:
    """What all executions of an operation share whose directives include the same fields.

    Writers are generated when the first object that they are for has to be written.
    """

    def __init__(self, schema: GraphQLSchema) -> None:
        self.root: GroupedFieldSet | None = None
        self.root_fields: list[RootField] = []
        """Known once it has been executed, where no field needs graphql-core and their order does not matter."""
        self.sub_fields: dict[Any, Any] = {}
        """graphql-core's memo of the fields of each selection. Its lists live as long as the plan."""
        self.selected: dict[int, _Selected] = {}
        """Fields by the identity of their details."""
        self.writers = Writers(schema)


class Execution(LimitedExecution):
    """Prepares each selected field once, however many rows it is executed for."""

    _plan: Plan | None = None
    _arguments: GivenArguments

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._selected: dict[int, _Selected] = {}
        self._field_arguments: dict[int, Mapping[str, Any]] = {}
        """Arguments that contain variables, by the identity of their field's details."""

    @classmethod
    def of(
        cls,
        schema: GraphQLSchema,
        operation: OperationDefinitionNode,
        definitions: dict[str, FragmentDefinitionNode],
        fragments: dict[str, FragmentDetails],
        variables: VariableValues,
        context: object,
        root: object,
    ) -> "Execution":
        """As `build` makes it, from what it would find out about a document each time."""
        return cls(
            schema,
            definitions,
            fragments,
            root,
            context,
            operation,
            variables,
            default_field_resolver,
            default_type_resolver,
            default_field_resolver,
            is_awaitable=optimized_is_awaitable,
            hide_suggestions=hides_suggestions(schema),
        )

    async def run(self) -> ExecutionResult:
        """As `execute_operation`."""
        result = await await_maybe(self.execute_operation())
        if not isinstance(result, ExecutionResult):
            raise TypeError("The schema has no directive for incremental delivery.")
        return result

    def use_plan(self, plan: Plan, bytes_left: int | None = None) -> None:
        """Executes by a plan of this operation, for the same values of the variables in its directives."""
        self._plan = plan
        self._arguments = GivenArguments(plan.writers, self.variable_values, hide_suggestions=self.hide_suggestions)
        if bytes_left is not None:
            self._bytes_left = bytes_left
        self._relevant_sub_fields = plan.sub_fields

    def build_response(self, data: dict[str, Any] | None) -> Any:
        """As in graphql-core; drops the prepared fields, since an execution refers to itself and would be garbage."""
        self._selected.clear()
        self._field_arguments.clear()
        if self._plan is not None:
            self._relevant_sub_fields = {}
            del self._plan, self._arguments
        return super().build_response(data)

    def execute_collected_root_fields(
        self,
        root_type: GraphQLObjectType,
        root_value: Any,
        grouped_field_set: GroupedFieldSet,
        serially: bool,
        new_defer_usages: Sequence[DeferUsage],
    ) -> Any:
        """As in graphql-core, with the plan's fields, whose identity is the key of their selections."""
        if self._plan is not None:
            grouped_field_set = self._plan.root = self._plan.root or grouped_field_set
            if not serially or len(grouped_field_set) == 1:
                self._plan.root_fields = self._root_fields(root_type, grouped_field_set)
        return super().execute_collected_root_fields(
            root_type, root_value, grouped_field_set, serially, new_defer_usages
        )

    def _root_fields(self, kind: GraphQLObjectType, grouped: GroupedFieldSet) -> list[RootField]:
        fields = []
        for name, details in grouped.items():
            selected = self._look_at(kind, details)
            if selected.field is None:
                return []
            nodes = [each.node for each in details]
            fields.append(RootField(name, Path(None, name, kind.name), nodes, selected.field, selected.size))
        return fields

    def collect_and_execute_subfields(
        self,
        return_type: GraphQLObjectType,
        field_details_list: FieldDetailsList,
        path: Path,
        result: Any,
        position_context: Any,
    ) -> Any:
        """As in graphql-core, by the plan's writer where there is one and nothing unusual comes up."""
        if self._plan is not None:
            writer = self._plan.writers.writer(return_type, field_details_list, self._fields_of)
            if writer is not None:
                left = [self._bytes_left]
                try:
                    written = writer(result, left, self._arguments)
                except Exception:  # noqa: BLE001 - it comes up again field by field, where it belongs to one of them
                    left.clear()
                else:
                    [self._bytes_left] = left
                    return written
        return super().collect_and_execute_subfields(return_type, field_details_list, path, result, position_context)

    def _fields_of(self, kind: GraphQLObjectType, details: FieldDetailsList) -> GroupedFieldSet:
        return self.collect_subfields(kind, details).grouped_field_set

    def build_per_event_executor(self, payload: Any) -> "Execution":
        """Starts without prepared fields: each event of a subscription selects its own."""
        executor = cast(Execution, super().build_per_event_executor(payload))
        executor._selected, executor._field_arguments = {}, {}
        return executor

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
        self._count(selected.size)
        field = selected.field
        if field is None or self.abort_signal is not None:
            return self._by_graphql_core(parent_type, source, field_details_list, path, position_context)
        kind, resolve, arguments = field.definition.type, field.resolve, field.arguments
        if arguments is None:
            arguments = self._field_arguments.get(id(field_details_list))
            if arguments is None:
                try:
                    arguments = self._read(field.definition, field_details_list, field.resolve)
                except GraphQLError:
                    return self._by_graphql_core(parent_type, source, field_details_list, path, position_context)
                self._field_arguments[id(field_details_list)] = arguments
        try:
            if isinstance(resolve, Resolver):
                info = self._info(field, path)
                result = resolve(source, info, arguments)
            else:
                info = None
                result = resolve(source, **arguments)
                if field.leaf is not None and type(result) in PLAIN:
                    return self.complete_leaf_value(field.leaf, result)
        except Exception as error:  # noqa: BLE001 - whatever a resolver raises is the field's error
            self.handle_field_error(error, kind, field_details_list, path)
            return None
        if self.is_awaitable(result):
            return self._awaited(field, path, result, position_context, info)
        return self.complete(field, path, result, position_context, info)

    def _by_graphql_core(self, *field: Any) -> Any:
        """Executes a field whose name has been counted."""
        return super(LimitedExecution, self).execute_field(*field)

    def complete(self, field: Field, path: Path, result: Any, position_context: Any, info: Any) -> Any:
        """What stands in the response for a resolver's result, or an awaitable of it. An error may be a result."""
        try:
            completed = self._completed(field, path, result, position_context, info)
        except Exception as error:  # noqa: BLE001
            self.handle_field_error(error, field.definition.type, field.details, path)
            return None
        if self.is_awaitable(completed):
            return self._settled(completed, field.definition.type, field.details, path)
        return completed

    def _completed(self, field: Field, path: Path, result: Any, position_context: Any, info: Any) -> Any:
        """What stands in the response for a result, or an awaitable of it."""
        if result is None and field.nullable:
            return None
        if field.item is not None and (written := self._written_list(field, field.item, result)) is not None:
            return written
        is_checked = field.origin is None or type(result) is field.origin
        if result is None or isinstance(result, Exception) or field.object is None or not is_checked:
            info = info or self._info(field, path)
            return self.complete_value(field.definition.type, field.details, info, path, result, position_context)
        return self.collect_and_execute_subfields(field.object, field.details, path, result, position_context)

    def _written_list(self, field: Field, kind: GraphQLObjectType, items: Any) -> list[Any] | None:
        """A list of objects by the plan's writer; None when there is none, or something unusual comes up."""
        if self._plan is None or type(items) is not list:
            return None
        writer = self._plan.writers.writer(kind, field.details, self._fields_of)
        if writer is None:
            return None
        left = [self._bytes_left]
        try:
            written = [writer(each, left, self._arguments) for each in items]
        except Exception:  # noqa: BLE001 - it comes up again item by item
            return None
        [self._bytes_left] = left
        return written

    async def _awaited(self, field: Field, path: Path, result: Awaitable[Any], position_context: Any, info: Any) -> Any:
        try:
            completed = self._completed(field, path, await result, position_context, info)
            return await completed if self.is_awaitable(completed) else completed
        except Exception as error:  # noqa: BLE001
            self.handle_field_error(error, field.definition.type, field.details, path)
            return None

    def _info(self, field: Field, path: Path) -> Any:
        nodes = [each.node for each in field.details]
        return self.build_resolve_info(field.definition, nodes, field.parent, path)

    async def _settled(
        self, completed: Awaitable[Any], kind: GraphQLOutputType, details: FieldDetailsList, path: Path
    ) -> Any:
        try:
            return await completed
        except Exception as error:  # noqa: BLE001
            self.handle_field_error(error, kind, details, path)
            return None

    def _look_at(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> _Selected:
        """The selected field, which all executions by the plan share."""
        if self._plan is None:
            return self._prepared(parent_type, details)
        selected = self._plan.selected.get(id(details))
        if selected is None:
            selected = self._plan.selected[id(details)] = self._prepared(parent_type, details)
        return selected

    def _read(
        self, definition: GraphQLField, details: FieldDetailsList, resolve: Resolve | Resolver
    ) -> Mapping[str, Any]:
        return read_arguments(
            definition, details, resolve, self.variable_values, hide_suggestions=self.hide_suggestions
        )

    def _prepared(self, parent_type: GraphQLObjectType, details: FieldDetailsList) -> _Selected:
        size = name_bytes(details)
        definition = self.schema.get_field(parent_type, details[0].node.name.value)
        if definition is None or (self.middleware_manager and self.middleware_manager.middlewares):
            return _Selected(details, size)
        return _Selected(details, size, self._field(parent_type, definition, details))

    def _field(
        self, parent_type: GraphQLObjectType, definition: GraphQLField, details: FieldDetailsList
    ) -> Field | None:
        node = details[0].node
        is_name = node.name.value == TYPE_NAME
        resolve = (lambda _: parent_type.name) if is_name else plain_resolver(definition) or resolver(definition)
        if resolve is None:
            return None
        has_variables = any(_has_variables(each.value) for each in node.arguments or ())
        try:
            arguments = {} if is_name else None if has_variables else self._read(definition, details, resolve)
        except GraphQLError:
            return None
        kind = definition.type.of_type if is_non_null_type(definition.type) else definition.type
        origin = origin_of(kind) if is_object_type(kind) and kind.is_type_of else None
        return Field(
            details,
            parent_type,
            definition,
            resolve,
            arguments,
            kind if is_leaf_type(kind) else None,
            kind if is_object_type(kind) and (not kind.is_type_of or origin) else None,
            origin,
            _listed_object(kind),
            nullable=kind is definition.type,
        )


def read_arguments(
    definition: GraphQLField,
    details: FieldDetailsList,
    resolve: Resolve | Resolver,
    variables: VariableValues,
    *,
    hide_suggestions: bool,
) -> Mapping[str, Any]:
    """The arguments of a field as its resolver takes them. Raises GraphQLError when they are wrong."""
    first = details[0]
    arguments = get_argument_values(definition, first.node, variables, first.fragment_variable_values, hide_suggestions)
    return arguments if isinstance(resolve, Resolver) else arguments_in_python(definition, arguments)


def _has_variables(value: ValueNode) -> bool:
    if isinstance(value, ListValueNode):
        return any(map(_has_variables, value.values))
    if isinstance(value, ObjectValueNode):
        return any(_has_variables(each.value) for each in value.fields)
    return isinstance(value, VariableNode)


def _listed_object(kind: GraphQLOutputType) -> GraphQLObjectType | None:
    """The type of a list's items, where they are objects."""
    if not is_list_type(kind):
        return None
    item = kind.of_type.of_type if is_non_null_type(kind.of_type) else kind.of_type
    return item if is_object_type(item) else None

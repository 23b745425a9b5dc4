"""Query cost: the number of objects that a document may return, counted before it runs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLField,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_composite_type,
    is_non_null_type,
)
from strawberry.extensions import SchemaExtension
from strawberry.schema.schema_converter import GraphQLCoreConverter

from server.platform.core.error_codes import ErrorCode

LIMIT = 5_000
PLAIN_LIST = 5
"""Objects assumed for a list without pagination, such as a product's colors, unless the field says LIST_SIZE."""
LIST_SIZE = "list_size"
"""Key in a field's metadata: the number of objects to assume for its list."""
PAGED = "first"
BY_IDS = "ids"
"""The argument of a list of objects by their ids."""
MOST_SELECTIONS = 5_000
MOST_OF_ONE_NAME = 60
LONGEST_DOCUMENT = 100_000
INTROSPECTION = frozenset({"__schema", "__type"})
INTROSPECTION_COUNTED = 4 * LIMIT
"""Counting of introspection stops here."""


class IntrospectionPricing(Protocol):
    """What `__schema` and `__type` cost in one document."""

    def of(self, field: FieldNode, variables: Mapping[str, Any]) -> int:
        """The number of objects that the field returns."""


IntrospectionPrices = Callable[[GraphQLSchema, Mapping[str, FragmentDefinitionNode], int], IntrospectionPricing]


def cost_of(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Mapping[str, Any],
    introspection: IntrospectionPrices,
) -> int:
    """The number of objects that an operation may return."""
    root = schema.get_root_type(operation.operation)
    if root is None:
        return 0
    fragments = {node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)}
    priced = introspection(schema, fragments, INTROSPECTION_COUNTED)
    values = {**_defaults(operation), **variables}
    return _Price(schema, fragments, values, priced).of(operation.selection_set, root)


def _defaults(operation: OperationDefinitionNode) -> dict[str, int]:
    """The operation's own whole numbers for variables that a request leaves out."""
    by_name = {node.variable.name.value: node.default_value for node in operation.variable_definitions or ()}
    return {name: int(node.value[:9]) for name, node in by_name.items() if isinstance(node, IntValueNode)}


def refuse_costly(cost: int) -> None:
    """Raises GraphQLError with the code TOO_COSTLY for a cost over LIMIT."""
    if cost > LIMIT:
        raise GraphQLError(
            f"This query asks for up to {cost:,} objects; the limit is {LIMIT:,}. "
            "Ask for fewer with `first`, or select fewer lists inside lists.",
            extensions={"code": ErrorCode.TOO_COSTLY, "cost": cost, "limit": LIMIT},
        )


def cost_extension(cost: int) -> dict[str, Any]:
    """The cost in a response's extensions."""
    return {"cost": {"requested": cost, "limit": LIMIT}}


class CostLimit(SchemaExtension):
    """Refuses documents that may return more than LIMIT objects; reports the cost in `extensions.cost`."""

    _cost: int | None = None

    def __init__(self, introspection: IntrospectionPrices) -> None:
        super().__init__()
        self._introspection = introspection

    def on_execute(self) -> Iterator[None]:
        """Raises GraphQLError with the code TOO_COSTLY before anything is executed."""
        context = self.execution_context
        document = context.graphql_document
        if document is not None and not context.pre_execution_errors:
            operation = _operation(document.definitions, context.operation_name)
            schema: GraphQLSchema = context.schema._schema
            self._cost = cost_of(schema, document, operation, context.variables or {}, self._introspection)
            refuse_costly(self._cost)
        yield

    def get_results(self) -> dict[str, Any]:
        """The counted cost and the limit, for the response's extensions."""
        return {} if self._cost is None else cost_extension(self._cost)


class SelectionLimit(SchemaExtension):
    """Refuses documents that are expensive to validate: too long, or too large once fragments are expanded.

    Each fragment can double the one before it with a few words, and validation compares all fields of one name with
    each other. So this counts first, visiting every node once.
    """

    def on_parse(self) -> Iterator[None]:
        """Raises GraphQLError for a document over LONGEST_DOCUMENT characters."""
        if len(self.execution_context.query or "") > LONGEST_DOCUMENT:
            raise _too_much(f"A document has at most {LONGEST_DOCUMENT:,} characters. Send values as variables.")
        yield

    def on_validate(self) -> Iterator[None]:
        """Raises GraphQLError for too many selections, in total or of one name."""
        document = self.execution_context.graphql_document
        if document is not None:
            counted = _Count(document.definitions)
            if counted.written_out > MOST_SELECTIONS:
                raise _too_much(
                    f"This document selects more than {MOST_SELECTIONS:,} fields once its fragments are written out. "
                    "Use fewer fragments inside fragments."
                )
            if max(counted.names.values(), default=0) > MOST_OF_ONE_NAME:
                raise _too_much(f"This document selects one field more than {MOST_OF_ONE_NAME} times. Select it once.")
        yield


def _too_much(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": ErrorCode.TOO_COSTLY})


class _Count:
    """Counts selections with all fragments expanded, and how often one field name is selected.

    Stops at fragments that include themselves, which validation refuses.
    """

    def __init__(self, definitions: Any) -> None:
        self.names: Counter[str] = Counter()
        self._fragments = {node.name.value: node for node in definitions if isinstance(node, FragmentDefinitionNode)}
        self._known: dict[str, int] = {}
        operations = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
        self.written_out = sum(self._selections(operation.selection_set) for operation in operations)

    def _fragment(self, name: str) -> int:
        if name not in self._known:
            self._known[name] = 0
            fragment = self._fragments.get(name)
            self._known[name] = self._selections(fragment.selection_set) if fragment else 0
        return self._known[name]

    def _selections(self, selections: SelectionSetNode | None) -> int:
        total = 0
        for node in selections.selections if selections else ():
            total += 1
            if isinstance(node, FragmentSpreadNode):
                total += self._fragment(node.name.value)
            elif isinstance(node, FieldNode | InlineFragmentNode):
                total += self._selections(node.selection_set)
            if isinstance(node, FieldNode) and node.selection_set:
                self.names[(node.alias or node.name).value] += 1
        return total


def _operation(definitions: Any, name: str | None) -> OperationDefinitionNode:
    operations = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
    return next((node for node in operations if node.name and node.name.value == name), operations[0])


class _Price:
    def __init__(
        self,
        schema: GraphQLSchema,
        fragments: dict[str, FragmentDefinitionNode],
        variables: Mapping[str, Any],
        introspection: IntrospectionPricing,
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._variables = variables
        self._introspection = introspection

    def of(self, selections: SelectionSetNode, parent: Any, times: int = 1, page: int | None = None) -> int:
        total = 0
        for node in selections.selections:
            if isinstance(node, FieldNode):
                total += self._field(node, parent, times, page)
            elif isinstance(node, FragmentSpreadNode):
                fragment = self._fragments[node.name.value]
                on = self._schema.type_map.get(fragment.type_condition.name.value, parent)
                total += self.of(fragment.selection_set, on, times, page)
            elif isinstance(node, InlineFragmentNode):
                condition = node.type_condition
                on = self._schema.type_map.get(condition.name.value, parent) if condition else parent
                total += self.of(node.selection_set, on, times, page)
            if total > 1_000 * LIMIT:
                break
        return total

    def _field(self, node: FieldNode, parent: Any, times: int, page: int | None) -> int:
        if node.name.value in INTROSPECTION:
            return self._introspection.of(node, self._variables)
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType) or node.name.value.startswith("__"):
            return 0
        definition = parent.fields[node.name.value]
        named = get_named_type(definition.type)
        if not is_composite_type(named) or node.selection_set is None:
            return 0
        first = self._first(node, definition.args.get(PAGED))
        if BY_IDS in definition.args:
            first = self._number_of_ids(node, first)
        objects = times
        if _is_list(definition.type):
            objects *= first if first is not None else page if page is not None else _list_size(definition)
            page = None
        else:
            page = first
        return objects + self.of(node.selection_set, named, objects, page)

    def _number_of_ids(self, node: FieldNode, first: int | None) -> int | None:
        """The number of ids that are asked for; `first` where none are."""
        value = next((each.value for each in node.arguments or () if each.name.value == BY_IDS), None)
        if isinstance(value, ListValueNode):
            return len(value.values)
        ids = self._variables.get(value.name.value) if isinstance(value, VariableNode) else None
        return first if ids is None else len(ids) if isinstance(ids, list) else 1

    def _first(self, node: FieldNode, argument: Any) -> int | None:
        if argument is None:
            return None
        node_value = next((each.value for each in node.arguments or () if each.name.value == PAGED), None)
        value: Any = argument.default_value
        if isinstance(node_value, IntValueNode):
            value = int(node_value.value[:9])
        elif isinstance(node_value, VariableNode):
            value = self._variables.get(node_value.name.value, value)
        if value is None:
            return None
        return min(max(value, 1), 100) if isinstance(value, int) else 100


def _list_size(definition: GraphQLField) -> int:
    declared = definition.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    size: int = declared.metadata.get(LIST_SIZE, PLAIN_LIST) if declared is not None else PLAIN_LIST
    return size


def _is_list(kind: GraphQLOutputType) -> bool:
    inner: Any = kind.of_type if is_non_null_type(kind) else kind
    return isinstance(inner, GraphQLList)

"""What a query costs: the number of objects it asks for, known before it runs."""

from collections.abc import Iterator
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    VariableNode,
    get_named_type,
    is_composite_type,
    is_non_null_type,
)
from strawberry.extensions import SchemaExtension

LIMIT = 5_000
PLAIN_LIST = 5
"""Objects assumed in a list that does not grow, such as a product's colors."""
PAGED = "first"


class CostLimit(SchemaExtension):
    """Refuses what would answer more than LIMIT objects, and tells each answer's price in `extensions.cost`."""

    _cost: int | None = None

    def on_execute(self) -> Iterator[None]:
        context = self.execution_context
        document = context.graphql_document
        if document is not None and not context.pre_execution_errors:
            fragments = {
                node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
            }
            operation = _operation(document.definitions, context.operation_name)
            schema: GraphQLSchema = context.schema._schema
            root = schema.get_root_type(operation.operation)
            if root is not None:
                self._cost = _Price(schema, fragments, context.variables or {}).of(operation.selection_set, root)
                if self._cost > LIMIT:
                    raise GraphQLError(
                        f"This query asks for up to {self._cost:,} objects; the limit is {LIMIT:,}. "
                        "Ask for fewer with `first`, or select fewer lists inside lists.",
                        extensions={"code": "TOO_COSTLY", "cost": self._cost, "limit": LIMIT},
                    )
        yield

    def get_results(self) -> dict[str, Any]:
        return {} if self._cost is None else {"cost": {"requested": self._cost, "limit": LIMIT}}


def _operation(definitions: Any, name: str | None) -> OperationDefinitionNode:
    operations = [node for node in definitions if isinstance(node, OperationDefinitionNode)]
    return next((node for node in operations if node.name and node.name.value == name), operations[0])


class _Price:
    def __init__(
        self, schema: GraphQLSchema, fragments: dict[str, FragmentDefinitionNode], variables: dict[str, Any]
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._variables = variables

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
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType) or node.name.value.startswith("__"):
            return 0
        definition = parent.fields[node.name.value]
        named = get_named_type(definition.type)
        if not is_composite_type(named) or node.selection_set is None:
            return 0
        first = self._first(node, definition.args.get(PAGED))
        objects = times
        if _is_list(definition.type):
            objects *= first if first is not None else page if page is not None else PLAIN_LIST
            page = None
        else:
            page = first
        return objects + self.of(node.selection_set, named, objects, page)

    def _first(self, node: FieldNode, argument: Any) -> int | None:
        if argument is None:
            return None
        given = next((each.value for each in node.arguments or () if each.name.value == PAGED), None)
        value: Any = argument.default_value
        if isinstance(given, IntValueNode):
            value = int(given.value)
        elif isinstance(given, VariableNode):
            value = self._variables.get(given.name.value, value)
        return min(max(value, 1), 100) if isinstance(value, int) else 100


def _is_list(kind: GraphQLOutputType) -> bool:
    inner: Any = kind.of_type if is_non_null_type(kind) else kind
    return isinstance(inner, GraphQLList)

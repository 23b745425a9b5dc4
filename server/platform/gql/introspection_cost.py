"""The cost of introspection: the number of objects it returns, counted by the schema before execution."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from graphql import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    SelectionSetNode,
    StringValueNode,
    VariableNode,
    get_named_type,
)
from graphql.type.introspection import SchemaMetaFieldDef, TypeMetaFieldDef

LOOKUPS_PER_OBJECT = 10
"""This many fields that are null or empty count as one object."""
DEPRECATED = "includeDeprecated"


class _Exceeded(Exception):
    """Counting has reached the limit."""


class IntrospectionPrice:
    """Counts the objects of `__schema` and `__type` with the resolvers that will return them, without leaves.

    Deprecated members always count. Counting stops at `limit` objects for all fields of a document together, so it
    takes milliseconds for any document.
    """

    def __init__(self, schema: GraphQLSchema, fragments: Mapping[str, FragmentDefinitionNode], limit: int) -> None:
        self._schema = schema
        self._info = SimpleNamespace(schema=schema)
        self._fragments = fragments
        self._limit = limit
        self._objects = 0
        self._lookups = 0

    def of(self, field: FieldNode, variables: Mapping[str, Any]) -> int:
        """The cost of one root field. The costs of a document add up to `limit` + 1 where counting stopped."""
        if field.selection_set is None:
            return 0
        before = self._price
        if field.name.value == "__schema":
            kind, objects = SchemaMetaFieldDef.type, [self._schema]
        else:
            kind, objects = TypeMetaFieldDef.type, self._types(field, variables)
        try:
            self._count(len(objects))
            self._selections(field.selection_set, get_named_type(kind), objects)
        except _Exceeded:
            return max(self._limit + 1 - before, 0)
        return self._price - before

    @property
    def _price(self) -> int:
        return max(self._objects, self._lookups // LOOKUPS_PER_OBJECT)

    def _types(self, field: FieldNode, variables: Mapping[str, Any]) -> list[Any]:
        """The type of the given name; all types where the name is a variable's default, unknown here."""
        node_value = next((each.value for each in field.arguments or () if each.name.value == "name"), None)
        name = node_value.value if isinstance(node_value, StringValueNode) else None
        if isinstance(node_value, VariableNode):
            name = variables.get(node_value.name.value)
        if not isinstance(name, str):
            return list(self._schema.type_map.values())
        kind = self._schema.get_type(name)
        return [] if kind is None else [kind]

    def _count(self, objects: int, lookups: int = 0) -> None:
        self._objects += objects
        self._lookups += lookups
        if self._price > self._limit:
            raise _Exceeded

    def _selections(self, selections: SelectionSetNode, kind: Any, parents: list[Any]) -> None:
        for node in selections.selections:
            if isinstance(node, FieldNode):
                self._field(node, kind, parents)
            elif isinstance(node, FragmentSpreadNode):
                self._selections(self._fragments[node.name.value].selection_set, kind, parents)
            elif isinstance(node, InlineFragmentNode):
                self._selections(node.selection_set, kind, parents)

    def _field(self, node: FieldNode, kind: Any, parents: list[Any]) -> None:
        definition = kind.fields.get(node.name.value) if isinstance(kind, GraphQLObjectType) else None
        if definition is None or node.selection_set is None or not parents:
            return
        arguments = {DEPRECATED: True} if DEPRECATED in definition.args else {}
        self._count(0, len(parents))
        children: list[Any] = []
        for parent in parents:
            value = definition.resolve(parent, self._info, **arguments)
            if isinstance(value, list | tuple) or hasattr(value, "__iter__"):
                children += value
            elif value is not None:
                children.append(value)
        self._count(len(children))
        self._selections(node.selection_set, get_named_type(definition.type), children)

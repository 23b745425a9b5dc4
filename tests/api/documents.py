"""Generates a document for each field of the schema."""

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    is_composite_type,
    is_required_argument,
    is_required_input_field,
)

VALUES = {
    "ID": '"00000000-0000-7000-8000-000000000000"',
    "String": '"x"',
    "Int": "1",
    "Float": "1.5",
    "Boolean": "true",
    "Money": '"19.90"',
    "DateTime": '"2026-11-01T09:30:00Z"',
    "Date": '"2026-11-01"',
    "URL": '"/x"',
    "Size": '"S"',
}
"""A value of each scalar that passes for one and stands for nothing."""


def asking_for(field: GraphQLField, name: str) -> str:
    """The field with values for what it requires, and as little of its answer as may be selected."""
    pairs = [f"{key}: {_literal(each.type)}" for key, each in field.args.items() if is_required_argument(each)]
    arguments = f"({', '.join(pairs)})" if pairs else ""
    selection = " { __typename }" if is_composite_type(get_named_type(field.type)) else ""
    return f"{name}{arguments}{selection}"


def _literal(kind: GraphQLInputType) -> str:
    match kind:
        case GraphQLNonNull():
            return _literal(kind.of_type)
        case GraphQLList():
            return f"[{_literal(kind.of_type)}]"
        case GraphQLEnumType():
            return str(next(iter(kind.values)))
        case GraphQLInputObjectType():
            fields = list(kind.fields.items())
            definition = kind.extensions["strawberry-definition"]
            required = (
                fields[:1] if definition.is_one_of else [each for each in fields if is_required_input_field(each[1])]
            )
            return f"{{{', '.join(f'{key}: {_literal(each.type)}' for key, each in required)}}}"
    return VALUES[kind.name]


def types_below(schema: GraphQLSchema, *roots: GraphQLField) -> set[str]:
    """Object types that can be reached from what these fields answer."""
    seen: set[str] = set()
    waiting = [get_named_type(root.type) for root in roots]
    while waiting:
        kind = waiting.pop()
        if kind.name in seen:
            continue
        seen.add(kind.name)
        if isinstance(kind, GraphQLUnionType | GraphQLInterfaceType):
            waiting += schema.get_possible_types(kind)
        if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            waiting += [get_named_type(field.type) for field in kind.fields.values()]
    return {name for name in seen if isinstance(schema.type_map[name], GraphQLObjectType)}

"""The schema explains itself: GraphiQL shows a description of everything in it."""

from collections.abc import Iterator

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
)

from server.schema import build


def test_every_type_field_argument_and_value_has_a_description() -> None:
    types = [kind for name, kind in build()._schema.type_map.items() if not name.startswith("__")]

    missing = [name for kind in types for name, description in _described(kind) if not description]

    assert len(types) > 200
    assert missing == []


def _described(kind: GraphQLNamedType) -> Iterator[tuple[str, str | None]]:
    """The names of a type and of all its members, each with its description."""
    yield kind.name, kind.description
    if isinstance(kind, GraphQLEnumType):
        yield from ((f"{kind.name}.{name}", value.description) for name, value in kind.values.items())
    if isinstance(kind, GraphQLInputObjectType):
        yield from ((f"{kind.name}.{name}", field.description) for name, field in kind.fields.items())
    if isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
        for name, field in kind.fields.items():
            yield f"{kind.name}.{name}", field.description
            yield from ((f"{kind.name}.{name}({each})", arg.description) for each, arg in field.args.items())

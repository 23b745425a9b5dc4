"""A field's function is called as Strawberry would call it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from graphql import (
    GraphQLField,
    GraphQLInputType,
    coerce_input_value,
    is_enum_type,
    is_input_object_type,
    is_list_type,
    is_non_null_type,
    is_required_input_field,
)
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField

from server.platform.gql.descriptions import described, described_object
from server.platform.gql.plans import resolvers
from server.platform.gql.plans.plain_fields import plain_resolver
from server.platform.gql.plans.resolvers import Argument, Convert, Inputs, Resolver, resolver
from server.schema import build
from tests.platform.gql.random_documents import SCALARS
from tests.platform.gql.random_values import fields

ROUNDS, DEEPEST = 20, 4
SCHEMA = build()


def called() -> Iterator[tuple[str, GraphQLField, StrawberryField]]:
    """The fields of the shop's schema that are no plain data, with their types."""
    for owner, definition in fields(SCHEMA._schema):
        field = described(definition)
        if field and plain_resolver(definition) is None:
            yield owner, definition, field


def test_only_subscriptions_are_left_to_strawberry() -> None:
    left = [(owner, field.python_name) for owner, definition, field in called() if resolver(definition) is None]

    assert left == [("Subscription", "admin_events")]


def test_a_field_that_waits_for_nothing_is_plain_data_but_where_an_answer_has_one_object() -> None:
    left = {owner for owner, _, field in called() if field.base_resolver and not field.is_async}

    assert left == {"Query", "Viewer", "Admin"}, "Lists are written without graphql-core where each field is plain."


def differences() -> list[str]:
    """Fields that get other arguments than Strawberry would give them."""
    random, names = Random(7), []
    for owner, definition, field in called():
        prepared = Resolver(definition, field) if not field.is_subscription else None
        for _ in range(ROUNDS if prepared and definition.args else 0):
            arguments = some(definition, random)
            theirs = convert_arguments(
                arguments, field.arguments, SCHEMA.schema_converter.scalar_registry, SCHEMA.config
            )
            if prepared and resolvers._converted(prepared._arguments, arguments) != theirs:
                names.append(f"{owner}.{field.python_name}")
    return names


def some(definition: GraphQLField, random: Random) -> dict[str, Any]:
    """Values at random as graphql-core reads them, some arguments left out."""
    chosen = [(name, each.type) for name, each in definition.args.items() if random.random() < 0.8]
    return {name: coerce_input_value(value_of(kind, random), kind) for name, kind in chosen}


def value_of(kind: Any, random: Random, depth: int = 0) -> Any:
    """A value as JSON, null and empty ones included."""
    if is_non_null_type(kind):
        return present(kind.of_type, random, depth)
    return None if random.random() < 0.2 or depth > DEEPEST else present(kind, random, depth)


def present(kind: Any, random: Random, depth: int) -> Any:
    if is_list_type(kind):
        return [value_of(kind.of_type, random, depth + 1) for _ in range(random.randrange(3))]
    if not is_input_object_type(kind):
        return next(iter(kind.values)) if is_enum_type(kind) else SCALARS.get(str(kind), ("", "text"))[1]
    definition = described_object(kind)
    assert definition is not None
    if definition.is_one_of:
        name, member = random.choice(list(kind.fields.items()))
        return {name: present(member.type, random, depth + 1)}
    types = {name: each.type for name, each in kind.fields.items() if is_required_input_field(each)}
    types |= {name: each.type for name, each in kind.fields.items() if depth < DEEPEST and random.random() < 0.5}
    return {name: value_of(each, random, depth + 1) for name, each in types.items()}


def test_arguments_are_what_strawberry_makes_of_them() -> None:
    assert differences() == []


def unconverted(_kind: GraphQLInputType, _known: Inputs) -> Convert | None:
    return None


def without_names(members: tuple[Argument, ...], values: dict[str, Any]) -> dict[str, Any]:
    return {each.name: values[each.name] for each in members if each.name in values}


@pytest.mark.parametrize(("name", "fault"), [("_conversion", unconverted), ("_converted", without_names)])
def test_a_planted_fault_is_found(name: str, fault: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolvers, name, fault)

    assert differences()

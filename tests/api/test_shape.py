"""The rules of docs/decisions/0127: verbs, arguments and results of mutations, and the table of what has changed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import GraphQLField, GraphQLUnionType, get_named_type, get_nullable_type, is_input_object_type

from server import schema as schemas

ROOT = Path(__file__).parents[2]
SCHEMA = schemas.build()._schema
assert SCHEMA.mutation_type
MUTATIONS = SCHEMA.mutation_type.fields
OTHER_VERBS = (
    *("edit", "change", "save", "drop", "discard", "end", "close", "take", "use", "turn", "correct", "put", "make"),
    *("modify", "destroy", "erase", "finish", "forget"),
)
"""What has a verb already."""
CHANGES = (ROOT / "docs/api-changes.md").read_text()


def verb(name: str) -> str:
    return re.match("[a-z]+", name)[0]  # type: ignore[index]


def test_a_mutation_is_named_by_the_verb_of_its_kind() -> None:
    assert [name for name in MUTATIONS if verb(name) in OTHER_VERBS] == []


def test_what_is_created_can_be_updated_or_deleted_by_the_same_noun() -> None:
    nouns = {name.removeprefix("create") for name in MUTATIONS if verb(name) == "create"}

    ends = {name.removeprefix(verb(name)) for name in MUTATIONS if verb(name) in ("delete", "retire", "deactivate")}

    assert nouns - ends == {"OrderNote"}, "a note of an order is kept for ever"


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_takes_three_arguments_or_one_input(name: str) -> None:
    arguments = MUTATIONS[name].args

    objects = {key for key, each in arguments.items() if is_input_object_type(get_nullable_type(each.type))}

    assert len(arguments) <= 3
    assert objects <= {"input"} or name == "updateProducts", "which takes a selection and a change of it"
    if verb(name) in ("create", "update") and name not in ("createOrderNote", "updateProducts"):
        assert "input" in arguments


OTHERS = {
    **dict.fromkeys(("addToWishlist", "removeFromWishlist"), "productId"),
    **dict.fromkeys(("addToCart", "setCartQuantity", "removeFromCart", "notifyWhenBack"), "variantId"),
    **dict.fromkeys(("createOrderNote", "requestReturn"), "orderId"),
    "startCheckout": "addressId",
    "completeCheckout": "sessionId",
    "signOutUser": "sessionId",
}
"""What a mutation names but does not change: the parent of what is new, or a part."""


def test_what_a_mutation_changes_is_called_id() -> None:
    named = {name: [key for key in field.args if key.endswith("Id")] for name, field in MUTATIONS.items()}

    assert {name: keys[0] for name, keys in named.items() if keys} == OTHERS


def test_unions_of_mutations_are_results_with_more_than_one_member() -> None:
    unions = {name: _answer(field) for name, field in MUTATIONS.items() if _is_union(field)}

    assert [name for name, union in unions.items() if not union.name.endswith("Result")] == []
    assert [name for name, union in unions.items() if len(union.types) < 2] == []


def test_the_table_of_changes_names_what_is_gone_and_what_is_there() -> None:
    before, now = zip(*_rows("### Mutations"), strict=True)
    types_before, types_now = zip(*_rows("### Types"), strict=True)

    names_now = {f"{name}({', '.join(MUTATIONS[name].args)})".removesuffix("()") for name in MUTATIONS}
    assert {each for cell in now for each in cell} <= names_now
    assert {each for cell in before for each in cell if "input" not in each} & names_now == set()
    assert {each for cell in types_now for each in cell} <= set(SCHEMA.type_map)
    assert {each for cell in types_before for each in cell} & set(SCHEMA.type_map) == set()


def test_the_table_of_changed_members_names_what_is_gone_and_what_is_there() -> None:
    before, now = zip(*_rows("### Categories"), strict=True)

    there = {f"{name}.{field}" for name, kind in SCHEMA.type_map.items() for field in getattr(kind, "fields", ())}
    assert {each for cell in now for each in cell if re.fullmatch(r"\w+\.\w+", each)} <= there
    assert {each for cell in before for each in cell} & ({*there, *SCHEMA.type_map} - {"ID"}) == set()


def _rows(heading: str) -> Iterator[tuple[list[str], list[str]]]:
    [_, section] = CHANGES.split(f"{heading}\n", 1)
    for line in section.split("\n##")[0].splitlines():
        if line.startswith("| `"):
            before, now = line.strip("| ").split(" | ")
            yield re.findall("`([^`]+)`", before), re.findall("`([^`]+)`", now)


def _answer(field: GraphQLField) -> GraphQLUnionType:
    answer = get_named_type(field.type)
    assert isinstance(answer, GraphQLUnionType)
    return answer


def _is_union(field: GraphQLField) -> bool:
    return isinstance(get_named_type(field.type), GraphQLUnionType)

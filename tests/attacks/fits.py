"""Documents as a good client sends them, for every operation of the schema, and what an attacker makes of them.

Arguments are made from the schema: an id is one of the sender's own, a text is what its name says. What has to fit
together, such as a product's colors and variants, is written in `examples`. A new field needs nothing here until the
fuzz says that too few of its cases reach the service.
"""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLObjectType,
    GraphQLSchema,
    GraphQLUnionType,
    get_named_type,
    get_nullable_type,
    is_required_argument,
    is_required_input_field,
)
from hypothesis import strategies as st

from tests.api.conftest import ADDRESS
from tests.api.inputs import PASSWORD
from tests.attacks.calls import changed, like, members
from tests.attacks.nasty import Ids, named_by

ABOVE = {"Viewer": ("viewer",), "Admin": ("admin",), "Analytics": ("admin", "analytics")}
"""How one gets to the fields of a type."""
TEXTS = {
    **{name: ADDRESS[name] for name in ("address1", "address2", "city", "postalCode", "phone")},
    **dict.fromkeys(("email", "contactEmail"), "new@shop.test"),
    **dict.fromkeys(("password", "newPassword"), PASSWORD),
    **dict.fromkeys(("country", "countries"), "DE"),
    **dict.fromkeys(("code", "discountCode"), "SPRING10"),
    **dict.fromkeys(("trackingUrl", "labelUrl"), "https://carrier.example/1"),
    **dict.fromkeys(("search", "query"), "oxf"),
    "timeZone": "Europe/Berlin",
    "hex": "#b7d0ea",
    "definition": "by=DAY",
    "name": "Ada Lovelace",
    "actor": "owner@shop.test",
}
SCALARS: dict[str, tuple[Any, ...]] = {
    "Int": (1, 2, 3),
    "Float": (1.5, 10.0),
    "Boolean": (True, False),
    "Money": ("1.00", "19.90"),
    "DateTime": ("2027-11-01T09:30:00Z",),
    "Date": ("2026-11-01", "2026-11-21"),
    "Decimal": ("1", "0.5"),
    "URL": ("/x",),
    "Size": ("S", "M"),
}
LEFT_OUT = {"after", "sessionId", "key"}
"""What only an answer before can tell."""
DEPTH = 2
MOST_CHANGES = 2
LEFT_UNASKED = 0.2
"""Of the fields that could be asked for."""


def fitting(
    operation: str, field: GraphQLField, ids: Ids, more: Mapping[str, Any]
) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a good client; `more` are written ones."""
    name = operation.partition(".")[2]
    strategies = {
        key: _value(each.type, key, name, ids)
        for key, each in field.args.items()
        if key not in more and (is_required_argument(each) or key not in LEFT_OUT)
    }
    needed = {key for key, each in field.args.items() if is_required_argument(each)}
    required = {key: values for key, values in strategies.items() if key in needed}
    optional = {key: st.none() | values for key, values in strategies.items() if key not in needed}
    drawn = st.fixed_dictionaries(required, optional=optional)
    return drawn.map(lambda given: {**{k: v for k, v in given.items() if v is not None}, **more})


def _value(given: GraphQLInputType, name: str, owner: str, ids: Ids) -> st.SearchStrategy[Any]:
    kind: Any = get_nullable_type(given)
    if isinstance(kind, GraphQLList):
        return st.lists(_value(kind.of_type, name, owner, ids), min_size=1, max_size=2, unique_by=repr)
    if isinstance(kind, GraphQLEnumType):
        return st.sampled_from(sorted(kind.values))
    if isinstance(kind, GraphQLInputObjectType):
        return _object(kind, ids)
    if kind.name == "ID":
        return st.sampled_from(ids[named_by(owner, name)])
    return st.sampled_from(SCALARS.get(kind.name) or (TEXTS.get(name, "Oxford Shirt"),))


def _object(kind: GraphQLInputObjectType, ids: Ids) -> st.SearchStrategy[Any]:
    parts = {key: (each, _value_later(each.type, key, kind.name, ids)) for key, each in kind.fields.items()}
    if kind.extensions["strawberry-definition"].is_one_of:
        return st.one_of(*(st.fixed_dictionaries({key: values}) for key, (_, values) in parts.items()))
    required = {key: values for key, (each, values) in parts.items() if is_required_input_field(each)}
    optional = {key: values for key, (each, values) in parts.items() if key not in required}
    few = st.sets(st.sampled_from(sorted(optional)), max_size=2) if optional else st.just(set())
    return few.flatmap(lambda chosen: st.fixed_dictionaries({**required, **{key: optional[key] for key in chosen}}))


def _value_later(kind: GraphQLInputType, name: str, owner: str, ids: Ids) -> st.SearchStrategy[Any]:
    """Inputs may be inside of themselves."""
    return st.deferred(lambda: _value(kind, name, owner, ids))


def document(schema: GraphQLSchema, operation: str, field: GraphQLField, dice: Random) -> str:
    """Asks for the operation with every argument as a variable, and for most of what it answers.

    Not always for the same, since an answer that is kept in memory reaches nothing.
    """
    kind, _, name = operation.partition(".")
    declared = ", ".join(
        # A variable that is left out takes the argument's default.
        f"${key}: {each.type if is_required_argument(each) else get_nullable_type(each.type)}"
        for key, each in field.args.items()
    )
    pairs = ", ".join(f"{key}: ${key}" for key in field.args)
    selected = f"{name}{f'({pairs})' if pairs else ''}{selection(schema, get_named_type(field.type), DEPTH, dice)}"
    for above in reversed(ABOVE.get(kind, ())):
        selected = f"{above} {{ {selected} }}"
    word = {"Mutation": "mutation", "Subscription": "subscription"}.get(kind, "query")
    return f"{word} {f'({declared}) ' if declared else ''}{{ {selected} }}"


def selection(schema: GraphQLSchema, kind: Any, depth: int, dice: Random) -> str:
    """Fields that need no arguments, so far down; of all types that the answer may be."""
    if isinstance(kind, GraphQLUnionType | GraphQLInterfaceType):
        members = schema.get_possible_types(kind)
        types: dict[str, set[str]] = {}
        for name, field in (each for member in members for each in member.fields.items()):
            types.setdefault(name, set()).add(str(field.type))
        # One name for values of different types is no valid document; more than a few aliases are not allowed.
        clashing = {name for name, several in types.items() if len(several) > 1}
        return (
            " { __typename "
            + " ".join(f"... on {each.name}{_of(schema, each, depth, clashing, dice)}" for each in members)
            + " }"
        )
    return _of(schema, kind, depth, set(), dice) if isinstance(kind, GraphQLObjectType) else ""


def _of(schema: GraphQLSchema, kind: GraphQLObjectType, depth: int, clashing: set[str], dice: Random) -> str:
    parts = ["__typename"]
    for name, field in kind.fields.items():
        named = get_named_type(field.type)
        is_leaf = not isinstance(named, GraphQLObjectType | GraphQLUnionType | GraphQLInterfaceType)
        if any(is_required_argument(each) for each in field.args.values()) or not (is_leaf or depth > 1):
            continue
        if dice.random() < LEFT_UNASKED:
            continue
        alias = f"{name}Of{kind.name}: " if name in clashing else ""
        parts.append(alias + name + ("" if is_leaf else selection(schema, named, depth - 1, dice)))
    return f" {{ {' '.join(parts)} }}"


@st.composite
def twisted(draw: st.DrawFn, fit: st.SearchStrategy[dict[str, Any]], ids: Ids) -> dict[str, Any]:
    """Good arguments, mostly with one or two values changed; an id often for another one."""
    fitted = draw(fit)
    for _ in range(draw(st.sampled_from((0, 1, 1, MOST_CHANGES)))):
        paths = list(members(fitted))
        if paths:
            path = draw(st.sampled_from(paths))
            others: list[list[str]] = [kind for kind in ids.values() if _at(fitted, path) in kind]
            is_other = draw(st.booleans()) and bool(others)
            value = draw(st.sampled_from(others[0])) if is_other else draw(like(fitted, path))
            fitted = changed(fitted, path, value)
    return fitted


def _at(given: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        given = given[key]
    return given


def body(text: str, variables: Mapping[str, Any]) -> bytes:
    return json.dumps({"query": text, "variables": variables}).encode()

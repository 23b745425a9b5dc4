"""Bad input, made from the schema and from the good calls of every route: one value wrong at a time.

Each field of each operation, however deep, gets every value of `wrong_values` in turn, in arguments that are good
otherwise. So does each member of a REST body, of a query string and of a path.
"""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    get_named_type,
    get_nullable_type,
    is_leaf_type,
    is_required_argument,
    is_required_input_field,
)

from tests.attacks.calls import BROKEN, FILES, Fit, Sent, changed, members, sent
from tests.attacks.fits import ABOVE, SCALARS, TEXTS
from tests.attacks.nasty import Ids, named_by

NUL, CONTROL, HALF = "a\x00b", "a\x1b[2J\x07b", "a\udfffb"
LONG = "x" * 20_000
NESTED: Any = "x"
for _ in range(60):
    NESTED = [NESTED]
MANY = 2_000
"""Elements of a huge list."""
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Bad:
    """A value that is wrong for its place."""

    words: str
    value: Any
    could_be_meant: bool = False
    """Some places take it: a change of stock may be below zero, a note empty."""
    is_unreadable: bool = False
    """No JSON, or more than a parser takes: the refusal is of the whole request and names no field."""


@dataclass(frozen=True)
class BadArguments:
    """Arguments of a field of the schema, wrong in one place."""

    path: Path
    bad: Bad
    arguments: dict[str, Any]
    is_id: bool

    def __str__(self) -> str:
        return f"{self.path_text} is {self.bad.words}"

    @property
    def path_text(self) -> str:
        return dotted(self.path)


@dataclass(frozen=True)
class BadCall:
    """A REST call, wrong in one place."""

    path: Path
    bad: Bad
    sent: Sent

    def __str__(self) -> str:
        return f"{dotted(self.path)} is {self.bad.words}"


def dotted(path: Path) -> str:
    """As graphql-core writes it: `product.variants[0].color`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def names_of(path: Path) -> list[str]:
    return [part for part in path if isinstance(part, str)]


OF_TEXTS = (
    Bad("NUL", NUL),
    Bad("control characters", CONTROL, could_be_meant=True),
    Bad("half a surrogate pair", HALF, is_unreadable=True),
    Bad("too long", LONG),
    Bad("empty", "", could_be_meant=True),
)
OF_NUMBERS = (
    Bad("negative", -1, could_be_meant=True),
    Bad("beyond 32 bits", 2**31),
    Bad("beyond 64 bits", 2**63, is_unreadable=True),
    Bad("four hundred digits", 10**400, is_unreadable=True),
    Bad("not a number", float("nan"), is_unreadable=True),
    Bad("a fraction", 1.5, could_be_meant=True),
)
OF_ANY = (Bad("an object", {"un": "expected"}), Bad("nested deeply", NESTED, is_unreadable=True))


def wrong_values(given: GraphQLInputType, good: Any) -> Iterator[Bad]:
    """What is wrong for a field of the schema of which `good` is a right value."""
    if isinstance(given, GraphQLNonNull):
        yield Bad("null", None)
    kind: Any = get_nullable_type(given)
    yield OF_ANY[1]
    if isinstance(kind, GraphQLInputObjectType):
        yield from (Bad("a number", 7), Bad("a text", "x"), Bad("an unknown field more", {**good, "un": "expected"}))
    elif isinstance(kind, GraphQLList):
        yield OF_ANY[0]
        yield Bad("a list of null", [None], could_be_meant=not isinstance(kind.of_type, GraphQLNonNull))
        yield Bad("empty", [], could_be_meant=True)
        yield Bad("a huge list", [good[0]] * MANY)
    else:
        yield OF_ANY[0]
        yield from _wrong_leaves(kind)


def _wrong_leaves(kind: Any) -> Iterator[Bad]:
    if isinstance(kind, GraphQLEnumType):
        yield from (Bad("an unknown word", "NOWHERE"), Bad("a number", 7), Bad("empty", ""))
    elif kind.name in ("Int", "Float"):
        yield from (each for each in OF_NUMBERS if kind.name == "Int" or each.words not in IN_FLOATS)
        yield from (Bad("a text", "1"), Bad("a truth value", True))
    elif kind.name == "Boolean":
        yield from (Bad("a text", "true"), Bad("a number", 1))
    elif kind.name in ("String", "ID", "URL"):
        yield from OF_TEXTS
        yield Bad("a truth value", True)
    else:
        yield from OF_TEXTS
        yield from (Bad("not a number", "NaN"), Bad("without end", "Infinity"), Bad("huge", "1e300"))


IN_FLOATS = {"a fraction", "beyond 32 bits", "beyond 64 bits"}


@dataclass(frozen=True)
class _Place:
    path: Path
    type: GraphQLInputType


def bad_arguments(operation: str, field: GraphQLField, ids: Ids, more: Mapping[str, Any]) -> Iterator[BadArguments]:
    """Every wrong value in every place of the operation's arguments."""
    owner = operation.partition(".")[2]
    for name, argument in field.args.items():
        base = good_arguments(operation, field, ids, more)
        for place, arguments in _places((name,), argument.type, base, owner, ids, ()):
            good = at(arguments, place.path)
            for bad in wrong_values(place.type, good):
                is_id = get_named_type(place.type).name == "ID"
                yield BadArguments(place.path, bad, changed(arguments, place.path, bad.value), is_id)


def good_arguments(operation: str, field: GraphQLField, ids: Ids, more: Mapping[str, Any]) -> dict[str, Any]:
    """What the operation requires, and what `examples` say of it."""
    owner = operation.partition(".")[2]
    needed = {
        name: good_value(each.type, name, owner, ids)
        for name, each in field.args.items()
        if name not in more and is_required_argument(each)
    }
    return deepcopy({**needed, **more})


def _places(
    path: Path, given: GraphQLInputType, arguments: dict[str, Any], owner: str, ids: Ids, above: tuple[str, ...]
) -> Iterator[tuple[_Place, dict[str, Any]]]:
    """This place and all within, each with good arguments that have it."""
    name = next(part for part in reversed(path) if isinstance(part, str))
    if at(arguments, path) in (None, []):
        arguments = changed(arguments, path, good_value(given, name, owner, ids))
    yield _Place(path, given), arguments
    kind: Any = get_nullable_type(given)
    if isinstance(kind, GraphQLList):
        yield from _places((*path, 0), kind.of_type, arguments, owner, ids, above)
    if isinstance(kind, GraphQLInputObjectType) and kind.name not in above:
        is_one_of = kind.extensions["strawberry-definition"].is_one_of
        for member, each in kind.fields.items():
            inside = arguments
            if is_one_of and at(arguments, path) is not None:
                value = at(arguments, path).get(member)
                inside = changed(arguments, path, {member: value})
            yield from _places((*path, member), each.type, inside, kind.name, ids, (*above, kind.name))


def at(arguments: Any, path: Path) -> Any:
    """None where nothing is."""
    for part in path:
        arguments = arguments.get(part) if isinstance(arguments, dict) else arguments[part]
    return arguments


def good_value(given: GraphQLInputType, name: str, owner: str, ids: Ids) -> Any:
    """One that passes; of an object only what it requires."""
    kind: Any = get_nullable_type(given)
    if isinstance(kind, GraphQLList):
        return [good_value(kind.of_type, name, owner, ids)]
    if isinstance(kind, GraphQLEnumType):
        return min(kind.values)
    if isinstance(kind, GraphQLInputObjectType):
        fields = list(kind.fields.items())
        chosen = (
            fields[:1]
            if kind.extensions["strawberry-definition"].is_one_of
            else [each for each in fields if is_required_input_field(each[1])]
        )
        return {key: good_value(each.type, key, kind.name, ids) for key, each in chosen}
    if kind.name == "ID":
        return ids[named_by(owner, name)][0]
    return SCALARS.get(kind.name, (TEXTS.get(name, "Oxford Shirt"),))[0]


def document(kind: str, name: str, field: GraphQLField, way: str = "%s") -> str:
    """The field with every argument as a variable, asking what was refused; `way` leads to its type, at %s."""
    declared = ", ".join(
        # A variable that is left out takes the argument's default.
        f"${key}: {each.type if is_required_argument(each) else get_nullable_type(each.type)}"
        for key, each in field.args.items()
    )
    pairs = ", ".join(f"{key}: ${key}" for key in field.args)
    shown = "" if is_leaf_type(get_named_type(field.type)) else f" {{ {_refusal(field)} }}"
    selected = f"{name}({pairs}){shown}"
    selected = way.replace("%s", selected)
    for above in reversed(ABOVE.get(kind, ())):
        selected = f"{above} {{ {selected} }}"
    word = {"Mutation": "mutation", "Subscription": "subscription"}.get(kind, "query")
    return f"{word} ({declared}) {selected if selected.startswith('{') else f'{{ {selected} }}'}"


def _refusal(field: GraphQLField) -> str:
    kind: Any = get_named_type(field.type)
    refusals = [each for each in getattr(kind, "types", ()) if any(i.name == "UserError" for i in each.interfaces)]
    return "__typename" + (" ... on UserError { message field }" if refusals else "")


OF_PATHS = (*OF_TEXTS, Bad("negative", "-1"), Bad("no id", "0-or-1=1"), Bad("beyond 64 bits", str(2**64)))
OF_QUERIES = (*OF_TEXTS, Bad("negative", "-1"), Bad("not a number", "NaN"), Bad("beyond 64 bits", str(2**64)))


def bad_calls(fit: Fit, names: Mapping[str, str]) -> Iterator[BadCall]:
    """Every wrong value in every place of a call; `names` are good values of its path."""
    for name, bad in ((name, bad) for name in names for bad in OF_PATHS):
        yield BadCall((name,), bad, sent(fit, {**names, name: bad.value}, fit.query, content(fit, fit.body)))
    for name, bad in ((name, bad) for name in fit.query for bad in OF_QUERIES):
        yield BadCall((name,), bad, sent(fit, names, {**fit.query, name: bad.value}, content(fit, fit.body)))
    for path, bad in bad_members(fit.body):
        yield BadCall(path, bad, sent(fit, names, fit.query, content(fit, _with(fit.body, path, bad))))
    if fit.body is not None:
        for number, broken in enumerate(BROKEN):
            bad = Bad(f"broken, {number}", None, could_be_meant=not fit.body, is_unreadable=True)
            yield BadCall(("body",), bad, sent(fit, names, fit.query, broken))
    if fit.raw is not None:
        for number, file in enumerate(FILES):
            bad = Bad(f"another file, {number}", None, could_be_meant=True, is_unreadable=True)
            yield BadCall(("body",), bad, sent(fit, names, fit.query, file))


def _with(body: Any, path: Path, bad: Bad) -> Any:
    if bad.words == "left out":
        left = deepcopy(body)
        del at(left, path[:-1])[path[-1]]
        return left
    return changed(body, path, bad.value)


def content(fit: Fit, body: Any) -> bytes | None:
    return fit.raw if body is None else json.dumps(body).encode()


def bad_members(body: Any) -> Iterator[tuple[Path, Bad]]:
    """By what stands there in a good call."""
    for path in members(body):
        was = at(body, path)
        if isinstance(path[-1], str):
            yield path, Bad("left out", None, could_be_meant=True)
        yield path, Bad("null", None, could_be_meant=True)
        yield path, OF_ANY[1]
        if not isinstance(was, dict):
            yield path, OF_ANY[0]
        if isinstance(was, str):
            yield from ((path, each) for each in (*OF_TEXTS, Bad("a number", 7)))
        elif isinstance(was, bool):
            yield from ((path, each) for each in (Bad("a text", "true"), Bad("a number", 7)))
        elif isinstance(was, int | float):
            yield from ((path, each) for each in (*OF_NUMBERS, Bad("a text", "1", could_be_meant=True)))
        elif isinstance(was, list):
            yield path, Bad("empty", [], could_be_meant=True)
            yield path, Bad("a huge list", was * MANY)
        else:
            yield path, Bad("an unknown member more", {**was, "un": "expected"}, could_be_meant=True)
            yield path, Bad("a text", "x")

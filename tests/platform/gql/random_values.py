"""Values at random for every field of a schema, the same for the same path: also errors, nulls and what is unusual."""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from zlib import crc32

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLResolveInfo,
    GraphQLSchema,
    is_abstract_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from strawberry import ID
from strawberry.schema.schema_converter import GraphQLCoreConverter

from server.catalog.admin.editor import EditableProduct
from server.catalog.fields import PUBLIC_TEXTS
from server.catalog.queries import ColorRow, PictureRow, ProductRow, VariantRow
from server.catalog.types import Color, Product
from server.platform.core import errors
from server.platform.gql.descriptions import described_object
from server.platform.gql.plans.plain_fields import attribute, plain_resolver
from server.platform.gql.plans.resolvers import KEPT, Resolver
from server.schema import Schema, build
from tests.catalog.specified import category

DEEPEST = 4
ROOTS = ("Query", "Mutation", "Subscription", "Viewer", "Admin")


class Shade(Color):
    """A class that no type of the schema has."""


class Nothing:
    """What no leaf can be; it reads the same each time."""

    def __repr__(self) -> str:
        return "nothing"


class Text(str):
    __slots__ = ()


@dataclass
class Values:
    """The values of one test. `faults` is how many in a thousand are unusual."""

    schema: GraphQLSchema
    seed: int
    faults: int

    def resolve(self, _source: object, info: GraphQLResolveInfo[Any], **_arguments: object) -> Any:
        """What a field at this path answers; sometimes later."""
        random = Random(crc32(f"{self.seed} {info.path.as_list()}".encode()))
        if random.randrange(1000) < self.faults:
            raise random.choice((ValueError("Broken"), errors.NotFound("This"), RuntimeError("Later")))
        value = self.of(info.return_type, random, 0)
        return Later(value, fails=random.randrange(1000) < self.faults) if random.random() < 0.4 else value

    def of(self, kind: Any, random: Random, depth: int) -> Any:
        """A value of a type."""
        if random.randrange(1000) < self.faults:
            return self._unusual(kind, random, depth)
        if is_non_null_type(kind):
            return self._present(kind.of_type, random, depth)
        return None if depth > DEEPEST or random.random() < 0.15 else self._present(kind, random, depth)

    def _present(self, kind: Any, random: Random, depth: int) -> Any:
        if is_list_type(kind):
            many = 0 if depth > DEEPEST else random.randrange(4)
            items = [self.of(kind.of_type, random, depth + 1) for _ in range(many)]
            return tuple(items) if random.random() < 0.1 else items
        if is_leaf_type(kind):
            return _leaf(kind, random)
        if is_abstract_type(kind):
            kind = random.choice(self.schema.get_possible_types(kind))
        return self._object(kind, random, depth)

    def _object(self, kind: Any, random: Random, depth: int) -> Any:
        definition = described_object(kind)
        assert definition is not None
        instance = object.__new__(definition.origin)
        for field in kind.fields.values():
            if name := attribute(field):
                instance.__dict__[name] = self.of(field.type, random, depth + 1)
        if definition.origin in (Product, EditableProduct, Color):
            instance.__dict__["product" if kind.name == "Color" else "row"] = row(random)
        return instance

    def _unusual(self, kind: Any, random: Random, depth: int) -> Any:
        usual = self._present(kind.of_type if is_non_null_type(kind) else kind, random, depth)
        sorts: list[Callable[[], Any]] = [
            lambda: None,
            lambda: ValueError("Returned, not raised"),
            lambda: Later(usual),
            lambda: "text",
            lambda: Text("text"),
            lambda: 2**40,
            lambda: 1.0,
            lambda: float("inf"),
            lambda: "12",
            Nothing,
            lambda: Color,
            lambda: OneTime([usual]),
            lambda: usual.value if hasattr(usual, "value") else usual,
            lambda: Shade(id=ID("1"), name="Sky", hex="#b7d0ea", family="Blue", product=row(random)),
        ]
        return random.choice(sorts)()


class OneTime:
    """An iterator: its values can be read once."""

    def __init__(self, values: Iterable[Any]) -> None:
        self._values = iter(values)

    def __repr__(self) -> str:
        return "OneTime"  # Texts that resolvers make of it are compared.

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._values)


class Later:
    """An awaitable that may also be left alone, or awaited twice."""

    def __init__(self, value: Any, *, fails: bool = False) -> None:
        self._value, self._fails = value, fails

    def __repr__(self) -> str:
        return "Later"  # Texts that resolvers make of it are compared.

    def __await__(self) -> Generator[Any, None, Any]:
        yield
        if self._fails:
            raise ValueError("Broken promise")
        return self._value


def row(random: Random) -> ProductRow:
    """A product as the database has it; what its fields make of it is their own."""
    text = "".join(random.choices('abc "\\é', k=6))
    colors = [ColorRow(str(number), text, "#b7d0ea", "Blue") for number in range(random.randrange(4))]
    pictures = [
        PictureRow(str(number), random.choice([None, *(color.id for color in colors)]), "", 1_500, 2_000, text)
        for number in range(random.randrange(4))
    ]
    variants = [VariantRow(color.id, color.id, size, text, 3) for color in colors for size in ("S", "M")]
    price = random.randrange(10_000)
    texts: dict[str, Any] = {each.name: text for each in PUBLIC_TEXTS}
    return ProductRow(
        **texts,
        id=text,
        details=[{"label": text, "text": text}],
        measurements={"chest": {"M": 3}},
        category_facts=category("men_shirts"),
        price_cents=price,
        discounted_price_cents=random.choice((None, price)),
        discount_percentage=random.choice((None, 5)),
        charged_cents=price,
        fallback_image="",
        popularity=0,
        created_at=datetime(2026, 5, 1, tzinfo=UTC),
        retired_at=None,
        colors=colors,
        pictures=pictures,
        variants=variants,
    )


def _leaf(kind: Any, random: Random) -> Any:
    if isinstance(kind, GraphQLEnumType):
        return random.choice(list(kind.wrapped_cls))  # type: ignore[attr-defined]
    moment = datetime(2026, 5, 1, 9, 30, tzinfo=UTC) + timedelta(microseconds=random.randrange(10**12))
    return {
        "Int": random.randrange(-10, 10**6),
        "Float": random.random() * 100,
        "Boolean": random.random() < 0.5,
        "Money": random.randrange(10**5),
        "DateTime": moment,
        "Date": date.fromordinal(moment.toordinal()),
        "Decimal": Decimal(random.randrange(10**4)).scaleb(-2),
    }.get(kind.name, "".join(random.choices('abc "\\é\U0001f600\n', k=random.randrange(12))))


def fields(schema: GraphQLSchema) -> Iterator[tuple[str, GraphQLField]]:
    for name, kind in schema.type_map.items():
        if not name.startswith("__") and is_object_type(kind):
            yield from ((name, each) for each in kind.fields.values())


def schema_of(values: "list[Values]") -> Schema:
    """The shop's schema, in which whatever is no plain data answers from the only member of `values`."""
    own_schema = build.__wrapped__()  # Not the one that the other tests have.

    def resolve(source: object, info: GraphQLResolveInfo[Any], **arguments: object) -> Any:
        return values[0].resolve(source, info, **arguments)

    for name, definition in fields(own_schema._schema):
        if name in ROOTS or plain_resolver(definition) is None:
            definition.resolve = resolve
            definition.extensions.clear()
            assert GraphQLCoreConverter.DEFINITION_BACKREF not in definition.extensions
            definition.extensions[KEPT] = Answering(resolve)
    return own_schema


class Answering(Resolver):
    """What a plan calls where the library calls the field's own function."""

    def __init__(self, resolve: Callable[..., Any]) -> None:
        self._resolve = resolve

    def __call__(self, source: Any, raw_info: Any, given: Mapping[str, Any]) -> Any:
        return self._resolve(source, raw_info, **given)

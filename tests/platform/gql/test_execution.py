"""Answers are those of graphql-core, whichever way a field is worked out."""

import asyncio
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
import strawberry
from strawberry.schema.config import StrawberryConfig

from server.platform.gql.plans.execution import Execution
from server.platform.gql.plans.plain_fields import plain_resolver
from server.platform.gql.scalars import SCALARS


@strawberry.enum
class Size(Enum):
    SMALL = "small"
    LARGE = "large"


@strawberry.interface
class Named:
    name: str


@strawberry.type
class Price:
    amount: Decimal
    size: Size


@strawberry.type
class Shirt(Named):
    cents: strawberry.Private[int]
    broken: int | None = None

    @strawberry.field
    def price(self, size: Size = Size.SMALL, times: int = 1, of: str | None = None) -> Price | None:
        if of == self.name:
            return None
        return Price(amount=Decimal(self.cents * times).scaleb(-2), size=size)

    @strawberry.field
    def label(self, is_: str = "shirt") -> str:
        if self.name == "Polo":
            raise ValueError("No label")
        return f"{self.name} {is_}"

    @strawberry.field
    def must(self) -> int:
        return None if self.name == "Polo" else self.cents  # type: ignore[return-value]

    @strawberry.field
    def place(self, info: strawberry.Info) -> str:
        return f"{info.field_name} {info.path.as_list() if info.path else ''}"

    @strawberry.field
    def sizes(self, among: list[Size] = [Size.LARGE]) -> list[Size]:  # noqa: B006
        return among

    @strawberry.field
    async def soon(self) -> str:
        await asyncio.sleep(0)
        return self.name

    @strawberry.field
    def promised(self) -> str:
        async def name() -> str:
            await asyncio.sleep(0)
            if self.name == "Polo":
                raise ValueError("Broken promise")
            return self.name

        return name()  # type: ignore[return-value]

    @strawberry.field
    def next(self) -> "Shirt | None":
        return Shirt(name=f"{self.name} II", cents=self.cents + 1) if len(self.name) < 8 else None

    @strawberry.field
    def refused(self) -> int | None:
        return ValueError("Returned, not raised")  # type: ignore[return-value]


@strawberry.type
class Query:
    @strawberry.field
    def shirts(self) -> list[Shirt]:
        return [Shirt(name=name, cents=cents) for name, cents in (("Oxford", 4900), ("Polo", 2950), ("Linen", 5900))]

    @strawberry.field
    def named(self) -> list[Named]:
        return [Shirt(name="Oxford", cents=4900)]


def schema(**how: Any) -> strawberry.Schema:
    return _Quiet(Query, types=[Shirt], config=StrawberryConfig(scalar_map=SCALARS), **how)


class _Quiet(strawberry.Schema):
    def process_errors(self, errors: Any, execution_context: Any = None) -> None:
        return None


@dataclass
class Answer:
    data: Any
    errors: list[Any]


async def answer(of: strawberry.Schema, document: str, variables: dict[str, Any]) -> Answer:
    result = await of.execute(document, variables)
    errors = sorted((each.formatted for each in result.errors or ()), key=str)
    return Answer(result.data, errors)


@pytest.mark.parametrize(
    "document",
    [
        "{ shirts { __typename name broken } }",
        "{ shirts { price { amount size } large: price(size: LARGE, times: 3) { amount size } } }",
        "query ($size: Size!, $times: Int) { shirts { price(size: $size, times: $times) { amount size } } }",
        'query ($of: String) { shirts { price(of: $of) { amount } a: price(of: "Polo") { size } } }',
        "query ($no: Boolean!) { shirts { name @skip(if: $no) label @include(if: $no) } }",
        '{ shirts { label(is_: "thing") } }',
        '{ shirts { label(is: "thing") name } }',
        "{ shirts { must } }",
        "{ shirts { place sizes few: sizes(among: [SMALL, LARGE]) } }",
        "{ shirts { soon promised name } }",
        "{ shirts { next { name next { name place soon price { amount } } } } }",
        "{ shirts { refused name } }",
        "{ named { __typename name ... on Shirt { label price { size } } } }",
        "{ shirts { ...Part price { ...Money } } } fragment Part on Shirt { price { size } name }"
        " fragment Money on Price { amount }",
        "{ shirts { price(size: HUGE) { amount } } }",
    ],
)
async def test_answers_and_errors_are_those_of_the_plain_library(document: str) -> None:
    variables = {"size": "LARGE", "times": 2, "of": "Oxford", "no": True}

    ours = await answer(schema(execution_context_class=Execution), document, variables)

    assert ours == await answer(schema(), document, variables)
    assert ours.data is not None or ours.errors


def test_only_fields_of_the_object_and_plain_arguments_are_plain() -> None:
    fields = schema()._schema.type_map["Shirt"].fields  # type: ignore[attr-defined]

    names = {name for name, definition in fields.items() if plain_resolver(definition)}

    assert names == {"name", "broken", "price", "label", "must", "promised", "next", "refused"}


async def test_arguments_are_read_once_however_many_rows_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(Execution, "_look_at", _noting(read, Execution._look_at))

    await answer(schema(execution_context_class=Execution), "{ shirts { price(times: 2) { amount } } }", {})

    assert read == ["shirts", "price", "amount"]


def _noting(read: list[str], look_at: Any) -> Any:
    def noted(self: Execution, parent: Any, details: Any) -> Any:
        read.append(details[0].node.name.value)
        return look_at(self, parent, details)

    return noted

"""What an operation answers the first time, by all steps, it answers by its plan from then on."""

import gc
import weakref
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from server.platform.core.byte_cache import sizes
from server.platform.gql import plans
from server.platform.gql.plans import prepared
from server.platform.gql.plans.execution import Execution
from server.platform.gql.plans.planned import PlannedExecution
from server.platform.gql.plans.prepared import PreparedOperation, PreparedOperations
from server.schema import build
from tests.api.conftest import Shop

pytestmark = pytest.mark.skipif(not plans.ENABLED, reason="GraphQL's plans are off.")
SERVED = build(introspection=True)
"""The schema of the shop under test."""
_numbers = count()
CARDS = """
query Cards($first: Int!, $with: Boolean!, $format: ImageFormat!) {
  products(first: $first) { totalCount nodes { ...Card stock @include(if: $with) } }
}
fragment Card on Product { __typename id price colors(first: 1) { name images { srcset(format: $format) } } }
"""
ASKED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "cards": ("visitor", CARDS, {"first": 24, "with": True, "format": "AVIF"}),
    "without": ("visitor", CARDS, {"first": 1, "with": False, "format": "JPEG"}),
    "an unfit variable": ("visitor", CARDS, {"first": "many", "with": True, "format": "PNG"}),
    "a missing variable": ("visitor", CARDS, {"first": 3}),
    "a page that is too long": ("visitor", CARDS, {"first": 101, "with": True, "format": "AVIF"}),
    "too costly": (
        "visitor",
        "query ($n: Int!) { products(first: $n) { nodes { variants { color { images { id } } } } } }",
        {"n": 100},
    ),
    "refused input": ("visitor", '{ products(filter: { colors: ["Octarine"] }) { totalCount } }', {}),
    "a refusal inside a list": ("visitor", "{ products { nodes { id colors(first: 0) { id } } } }", {}),
    "nobody's": ("visitor", "{ viewer { id cart { count } } admin { users { totalCount } } }", {}),
    "a shopper's": ("shopper", "{ viewer { email cart { count lines { quantity product { name } } } } }", {}),
    "not for shoppers": ("shopper", "mutation { retireProduct(id: 1) { __typename } }", {}),
    "an admin's": ("admin", "{ admin { users(first: 2) { totalCount nodes { email role } } } }", {}),
    "a refused mutation": (
        "visitor",
        'mutation { signIn(email: "nobody", password: "") { __typename ... on UserError { message field } } }',
        {},
    ),
    "an operation by name": ("visitor", "query A { shop { name } } query B { shop { currency } }", {}),
}
NAMES = {"an operation by name": "B"}


async def answer(shop: Shop, name: str) -> bytes:
    role, document, variables = ASKED[name]
    body = {"query": document, "variables": {**variables, "unheard": next(_numbers)}, "operationName": NAMES.get(name)}
    return (await shop.clients[role].post("/graphql", json=body)).content


async def test_an_operation_answers_the_same_once_it_is_prepared(shop: Shop, subtests: pytest.Subtests) -> None:
    SERVED.prepared._cache.clear()
    for name in ASKED:
        with subtests.test(name):
            first = await answer(shop, name)

            assert [await answer(shop, name) for _ in range(3)] == [first] * 3
    assert all(SERVED.prepared.get(document, NAMES.get(name)) for name, (_, document, _) in ASKED.items())


@pytest.mark.parametrize("name", ["cards", "a shopper's", "an admin's"])
async def test_an_execution_is_gone_with_its_response(shop: Shop, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[weakref.ref[object]] = []

    def noting(begin: Callable[..., None]) -> Callable[..., None]:
        def noted(execution: object, *arguments: Any, **named: Any) -> None:
            begun.append(weakref.ref(execution))
            begin(execution, *arguments, **named)

        return noted

    await answer(shop, name)
    monkeypatch.setattr(Execution, "__init__", noting(Execution.__init__))
    monkeypatch.setattr(PlannedExecution, "__init__", noting(PlannedExecution.__init__))
    gc.disable()
    try:
        await answer(shop, name)
        assert begun
        assert [each() for each in begun] == [None] * len(begun)
    finally:
        gc.enable()


async def test_introspection_and_what_is_invalid_are_not_prepared(shop: Shop) -> None:
    SERVED.prepared._cache.clear()
    introspection = '{ a: __type(name: "Product") { name } shop { name } }'
    documents = ("{ shop { nam } }", "{ shop", introspection, "{ shop { name } }")
    for document in documents:
        await shop.clients["visitor"].post("/graphql", json={"query": document})

    assert [SERVED.prepared.get(document, None) is not None for document in documents] == [False, False, False, True]


def operation(text: str) -> PreparedOperation:
    operations = PreparedOperations()
    schema = SERVED
    operations.add(schema._schema, text, None, schema.documents.parse(text))
    prepared_operation = operations.get(text, None)
    assert prepared_operation is not None
    return prepared_operation


def test_values_of_switches_have_plans_of_their_own_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "MAX_PLANS", 2)
    cards = operation(CARDS)

    with_stock = cards.plan({"with": True, "first": 1})

    assert with_stock is not None
    assert cards.plan({"with": True, "first": 2}) is with_stock
    assert cards.plan({"with": False}) not in (None, with_stock)
    assert cards.plan({}) is None


def test_the_cost_depends_on_the_variables_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = operation(CARDS)
    assert [cards.cost({"first": first}) for first in (1, 10, 1)] == [8, 71, 8]
    assert cards.cost({"first": [1]}) == cards.cost({"first": 100}) == 701

    monkeypatch.setattr(prepared, "cost_of", None)

    assert cards.cost({"first": 10, "with": True}) == 71


async def test_operations_are_counted_with_their_plans(shop: Shop) -> None:
    operations = SERVED.prepared
    operations._cache.clear()
    await answer(shop, "cards")
    before, without = sizes()["prepared operations"], operations._cache.size

    await answer(shop, "cards")

    assert operations._cache.size.entries == without.entries
    assert sizes()["prepared operations"].bytes > before.bytes + 4 * 1_500

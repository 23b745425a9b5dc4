"""Validation of a GraphQL request before it is executed: nesting, one document, one operation."""

from typing import Any

import pytest

from server.platform.gql import requests
from server.platform.gql.execution import LimitedExecution
from server.platform.gql.requests import MAX_NESTING, is_nested_deeper
from tests.api.conftest import Shop

FILTER = "query ($given: [String!]) { products(filter: { colors: $given }) { totalCount } }"
TWO = "query A { shop { name } } query B { shop { currency } }"
WAYS_TO_NEST = {"objects": ('{"a":', "}"), "lists": ("[", "]"), "both": ('[{"a":', "}]")}


def nested(levels: int, opening: str = "[", closing: str = "]") -> str:
    """JSON of so many containers, one in the other."""
    times = levels // (2 if opening.startswith("[{") else 1)
    return opening * times + "1" + closing * times


async def status_of(shop: Shop, body: str, role: str = "visitor") -> int:
    return (await shop.clients[role].post("/graphql", content=body)).status_code


async def ask(shop: Shop, role: str = "visitor", **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = (await shop.clients[role].post("/graphql", json=request)).json()
    return answer


@pytest.mark.parametrize("role", ["visitor", "shopper", "primary"])
@pytest.mark.parametrize("way", WAYS_TO_NEST)
async def test_what_is_nested_without_end_is_refused_in_words(shop: Shop, role: str, way: str) -> None:
    opening, closing = WAYS_TO_NEST[way]

    for levels in (60, 254, 300, 1_000, 1_100, 10_000, 40_000):
        deep = nested(levels, opening, closing)
        bodies = [
            f'{{"query": "{{ shop {{ name }} }}", "variables": {{"given": {deep}}}}}',
            f'{{"query": "{{ shop {{ name }} }}", "extensions": {{"given": {deep}}}}}',
            f'{{"query": "{FILTER}", "variables": {{"given": {deep}}}}}',
            deep,
        ]
        assert {await status_of(shop, body, role) for body in bodies} <= {400, 413}, levels


async def test_without_the_guard_variables_of_254_levels_are_a_defect(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "is_nested_deeper", lambda _: False)

    body = f'{{"query": "{FILTER}", "variables": {{"given": {nested(254)}}}}}'

    assert await status_of(shop, body) == 500


def test_levels_are_counted_through_objects_and_lists() -> None:
    assert not is_nested_deeper(7)
    assert not is_nested_deeper([[{"a": [1]}, 2], [], {}], 4)
    assert is_nested_deeper([[{"a": [1]}, 2], [], {}], 3)
    assert MAX_NESTING < 254


@pytest.mark.parametrize("query", ["", None, 7, [], {}])
async def test_what_is_no_document_is_refused(shop: Shop, query: object) -> None:
    refused = await shop.clients["visitor"].post("/graphql", json={"query": query})

    assert (refused.status_code, refused.json()["errors"]) == (
        400,
        [
            {
                "message": "The query is required: a GraphQL document, as a string.",
                "extensions": {
                    "code": "BAD_USER_INPUT",
                    "fields": {"query": "The query is required: a GraphQL document, as a string."},
                },
            }
        ],
    )


@pytest.mark.parametrize("query", [" ", "\n", "# nothing", ",", "\ufeff"])
async def test_a_document_of_nothing_is_a_syntax_error(shop: Shop, query: str) -> None:
    answer = await ask(shop, query=query)

    assert "data" not in answer
    assert answer["errors"][0]["message"] == "Syntax Error: Unexpected <EOF>."


@pytest.mark.parametrize("role", ["visitor", "shopper", "primary"])
async def test_of_two_operations_the_named_one_runs_and_none_without_a_name(shop: Shop, role: str) -> None:
    unnamed = await ask(shop, role, query=TWO)
    empty = await ask(shop, role, query=TWO, operationName="")
    unknown = await ask(shop, role, query=TWO, operationName="C")
    second = await ask(shop, role, query=TWO, operationName="B")

    assert [error["message"] for error in unnamed["errors"]] == [
        "Must provide operation name if query contains multiple operations."
    ]
    assert empty == unnamed
    assert [error["message"] for error in unknown["errors"]] == ["Unknown operation named 'C'."]
    assert {each["errors"][0]["extensions"]["code"] for each in (unnamed, unknown)} == {"BAD_USER_INPUT"}
    assert not any("data" in each for each in (unnamed, unknown))
    assert second["data"] == {"shop": {"currency": "USD"}}


async def test_a_mutation_beside_a_query_is_not_executed_by_accident(shop: Shop) -> None:
    both = 'mutation A { addToCart(variantId: "VARIANT") { __typename } } query B { shop { name } }'
    before = await shop.snapshot()

    answer = await ask(shop, "shopper", query=both.replace("VARIANT", str(shop.people.variants[1])))

    assert "data" not in answer
    assert await shop.snapshot() == before


async def test_one_operation_needs_no_name_and_a_wrong_one_is_an_error(shop: Shop) -> None:
    named = "query A { shop { name } }"

    assert (await ask(shop, query=named))["data"] == {"shop": {"name": "Minimal"}}
    assert (await ask(shop, query=named, operationName=""))["data"] == {"shop": {"name": "Minimal"}}
    assert (await ask(shop, query=named, operationName="A"))["data"] == {"shop": {"name": "Minimal"}}
    wrong = await ask(shop, query=named, operationName="x" * 10_000)
    assert wrong["errors"][0]["message"] == f"Unknown operation named '{'x' * 100}'."


async def test_fragments_alone_are_no_operation(shop: Shop) -> None:
    answer = await ask(shop, query="fragment A on Query { __typename }")

    assert answer["errors"][0]["message"] == "Must provide an operation."


async def test_an_unknown_name_that_lower_case_makes_longer_is_refused_in_words(shop: Shop) -> None:
    """It is compared with the known names for a suggestion, for which graphql-core makes too little room."""
    document = "query ($filter: ProductFilter) { products(filter: $filter) { totalCount } }"

    answer = await ask(shop, query=document, variables={"filter": {"\u0130" * 3: "x"}})

    [error] = answer["errors"]
    assert "unknown field '\u0130\u0130\u0130'" in error["message"]


async def test_a_defect_before_the_first_field_is_masked(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def defect(*_: object, **__: object) -> None:
        raise KeyError("of the inside")

    monkeypatch.setattr(LimitedExecution, "build", defect)

    answer = await ask(shop, query="query Masked { shop { name } }")

    [error] = answer["errors"]
    assert (error["message"], error["extensions"]["code"]) == ("Something went wrong", "INTERNAL")

"""A shop that others can reach keeps its schema to itself, unless it is told otherwise."""

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from server import wiring
from server.app import create_app
from server.config import Settings
from server.schema_files import FILES
from tests.api.conftest import client_of

NEARLY = {
    "a field": "{ shop { nam } }",
    "a field of a type by inline fragment": "{ products { nodes { ... on Produkt { name } } } }",
    "an argument": "{ products(frist: 1) { totalCount } }",
    "an argument of a directive": "{ shop { name @include(iff: true) } }",
    "an enum's value": "{ products(sort: NEWST) { totalCount } }",
    "an input's field": "{ products(filter: { colours: [] }) { totalCount } }",
    "a variable's type": "query ($f: ProductFiltr) { products(filter: $f) { totalCount } }",
    "a field beneath a union": 'mutation { addToCart(variantId: "x") { count } }',
}
IN_VARIABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "an enum's value": ("query ($s: ProductSort!) { products(sort: $s) { totalCount } }", {"s": "NEWST"}),
    "an input's field": ("query ($f: ProductFilter!) { products(filter: $f) { totalCount } }", {"f": {"colours": []}}),
}
SUGGESTS = re.compile(r"did you mean|use an inline fragment|perhaps", re.IGNORECASE)


@pytest.fixture
async def public(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[httpx.AsyncClient]:
    """A shop as `deploy/` runs it."""
    monkeypatch.setattr(wiring, "PERIODIC", [])
    settings = Settings(  # type: ignore[call-arg]
        _env_file=None,
        port=23_200,
        outside_port=23_201,
        database_url=database_url,
        shop_data=tmp_path,
        introspection=False,
    )
    app = create_app(settings)
    async with app.router.lifespan_context(app), client_of(app, None) as client:
        yield client


async def messages(client: httpx.AsyncClient, query: str, variables: dict[str, Any] | None = None) -> list[str]:
    answer = await client.post("/graphql", content=json.dumps({"query": query, "variables": variables}))
    return [error["message"] for error in answer.json()["errors"]]


async def test_introspection_is_refused_whatever_asks_for_it(public: httpx.AsyncClient) -> None:
    for document in ("{ __schema { types { name } } }", '{ __type(name: "Product") { name } }'):
        sentences = await messages(public, document)
        assert all(message.startswith("GraphQL introspection has been disabled") for message in sentences)
    names = await public.post("/graphql", content=json.dumps({"query": "{ __typename shop { __typename } }"}))
    assert names.json()["data"] == {"__typename": "Query", "shop": {"__typename": "Shop"}}


async def test_the_workbench_is_not_served(public: httpx.AsyncClient) -> None:
    assert (await public.get("/graphiql")).status_code in (404, 503)


@pytest.mark.parametrize("name", FILES)
async def test_files_of_the_schema_are_not_served(public: httpx.AsyncClient, name: str) -> None:
    assert (await public.get(f"/{name}")).status_code == 404


async def test_pages_say_whether_there_is_a_workbench(public: httpx.AsyncClient, shop: Any) -> None:
    closed = '<meta name="graphiql" content="closed">'

    assert closed in (await public.get("/signin")).text
    assert closed not in (await shop.clients["visitor"].get("/signin")).text


@pytest.mark.parametrize("kind", NEARLY)
async def test_what_is_nearly_right_is_refused_without_suggestions(public: httpx.AsyncClient, kind: str) -> None:
    sentences = await messages(public, NEARLY[kind])

    assert sentences
    assert not any(SUGGESTS.search(message) for message in sentences), sentences


@pytest.mark.parametrize("kind", IN_VARIABLES)
async def test_variables_are_refused_without_suggestions_too(public: httpx.AsyncClient, kind: str) -> None:
    sentences = await messages(public, *IN_VARIABLES[kind])

    assert sentences
    assert not any(SUGGESTS.search(message) for message in sentences), sentences


async def test_where_introspection_is_open_errors_help(shop: Any) -> None:
    client = shop.clients["visitor"]

    sentences = [await messages(client, document) for document in NEARLY.values()]
    sentences += [await messages(client, *variables_case) for variables_case in IN_VARIABLES.values()]

    assert sum(any(SUGGESTS.search(message) for message in each) for each in sentences) >= len(sentences) - 1, sentences


@pytest.mark.parametrize(
    ("given", "is_open"),
    [
        ({}, True),
        ({"public_url": "http://127.0.0.1:8000"}, True),
        ({"public_url": "https://shop.example"}, False),
        ({"host": "0.0.0.0"}, False),
        ({"public_url": "https://shop.example", "introspection": True}, True),
        ({"introspection": False}, False),
    ],
)
def test_it_is_open_only_on_this_machine_unless_it_is_set(given: dict[str, Any], is_open: bool) -> None:
    assert Settings(_env_file=None, **given).introspection is is_open  # type: ignore[call-arg]

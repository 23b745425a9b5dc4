"""Operations of the client are asked for by the hash of their document, and prepared before anybody asks."""

import re
from hashlib import sha256
from typing import Any

import httpx
import orjson
import pytest
import strawberry

from server import graphql_endpoint
from server.platform.core.package_data import package_data
from server.platform.gql import persisted, plans
from server.platform.gql.persisted import PersistedOperations
from server.schema import build
from tests.api.conftest import Shop
from tests.e2e.whole_shop import ROOT

OPERATION = re.compile(r"^(query|mutation) (\w+)", re.MULTILINE)
BY_NAME = {each.name: each for each in PersistedOperations(package_data(persisted.FILE)).by_hash.values()}


async def ask(client: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await client.post("/graphql", json=body)


def hashed(digest: str) -> dict[str, Any]:
    return {"persistedQuery": {"version": 1, "sha256Hash": digest}}


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def test_the_build_has_every_operation_of_the_client_by_the_hash_of_what_it_sends() -> None:
    files = (ROOT / "client/src").rglob("*.graphql")
    written = {(match[1], match[2]) for file in files for match in OPERATION.finditer(file.read_text())}

    listed = PersistedOperations(package_data(persisted.FILE)).by_hash

    assert {(each.type, each.name) for each in listed.values()} == written
    assert all(hash_of(each.text) == digest for digest, each in listed.items())
    assert "__typename" in BY_NAME["ProductList"].text


async def test_an_operation_is_asked_for_by_its_hash(shop: Shop) -> None:
    text = BY_NAME["Categories"].text

    by_hash = await ask(shop.clients["visitor"], extensions=hashed(hash_of(text)), variables={})

    assert by_hash.json()["data"]["categories"]
    assert by_hash.content == (await ask(shop.clients["visitor"], query=text, variables={})).content
    both = await ask(shop.clients["visitor"], query=text, variables={}, extensions=hashed(hash_of(text)))
    assert both.content == by_hash.content


async def test_an_unknown_hash_is_told_as_apollos_clients_expect_it_and_is_not_learned(shop: Shop) -> None:
    text = "{ shop { name } }"
    for _ in range(2):
        unknown = await ask(shop.clients["visitor"], extensions=hashed(hash_of(text)))

        assert unknown.status_code == 200
        assert unknown.headers["cache-control"] == "no-store"
        [error] = unknown.json()["errors"]
        assert error == {"message": "PersistedQueryNotFound", "extensions": {"code": "PERSISTED_QUERY_NOT_FOUND"}}
        whole = await ask(shop.clients["visitor"], query=text, extensions=hashed(hash_of(text)))
        assert whole.json()["data"] == {"shop": {"name": "Minimal"}}


async def test_an_operation_is_asked_for_by_its_hash_in_a_url(shop: Shop) -> None:
    text, variables = BY_NAME["Product"].text, {"id": str(shop.people.product)}
    client = shop.clients["visitor"]

    by_hash = await client.get(
        "/graphql",
        params={
            "extensions": orjson.dumps(hashed(hash_of(text))).decode(),
            "variables": orjson.dumps(variables).decode(),
        },
    )
    unknown = await client.get("/graphql", params={"extensions": orjson.dumps(hashed("0" * 64)).decode()})

    assert by_hash.content == (await ask(client, query=text, variables=variables)).content
    assert by_hash.json()["data"]["product"]["name"] == "Oxford Shirt"
    assert (unknown.status_code, unknown.json()["errors"][0]["message"]) == (200, "PersistedQueryNotFound")


async def test_a_mutation_is_not_executed_by_its_hash_in_a_url(shop: Shop) -> None:
    extensions = orjson.dumps(hashed(hash_of(BY_NAME["SignOut"].text))).decode()

    refused = await shop.clients["shopper"].get("/graphql", params={"extensions": extensions})

    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    "body",
    [
        {"query": "{ shop { name } }", "extensions": hashed("0" * 64)},
        {"extensions": {"persistedQuery": {"version": 1}}},
        {"extensions": {"persistedQuery": "all of them"}},
        {"extensions": []},
        {"query": 3, "extensions": hashed("0" * 64)},
    ],
)
async def test_what_names_no_document_or_another_is_refused(shop: Shop, body: dict[str, Any]) -> None:
    assert (await ask(shop.clients["visitor"], **body)).status_code == 400


@pytest.mark.skipif(not plans.ENABLED, reason="GraphQL's plans are off.")
async def test_the_clients_operations_are_prepared_before_anybody_asks(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphql_endpoint, "PAUSE", 0)
    schema = build(introspection=True)
    schema.prepared._cache.clear()

    await shop.app.state.shop.graphql.prepare()

    prepared = {name for name, each in BY_NAME.items() if schema.prepared.get(each.text, name)}
    assert prepared >= {"ProductList", "Product", "Cart", "AddToCart", "SearchPage", "Checkout"}
    assert prepared.isdisjoint({"AdminOrders", "CreateProduct", "DeleteUser", "ReportFile"})
    assert len(BY_NAME) / 3 < len(prepared) < len(BY_NAME) * 2 / 3
    text, variables = BY_NAME["Categories"].text, {"unheard": 1}
    monkeypatch.setattr(strawberry.Schema, "execute", None)
    body = orjson.dumps({"query": text, "variables": variables, "operationName": "Categories"})
    assert "errors" not in (await shop.clients["visitor"].post("/graphql", content=body)).json()

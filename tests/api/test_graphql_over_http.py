"""/graphql follows the GraphQL-over-HTTP specification: methods, media types, status codes, shape of responses."""

import json
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest

from server.platform.core.error_codes import ErrorCode
from server.platform.web.media_types import JSON, preferred
from tests.api.conftest import Shop

GRAPHQL_JSON = "application/graphql-response+json"
NAME = "{ shop { name } }"
REQUEST_ERRORS: dict[str, tuple[dict[str, Any], ErrorCode]] = {
    "syntax": ({"query": "{"}, ErrorCode.GRAPHQL_PARSE_FAILED),
    "an unknown field": ({"query": "{ nothing }"}, ErrorCode.GRAPHQL_VALIDATION_FAILED),
    "too deep": ({"query": "{ viewer " + "{ a " * 20 + "}" * 21}, ErrorCode.GRAPHQL_VALIDATION_FAILED),
    "a missing variable": (
        {"query": "query ($id: ID!) { product(id: $id) { name } }"},
        ErrorCode.GRAPHQL_VARIABLES_INVALID,
    ),
    "a wrong variable": (
        {"query": "query ($n: Int) { products(first: $n) { totalCount } }", "variables": {"n": "many"}},
        ErrorCode.GRAPHQL_VARIABLES_INVALID,
    ),
    "an unknown operation": ({"query": NAME, "operationName": "Other"}, ErrorCode.BAD_USER_INPUT),
    "a subscription": ({"query": "subscription { adminEvents { __typename } }"}, ErrorCode.BAD_USER_INPUT),
    "too costly": (
        {"query": "{ products(first: 100) { nodes { related(first: 100) { related { name } } } } }"},
        ErrorCode.TOO_COSTLY,
    ),
    "an unknown hash": ({"extensions": {"persistedQuery": {"sha256Hash": "0"}}}, ErrorCode.PERSISTED_QUERY_NOT_FOUND),
}
MALFORMED: dict[str, Any] = {
    "nothing": b"",
    "no JSON": b"{",
    "no object": b"7",
    "no query": {},
    "variables that are text": {"query": NAME, "variables": "a"},
    "a list of variables": {"query": NAME, "variables": []},
    "an operation that is a number": {"query": NAME, "operationName": 1},
    "extensions that are text": {"query": NAME, "extensions": "a"},
    "a list of extensions": {"query": NAME, "extensions": []},
    "a batch": [{"query": NAME}, {"query": NAME}],
}


async def post(shop: Shop, body: Any, accept: str = "*/*", role: str = "visitor") -> httpx.Response:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await shop.clients[role].post("/graphql", content=content, headers={"accept": accept})


async def get(shop: Shop, accept: str = "*/*", role: str = "visitor", **parameters: str) -> httpx.Response:
    return await shop.clients[role].get("/graphql", params=parameters, headers={"accept": accept})


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (None, JSON),
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        ("application/json", JSON),
        ("application/json; charset=utf-8", JSON),
        ("Application/JSON", JSON),
        (GRAPHQL_JSON, GRAPHQL_JSON),
        (f"{GRAPHQL_JSON}; charset=utf-8, application/json; charset=utf-8", GRAPHQL_JSON),
        (f"{GRAPHQL_JSON},application/json;q=0.9", GRAPHQL_JSON),
        (f"application/json, {GRAPHQL_JSON}", JSON),
        (f"application/json;q=0.5, {GRAPHQL_JSON};q=0.7", GRAPHQL_JSON),
        (
            f"{GRAPHQL_JSON}, application/graphql+json, application/json, text/event-stream, multipart/mixed",
            GRAPHQL_JSON,
        ),
        ("application/json;q=0, */*", GRAPHQL_JSON),
        ("text/plain, */*;q=0.1", JSON),
        ("text/plain", None),
        ("application/json;q=0", None),
        ("application/json;q=many", None),
        ("text/plain," * 20_000 + GRAPHQL_JSON, None),
    ],
)
async def test_the_media_type_is_the_one_that_the_client_prefers(
    shop: Shop, accept: str | None, media_type: str | None
) -> None:
    assert preferred(accept, (JSON, GRAPHQL_JSON)) == media_type

    response = await post(shop, {"query": NAME}, accept or "")

    if media_type is None:
        assert (response.status_code, response.json()["errors"][0]["extensions"]["code"]) == (406, "NOT_ACCEPTABLE")
    else:
        assert (response.status_code, response.headers["content-type"]) == (200, media_type)
        assert response.headers["vary"] == "accept"
        assert response.json()["data"] == {"shop": {"name": "Minimal"}}


@pytest.mark.parametrize("kind", REQUEST_ERRORS)
async def test_an_error_before_execution_has_no_data_and_a_status_in_its_own_media_type(shop: Shop, kind: str) -> None:
    body, code = REQUEST_ERRORS[kind]

    own, legacy = await post(shop, body, GRAPHQL_JSON), await post(shop, body, JSON)

    assert (own.status_code, own.headers["content-type"]) == (400, GRAPHQL_JSON)
    assert (legacy.status_code, legacy.headers["content-type"]) == (200, JSON)
    assert own.json() == legacy.json()
    assert "data" not in own.json()
    assert {error["extensions"]["code"] for error in own.json()["errors"]} == {code}
    assert all(error["message"] for error in own.json()["errors"])


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
async def test_an_error_of_execution_leaves_the_data_and_the_status(shop: Shop, accept: str) -> None:
    refused = await post(shop, {"query": "mutation { requestAdminAccess { id } }"}, accept)

    assert (refused.status_code, refused.headers["content-type"]) == (200, accept)
    assert refused.json()["data"] is None
    assert [error["extensions"]["code"] for error in refused.json()["errors"]] == ["UNAUTHENTICATED"]


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
@pytest.mark.parametrize("kind", MALFORMED)
async def test_what_is_no_request_is_refused_in_words_with_a_code(shop: Shop, kind: str, accept: str) -> None:
    refused = await post(shop, MALFORMED[kind], accept)

    assert (refused.status_code, refused.headers["content-type"]) == (400, accept)
    assert set(refused.json()) == {"errors"}
    [error] = refused.json()["errors"]
    assert error["message"].endswith(".")
    assert error["extensions"]["code"] == ErrorCode.BAD_USER_INPUT
    assert ("in a request of its own" in error["message"]) is (kind == "a batch")


async def test_a_query_is_read_from_a_url(shop: Shop) -> None:
    document = "query Named($id: ID!) { product(id: $id) { name } } query Other { shop { currency } }"
    variables = json.dumps({"id": str(shop.people.product)})

    named = await get(shop, query=document, operationName="Named", variables=variables, extensions="{}")
    other = await get(shop, GRAPHQL_JSON, query=document, operationName="Other", variables="")
    own = await get(shop, role="shopper", query="{ viewer { name } }")
    head = await shop.clients["visitor"].head("/graphql", params={"query": NAME})

    assert (named.status_code, named.json()["data"]) == (200, {"product": {"name": "Oxford Shirt"}})
    assert other.json()["data"] == {"shop": {"currency": "USD"}}
    assert other.headers["content-type"] == GRAPHQL_JSON
    assert own.json()["data"]["viewer"]["name"]
    assert own.headers["cache-control"] == "no-store"
    assert (head.status_code, head.headers["content-type"]) == (200, JSON)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"query": ""},
        {"query": NAME, "variables": "{"},
        {"query": NAME, "variables": "7"},
        {"query": NAME, "extensions": "[]"},
        {"query": NAME, "variables": "[" * 60 + "]" * 60},
        {"query": NAME, **{f"p{n}": "1" for n in range(30)}},
    ],
)
async def test_a_url_without_a_request_is_refused_in_words(shop: Shop, parameters: dict[str, str]) -> None:
    refused = await get(shop, **parameters)

    assert refused.status_code == 400
    assert refused.json()["errors"][0]["extensions"]["code"] == ErrorCode.BAD_USER_INPUT


@pytest.mark.parametrize("accept", [JSON, GRAPHQL_JSON])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_a_url_executes_no_mutation(shop: Shop, method: str, accept: str) -> None:
    variant = shop.people.variants[1]
    document = f'mutation A {{ addToCart(variantId: "{variant}") {{ __typename }} }} query B {{ shop {{ name }} }}'
    before = await shop.snapshot()
    client, headers = shop.clients["shopper"], {"accept": accept}
    await client.post("/graphql", json={"query": document, "operationName": "B"})

    refused = await client.request(
        method, "/graphql", params={"query": document, "operationName": "A"}, headers=headers
    )
    allowed = await client.request(
        method, "/graphql", params={"query": document, "operationName": "B"}, headers=headers
    )

    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")
    assert refused.headers["content-type"] == accept
    assert allowed.status_code == 200
    assert await shop.snapshot() == before
    if method == "GET":
        assert refused.json()["errors"] == [
            {"message": "Mutations are sent by POST.", "extensions": {"code": "METHOD_NOT_ALLOWED"}}
        ]


BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize("site", ["none", "same-origin", "cross-site"])
async def test_a_browser_is_led_to_graphiql(shop: Shop, site: str) -> None:
    headers = {"accept": BROWSER, "sec-fetch-site": site, "sec-fetch-mode": "navigate"}

    led = await shop.clients["shopper"].get("/graphql", params={"query": NAME}, headers=headers)
    page = await shop.clients["shopper"].get(led.headers["location"], headers=headers)

    assert (led.status_code, led.headers["location"]) == (302, "/graphiql#query=%7B%20shop%20%7B%20name%20%7D%20%7D")
    assert led.headers["cache-control"] == "no-store"
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    ("query_string", "fragment"),
    [
        ("query=%7Ba%7D&variables=%7B%7D&operationName=A&x=1", "query={a}&variables={}&operationName=A"),
        ("query=%7Ba%20%26%20%23%7D&variables=no%20JSON", "query={a & #}&variables=no JSON"),
        ("operationName=A", ""),
        ("&".join(f"query={each}" for each in range(30)), ""),
    ],
    ids=["all", "what does not parse", "no document", "too many"],
)
async def test_graphiql_gets_what_a_url_asks_for(shop: Shop, query_string: str, fragment: str) -> None:
    led = await shop.clients["visitor"].get(f"/graphql?{query_string}", headers={"accept": BROWSER})

    page, _, carried = led.headers["location"].partition("#")
    assert page == "/graphiql"
    assert "&".join(f"{name}={value}" for name, value in parse_qsl(carried)) == fragment

"""Clients of others, as they are published and by their defaults, against a served shop."""

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from graphql import build_client_schema, get_introspection_query, print_schema
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from server.platform.core.package_data import package_data
from server.platform.gql import persisted
from server.platform.gql.persisted import PersistedOperations
from server.schema import build
from tests.conftest import copied_database, url_of
from tests.folders import temporary_folder
from tests.ports import free_port
from tests.siege.servers import serving

CLIENT = Path(__file__).parents[2] / "client"
GRAPHQL_JSON = "application/graphql-response+json"
HASHED = next(
    each.text
    for each in PersistedOperations(package_data(persisted.FILE)).by_hash.values()
    if each.name == "Categories"
)
MUTATION = 'mutation { forgotPassword(email: "nobody@shop.test") { __typename } }'
AUDITS = 61
SWIFT_GRAPHQL = (
    get_introspection_query(type_depth=7)
    .replace("query IntrospectionQuery", "query IntrospectionQuery($includeDeprecated: Boolean = true)")
    .replace("includeDeprecated: true", "includeDeprecated: $includeDeprecated")
)
"""What SwiftGraphQL 5 sends, but for directives (Sources/GraphQLAST/Introspection.swift in maticzav/swift-graphql)."""


@pytest.fixture(scope="module")
async def database(
    cluster: URL, maintenance: AsyncEngine, template: str, name_database: Callable[[], str]
) -> AsyncIterator[str]:
    name = name_database()
    async with copied_database(maintenance, name, template):
        yield url_of(cluster, name)


@pytest.fixture(scope="module")
def url(database: str) -> Iterator[str]:
    """Where the API of a web process is."""
    with temporary_folder() as folder, serving(database, folder, free_port()) as server:
        yield f"{server.url}/graphql"


def told_by(script: str, url: str) -> Any:
    """What a script in `clients` prints, with the client's packages and Node."""
    text = (Path(__file__).parent / "clients" / script).read_text()
    command = ["node", "--input-type=module", "-e", text]
    environment = {**os.environ, "SHOP": url, "HASHED": HASHED, "MUTATION": MUTATION}
    done = subprocess.run(command, cwd=CLIENT, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_published_audit_finds_nothing(url: str) -> None:
    results = told_by("audit.mjs", url)

    assert [each for each in results if each["status"] != "ok"] == []
    assert len(results) == AUDITS


def test_urql_asks_by_its_defaults(url: str) -> None:
    told = told_by("urql.mjs", url)

    assert told["query"]["data"] == {"shop": {"name": "Minimal", "__typename": "Shop"}, "product": None}
    assert [each["method"] for each in told["query"]["sent"]] == ["GET"]
    assert told["query"]["sent"][0]["type"] == GRAPHQL_JSON
    assert told["mutation"]["data"]["forgotPassword"]["__typename"]
    assert [each["method"] for each in told["mutation"]["sent"]] == ["POST"]
    [error] = told["invalid"]["errors"]
    assert error["extensions"]["code"] == "GRAPHQL_VALIDATION_FAILED"
    assert told["unknown"]["data"]["shop"]["currency"] == "USD"
    assert [(each["method"], "query" in each["named"], each["status"]) for each in told["unknown"]["sent"]] == [
        ("GET", False, 400),
        ("GET", True, 200),
    ]


def test_apollos_client_asks_by_its_defaults_and_by_hashes_in_urls(url: str) -> None:
    told = told_by("apollo.mjs", url)

    assert told["query"]["data"]["shop"]["name"] == "Minimal"
    assert told["query"]["sent"] == [{"method": "POST", "named": [], "status": 200, "type": GRAPHQL_JSON}]
    assert told["mutation"]["data"]["forgotPassword"]["__typename"]
    assert (told["invalid"]["name"], told["invalid"]["codes"]) == (
        "CombinedGraphQLErrors",
        ["GRAPHQL_VALIDATION_FAILED"],
    )
    assert told["hashed"]["data"]["categories"]
    assert [each["method"] for each in told["hashed"]["sent"]] == ["GET"]
    assert told["hashed"]["sent"][0]["named"] == ["extensions", "operationName", "variables"]
    assert told["unknown"]["data"]["shop"]["currency"] == "USD"
    assert [each["status"] for each in told["unknown"]["sent"]] == [400, 200]


def test_apollos_batches_are_refused_in_words(url: str) -> None:
    told = told_by("apollo.mjs", url)["batch"]

    assert "Send each operation in a request of its own." in told["error"]
    assert [each["status"] for each in told["sent"]] == [400]


def test_sgqlc_introspects(url: str, tmp_path: Path) -> None:
    written = tmp_path / "schema.json"

    subprocess.run([sys.executable, "-m", "sgqlc.introspection", url, str(written)], check=True, timeout=60)

    introspected = json.loads(written.read_text())
    assert introspected["extensions"]["cost"]["prepared"] is True
    assert types_of(introspected["data"]) == types_of_the_schema()


def test_elm_graphql_introspects_and_generates(url: str, tmp_path: Path) -> None:
    command = [f"{CLIENT}/node_modules/.bin/elm-graphql", url, "--base", "Shop", "--output", str(tmp_path)]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)

    assert (tmp_path / "Shop/Query.elm").exists(), done.stdout + done.stderr


def test_swift_graphql_introspects(url: str) -> None:
    body = {"query": SWIFT_GRAPHQL, "variables": {}, "operationName": "IntrospectionQuery"}

    answer = httpx.post(url, json=body, headers={"accept": "*/*"}, timeout=60).json()

    assert answer["extensions"]["cost"]["prepared"] is True
    assert types_of(answer["data"]) == types_of_the_schema()


def test_the_documented_code_generator_types_a_document(url: str, tmp_path: Path) -> None:
    [config] = re.findall(r"```ts\n(.+?)```", (CLIENT.parent / "docs/clients.md").read_text(), re.DOTALL)
    (tmp_path / "codegen.ts").write_text(config)
    (tmp_path / "node_modules").symlink_to(CLIENT / "node_modules")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/price.graphql").write_text(
        "query Price($id: ID!) { product(id: $id) { price category { path } } }"
    )
    environment = {**os.environ, "SHOP": url.removesuffix("/graphql")}

    command = ["node", "node_modules/.bin/graphql-codegen", "--config", "codegen.ts"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "price: string, category: { path: string }" in (tmp_path / "src/shop.generated.ts").read_text()


def types_of(introspected: Any) -> list[str]:
    lines = print_schema(build_client_schema(introspected)).splitlines()
    return sorted(line for line in lines if line.startswith(("type ", "input ", "enum ", "union ", "  ")))


def types_of_the_schema() -> list[str]:
    lines = print_schema(build()._schema).splitlines()
    return sorted(line for line in lines if line.startswith(("type ", "input ", "enum ", "union ", "  ")))

"""A GraphQL client over the shop's HTTP."""

from typing import Any

from tests.api.conftest import Shop


async def ask(shop: Shop, role: str, document: str, **variables: Any) -> Any:
    """The data of an answer without errors."""
    answer = await shop.clients[role].post("/graphql", json={"query": document, "variables": variables})
    body = answer.json()
    assert "errors" not in body, body
    return body["data"]

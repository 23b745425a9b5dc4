"""Requests in the metrics: by route and status, never by what was asked."""

from uuid import uuid4

from prometheus_client import generate_latest

from server.platform.core.metrics import REGISTRY
from tests.api.conftest import Shop


def counted(route: str, status: int) -> float:
    labels = {"route": route, "status": str(status)}
    return REGISTRY.get_sample_value("minimal_request_seconds_count", labels) or 0.0


async def test_requests_are_told_by_route_and_status_and_not_by_path(shop: Shop) -> None:
    visitor = shop.clients["visitor"]
    before = counted("GET /product/{id}", 404)

    await visitor.get(f"/api/product/{uuid4()}")
    await visitor.get("/api/nothing/of/the/kind")
    await visitor.post("/graphql", json={"query": "{ __typename }"})
    await visitor.get("/" + "x" * 40)

    metrics = generate_latest(REGISTRY).decode()
    assert counted("GET /product/{id}", 404) == before + 1
    assert counted("api", 404) >= 1
    assert counted("graphql", 200) >= 1
    assert "nothing/of" not in metrics
    assert "xxxx" not in metrics

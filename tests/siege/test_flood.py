"""A flood of visit events: what is stored is bounded, however it is divided into requests."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import func, select, text

from server.analytics.behaviour.intake import ROWS_PER_MINUTE
from server.analytics.models import ShopEvent
from server.platform.core.db import Sessions, begin
from tests.cart.stock import make_product
from tests.ports import free_port
from tests.siege.servers import LONG, Server, browser, serving

REQUESTS, REQUESTS_UNGUARDED = 60, 60 if LONG else 4
PRODUCTS = 3_100
"""So many ids fit into the body of one request."""


async def flood(server: Server, product: str, requests: int) -> set[int]:
    """Each with as much as a body may hold, of a visit of its own, as one visitor did who filled a disk."""
    event = {"kind": "viewed", "products": [product] * (PRODUCTS // 50)}
    statuses = set()
    async with browser(server) as visitor:
        for _ in range(requests):
            batch = json.dumps({"visit": str(uuid4()), "events": [event] * 50})
            statuses.add((await visitor.post("/events", content=batch)).status_code)
    return statuses


async def rows(books: Sessions) -> int:
    async with books() as session:
        return await session.scalar(select(func.count()).select_from(ShopEvent)) or 0


@pytest.fixture
async def product(books: Sessions) -> str:
    async with begin(books) as session:
        await session.execute(text("TRUNCATE shop_events, rate_limits"))
    async with books() as session:
        return str((await make_product(session, name=f"Shirt {uuid4()}")).product_id)


async def test_one_visitor_fills_no_disk(database: str, folder: Path, books: Sessions, product: str) -> None:
    with serving(database, folder, free_port()) as server:
        statuses = await flood(server, product, REQUESTS)
        another = await flood(server, product, 1)

    assert statuses == another == {204}
    assert 0 < await rows(books) <= min(ROWS_PER_MINUTE, REQUESTS + 1)


async def test_without_the_bounds_one_visitor_writes_thousands_of_rows_with_each_request(
    database: str, folder: Path, books: Sessions, product: str
) -> None:
    with serving(database, folder, free_port(), without="event bounds") as server:
        await flood(server, product, REQUESTS_UNGUARDED)

    assert await rows(books) == REQUESTS_UNGUARDED * PRODUCTS

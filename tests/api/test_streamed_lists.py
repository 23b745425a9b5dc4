"""REST lists without a limit are streamed in batches."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextvars import ContextVar
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics import service, totals
from server.analytics.totals import TotalsCache
from server.platform.core.db import begin
from server.platform.web import rest
from tests.api.conftest import Shop
from tests.api.conftest import shop as shop
from tests.cart.stock import make_product, make_shopper
from tests.catalog.storefront import catch_up

LISTS = ["/api/product", "/api/product/men/shirts", "/api/user"]
_is_ours: ContextVar[bool] = ContextVar("is_ours", default=False)
"""Set where the test asks, and so in all that its requests begin; not in the app's work in the background."""


@pytest.fixture
async def full(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(rest, "LIST_BATCH", 3)
    async with shop.sessions() as session:
        for number in range(8):
            await make_product(session, name=f"Shirt {number}")
            await make_shopper(session, f"Ada {number}")
    await catch_up(shop.app)
    return shop


@pytest.fixture
def held_by_us(full: Shop) -> Iterator[Callable[[], int]]:
    """How many connections the test's own requests hold: what works in the background takes some at any moment."""
    pool, held = full.app.state.shop.engine.sync_engine.pool, set[int]()

    def take(_: object, record: object, __: object) -> None:
        if _is_ours.get():
            held.add(id(record))

    def give_back(_: object, record: object) -> None:
        held.discard(id(record))

    event.listen(pool, "checkout", take)
    event.listen(pool, "checkin", give_back)
    yield lambda: len(held)
    event.remove(pool, "checkout", take)
    event.remove(pool, "checkin", give_back)


@pytest.mark.parametrize("path", LISTS)
async def test_a_list_in_parts_is_the_list(full: Shop, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    client = full.clients["admin"]

    in_parts = await client.get(path)
    some = await client.get(path, params={"limit": 5, "offset": 2})
    monkeypatch.setattr(rest, "LIST_BATCH", 1_000)
    at_once = await client.get(path)

    assert len(in_parts.json()) > 6
    assert in_parts.json() == at_once.json()
    assert some.json() == at_once.json()[2:7]
    assert in_parts.headers["content-type"] == at_once.headers["content-type"] == "application/json"
    assert in_parts.headers["cache-control"] == "no-store"
    assert ("content-length" in at_once.headers, "content-length" in in_parts.headers) == (True, False)


async def _bytes(ids: list[UUID], gone: set[UUID], monkeypatch: pytest.MonkeyPatch) -> tuple[bytes, list[int]]:
    monkeypatch.setattr(rest, "LIST_BATCH", 2)
    sizes: list[int] = []

    async def read(part: Any) -> list[str]:
        sizes.append(len(part))
        return [str(each) for each in part if each not in gone]

    response = await rest.list_answer(ids, read)
    body: AsyncIterator[Any] | None = getattr(response, "body_iterator", None)
    if body is None:
        return bytes(response.body), sizes
    return b"".join([part async for part in body]), sizes


@pytest.mark.parametrize("missing", [[], [0], [0, 1], [2, 3], [4], [0, 1, 2, 3, 4], [1, 2]])
async def test_what_is_gone_by_its_turn_leaves_a_list_that_can_be_read(
    missing: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [uuid4() for _ in range(5)]
    gone = {ids[each] for each in missing}

    body, sizes = await _bytes(ids, gone, monkeypatch)

    assert json.loads(body) == [str(each) for each in ids if each not in gone]
    assert sizes == [2, 2, 1]
    assert (await _bytes([], set(), monkeypatch))[0] == b"[]"


async def test_between_two_parts_no_connection_is_held(
    full: Shop, held_by_us: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    list_answer = rest.list_answer

    async def watched(ids: Any, read: Any) -> Any:
        async def reading(part: Any) -> Any:
            held.append(held_by_us())
            rows = await read(part)
            held.append(held_by_us())
            return rows

        return await list_answer(ids, reading)

    monkeypatch.setattr("server.catalog.routes.list_answer", watched)
    _is_ours.set(True)
    await full.clients["admin"].get("/api/product")

    assert len(held) >= 6
    assert set(held) == {0}


async def test_a_connection_that_a_request_holds_is_counted(
    full: Shop, held_by_us: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[int] = []
    list_answer = rest.list_answer

    async def holding(ids: Any, read: Any) -> Any:
        async def reading(part: Any) -> Any:
            async with full.app.state.shop.engine.connect():
                held.append(held_by_us())
                return await read(part)

        return await list_answer(ids, reading)

    monkeypatch.setattr("server.catalog.routes.list_answer", holding)
    _is_ours.set(True)
    await full.clients["admin"].get("/api/product")

    assert set(held) == {1}
    assert held_by_us() == 0


async def test_totals_are_read_once_for_all_who_ask_and_hold_no_shoppers_connection(
    full: Shop, held_by_us: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, held = service.totals, list[int]()

    async def slowly(session: AsyncSession) -> service.AnalyticsTotals:
        await asyncio.sleep(0.2)
        held.append(held_by_us())
        return await read(session)

    monkeypatch.setattr(service, "totals", slowly)
    _is_ours.set(True)
    fields = "{ admin { analytics { totalUsers totalProducts totalOrders totalSales topProducts { id } } } }"
    client = full.clients["admin"]

    answers = await asyncio.gather(
        *(client.get("/api/analytics") for _ in range(20)),
        *(client.post("/graphql", json={"query": fields}) for _ in range(5)),
    )

    assert {answer.status_code for answer in answers} == {200}
    assert answers[-1].json()["data"]["admin"]["analytics"]["totalUsers"] == answers[0].json()["totalUsers"] == 12
    assert held == [0]


async def test_totals_are_kept_for_a_moment(full: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    cache: TotalsCache = full.app.state.shop.resources.get(TotalsCache)
    assert totals.KEPT_SECONDS == 2.0
    monkeypatch.setattr(totals, "KEPT_SECONDS", 60.0)

    first = await cache.get()
    async with begin(full.sessions) as session:
        await session.execute(text("INSERT INTO users (email, name) VALUES ('late@shop.test', 'Late Comer')"))
    same = await cache.get()
    cache._kept_until = 0.0
    later = await cache.get()

    assert same is first
    assert later.total_users == first.total_users + 1


async def test_a_reading_that_failed_is_not_kept(full: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    cache: TotalsCache = full.app.state.shop.resources.get(TotalsCache)

    async def fails(_session: AsyncSession) -> service.AnalyticsTotals:
        raise ValueError("planted")

    with monkeypatch.context() as fault:
        fault.setattr(service, "totals", fails)
        for _ in range(2):
            with pytest.raises(ValueError, match="planted"):
                await cache.get()

    assert (await cache.get()).total_users == 12

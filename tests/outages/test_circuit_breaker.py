"""The circuit breaker: without it and timeouts, every request to a silent or locked database would hang."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import structlog
from sqlalchemy import text
from structlog.testing import LogCapture

from server import shop_process
from server.platform.core import notify
from server.platform.core.db import CircuitBreaker, begin
from tests.catalog.storefront import open_storefront
from tests.outages.conftest import Deployed

LONG = 3.0
"""Seconds: who waits for so long would wait on."""
SOON = 30.0
"""However busy the machine is, by then everybody has been told."""
CART = {"query": "{ viewer { cart { count } } }"}
QUICKLY = {"HEARTBEAT_SECONDS": 0.1, "RESPONSE_SECONDS": 0.5, "CONNECT_SECONDS": 0.5}

pytestmark = pytest.mark.io_bound


async def until(becomes_true: Callable[[], bool]) -> None:
    async with asyncio.timeout(SOON):
        while not becomes_true():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
async def nobody(deployed: Deployed) -> None:
    """Each storefront brings its own people."""
    async with begin(deployed.sessions) as session:
        await session.execute(text("TRUNCATE users CASCADE"))


async def test_waiting_for_a_silent_database_times_out_and_would_hang_without_the_breaker(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in QUICKLY.items():
        monkeypatch.setattr(notify, name, seconds)
    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path, catches_up=False) as storefront:
        with monkeypatch.context() as fault:
            fault.setattr(CircuitBreaker, "trip", lambda _breaker: None)
            deployed.proxy.fall_silent()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(storefront.shopper.post("/graphql", json=CART), LONG)
            await deployed.proxy.come_back()
        async with asyncio.timeout(SOON):
            while (await storefront.shopper.post("/graphql", json=CART)).status_code != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

        deployed.proxy.fall_silent()
        asking = [storefront.shopper.post("/graphql", json=CART) for _ in range(30)]
        answers = await asyncio.wait_for(asyncio.gather(*asking), SOON)
        await deployed.proxy.come_back()

    assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "2")}


async def test_a_shop_that_was_told_goodbye_and_not_yet_hung_up_on_listens_again(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What asks a database that is being stopped after its last word hears of a state that asyncpg did not expect."""
    for name, seconds in QUICKLY.items():
        monkeypatch.setattr(notify, name, seconds)
    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path, catches_up=False) as storefront:
        listener = storefront.app.state.shop.listener
        before = await asyncio.gather(*(storefront.shopper.post("/graphql", json=CART) for _ in range(5)))
        deployed.proxy.hold_the_line()
        await asyncio.to_thread(deployed.postgres.stop)
        asking = [storefront.shopper.post("/graphql", json=CART) for _ in range(10)]
        meanwhile = await asyncio.wait_for(asyncio.gather(*asking), SOON)
        await until(lambda: not listener.is_connected)
        deployed.proxy.hang_up()
        deployed.postgres.start()
        await until(lambda: listener.is_connected)
        after = await storefront.shopper.post("/graphql", json=CART)

    assert {answer.status_code for answer in before} == {200}
    assert {(answer.status_code, answer.headers.get("retry-after")) for answer in meanwhile} == {(503, "2")}
    assert after.status_code == 200


async def test_nobody_is_let_to_a_database_that_is_back_before_its_news_is_heard(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a shopper had a cart again while pages were still said to be stale."""
    for name, seconds in QUICKLY.items():
        monkeypatch.setattr(notify, name, seconds)
    add_listener = asyncpg.Connection.add_listener

    async def add_slowly(*arguments: Any) -> None:
        await asyncio.sleep(0.02)
        await add_listener(*arguments)

    is_tripped, trip = [], CircuitBreaker.trip

    def trip_and_note(breaker: CircuitBreaker) -> None:
        trip(breaker)
        is_tripped.append(True)

    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path, catches_up=False) as storefront:
        listener = storefront.app.state.shop.listener
        monkeypatch.setattr(asyncpg.Connection, "add_listener", add_slowly)
        monkeypatch.setattr(CircuitBreaker, "trip", trip_and_note)
        await deployed.proxy.refuse()
        await until(lambda: bool(is_tripped))
        await deployed.proxy.come_back()
        refused = 0
        async with asyncio.timeout(SOON):
            while (await storefront.shopper.post("/graphql", json=CART)).status_code != 200:
                refused += 1
                await asyncio.sleep(0)  # A refusal waits for nothing.
        heard = listener.is_connected

    assert refused > 0
    assert heard


async def test_a_defect_of_who_is_told_the_news_does_not_end_listening(
    deployed: Deployed, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = LogCapture()
    monkeypatch.setattr(notify, "log", structlog.wrap_logger(None, processors=[said]))
    payloads: list[str] = []

    def tell(payload: str) -> None:
        payloads.append(payload)
        assert len(payloads) > 2, "a planted defect"

    listener = notify.Listener(deployed.postgres.url)
    listener.on("news", tell)
    listening = asyncio.create_task(listener.run())
    await until(lambda: len(payloads) == 3)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)

    assert [(line["event"], line["error"]) for line in said.entries] == [("listen.failed", "AssertionError")] * 2


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_waiting_for_a_lock_times_out_and_would_hang_without_the_limit(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
) -> None:
    monkeypatch.setattr(shop_process, "LOCK_SECONDS", 0.3 if is_guarded else 0.0)
    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path, catches_up=False) as storefront:
        async with deployed.sessions() as session:
            await session.execute(text("LOCK TABLE carts, cart_lines IN ACCESS EXCLUSIVE MODE"))
            asking = asyncio.create_task(storefront.shopper.post("/graphql", json=CART))
            answered, _ = await asyncio.wait([asking], timeout=SOON if is_guarded else LONG)
        answer = await asking

    assert bool(answered) is is_guarded
    assert answer.status_code == (503 if is_guarded else 200)

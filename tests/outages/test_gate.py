"""A database that is silent or locked: without a gate and an end to waiting everybody would wait."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from server import app
from server.core import notify
from server.core.db import Gate, begin
from tests.catalog.storefront import open_storefront
from tests.outages.conftest import Deployed

LONG = 3.0
CART = {"query": "{ viewer { cart { count } } }"}
QUICKLY = {"HEARTBEAT_SECONDS": 0.1, "PATIENCE_SECONDS": 0.3, "CONNECT_SECONDS": 0.2}

pytestmark = pytest.mark.patient


@pytest.fixture(autouse=True)
async def nobody(deployed: Deployed) -> None:
    """Each storefront brings its own people."""
    async with begin(deployed.sessions) as session:
        await session.execute(text("TRUNCATE users CASCADE"))


async def test_whoever_waits_for_a_silent_database_is_asked_to_come_back_and_would_wait_without_the_gate(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in QUICKLY.items():
        monkeypatch.setattr(notify, name, seconds)
    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path) as storefront:
        with monkeypatch.context() as fault:
            fault.setattr(Gate, "shut", lambda _gate: None)
            deployed.proxy.fall_silent()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(storefront.shopper.post("/graphql", json=CART), LONG)
            await deployed.proxy.come_back()
        async with asyncio.timeout(LONG):
            while (await storefront.shopper.post("/graphql", json=CART)).status_code != 200:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

        deployed.proxy.fall_silent()
        asking = [storefront.shopper.post("/graphql", json=CART) for _ in range(30)]
        answers = await asyncio.wait_for(asyncio.gather(*asking), LONG)
        await deployed.proxy.come_back()

    assert {(answer.status_code, answer.headers["retry-after"]) for answer in answers} == {(503, "2")}


@pytest.mark.parametrize("is_guarded", [True, False])
async def test_who_waits_for_a_lock_is_asked_to_come_back_and_would_wait_without_an_end_to_it(
    deployed: Deployed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
) -> None:
    monkeypatch.setattr(app, "LOCK_SECONDS", 0.3 if is_guarded else 0.0)
    async with open_storefront(deployed.proxy.url, deployed.sessions, tmp_path) as storefront:
        async with deployed.sessions() as session:
            await session.execute(text("LOCK TABLE carts, cart_lines IN ACCESS EXCLUSIVE MODE"))
            asking = asyncio.create_task(storefront.shopper.post("/graphql", json=CART))
            answered, _ = await asyncio.wait([asking], timeout=LONG)
        answer = await asking

    assert bool(answered) is is_guarded
    assert answer.status_code == (503 if is_guarded else 200)

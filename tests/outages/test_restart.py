"""Rolling restart of two processes under load. RESTARTS sets the number."""

import asyncio
import os
import signal
from collections import Counter
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from server.analytics.behaviour.routes import PER_MINUTE
from server.cart.models import Cart, CartLine
from tests.outages.conftest import Deployed
from tests.outages.load import Request, failures, under_load
from tests.payments.checkout_documents import ADD, CART

pytestmark = pytest.mark.io_bound

RESTARTS = int(os.environ.get("RESTARTS", "2"))
SERVICE_RESTART = 1012
PROCESSES = (1, 2)
HELD_UP = 10.0
"""Seconds."""
MOST_AT_ONCE = 10
"""Fewer than one process lets in at once, so that none is asked to come back."""


@pytest.fixture(scope="module")
async def shop(deployed: Deployed) -> Deployed:
    await asyncio.gather(*(deployed.units.start(number) for number in PROCESSES))
    return deployed


def listen(shop: Deployed, cookie: str) -> connect:
    return connect(
        f"ws://localhost:{shop.units.port}/graphql",
        origin=Origin(shop.units.url),
        additional_headers={"cookie": cookie},
        subprotocols=[Subprotocol("graphql-transport-ws")],
    )


async def in_cart(shop: Deployed, user_id: object) -> int:
    async with shop.sessions() as session:
        query = select(CartLine.quantity).join(Cart, Cart.id == CartLine.cart_id).where(Cart.user_id == user_id)
        return await session.scalar(query) or 0


async def heard(socket: ClientConnection) -> int | None:
    """The code with which the other side closes."""
    try:
        while True:
            await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


async def test_a_process_that_starts_holds_up_no_other(deployed: Deployed) -> None:
    units = deployed.units
    await units.start(1)
    async with httpx.AsyncClient(base_url=units.url, trust_env=False, timeout=HELD_UP) as of_the_first:
        await of_the_first.get("/livez")
        starting = asyncio.create_task(units.start(2))
        while not starting.done():
            # It comes to both, and nobody comes after it before the first has answered.
            _, visitor = await asyncio.open_connection("127.0.0.1", units.port)
            assert (await of_the_first.get("/livez")).status_code == 200
            visitor.close()
            await asyncio.sleep(0.02)
        await starting
    await asyncio.gather(*(units.stop(number) for number in PROCESSES))


async def test_restarting_the_processes_in_turn_fails_no_request(shop: Deployed) -> None:
    user, token = await shop.let_in(role="admin")
    cookie = shop.cookie(token)
    add = {"query": ADD, "variables": {"variant": str(shop.goods.variant_id)}}
    write = Request(document=add, cookie=cookie)
    # No more visitors than are let in at once beside a buyer, so that none is asked to come back.
    shirts = Request("/api/product/men/shirts", cookie=cookie)
    reads = [Request("/"), Request(document={"query": CART}, cookie=cookie), shirts]

    async with listen(shop, cookie) as ear, under_load(shop.units.port, write, *reads, pause=0.1) as callers:
        # Who never says hello is not waited for.
        await ear.send('{"type": "connection_init"}')
        await asyncio.sleep(0.5)
        for turn in range(RESTARTS):
            await shop.units.restart(PROCESSES[turn % 2])
        code = await asyncio.wait_for(heard(ear), 5)
        async with listen(shop, cookie) as again:
            await again.ping()
        await asyncio.sleep(0.3)

    assert failures(callers) == {}
    assert all(caller.succeeded > 5 * RESTARTS for caller in callers)
    # What is written while the last caller is told to stop is not acknowledged.
    acknowledged = sum(caller.succeeded for caller in callers if caller.request is write)
    assert acknowledged <= await in_cart(shop, user.id) <= acknowledged + 2
    assert code == SERVICE_RESTART


async def answers(shop: Deployed, token: str | None, path: str, body: object, times: int) -> Counter[int]:
    """What everybody was told who asked at the same time, each over a connection of their own."""
    line = asyncio.Semaphore(MOST_AT_ONCE)
    async with shop.browser(token) as browser:

        async def ask() -> int:
            async with line:
                response = await browser.post(path, json=body, headers={"connection": "close"})
                return response.status_code

        return Counter(await asyncio.gather(*(ask() for _ in range(times))))


async def test_the_limit_of_an_address_is_exact_over_both_processes(shop: Deployed) -> None:
    seen = {"visit": str(uuid4()), "events": [{"kind": "viewed", "products": [str(shop.goods.product_id)]}]}

    counts = await answers(shop, None, "/events", seen, PER_MINUTE + 40)

    assert counts == {204: PER_MINUTE, 429: 40}


async def test_an_address_book_holds_ten_however_many_tabs_fill_it(shop: Deployed) -> None:
    _, token = await shop.let_in()
    where = {"name": "Ada", "address1": "1 Quiet Street", "city": "London", "country": "GB", "phone": "12345"}

    counts = await answers(shop, token, "/api/user/address", where, 30)

    # One was there.
    assert counts == {201: 9, 400: 21}


async def test_a_process_that_does_not_take_its_leave_fails_requests(shop: Deployed) -> None:
    # Without a pause, so that requests are being answered at whatever moment a process ends.
    async with under_load(shop.units.port, *[Request("/")] * 4, pause=0) as callers:
        await asyncio.sleep(0.5)
        await shop.units.stop(1, signal.SIGKILL)
        await asyncio.sleep(0.5)
        await shop.units.stop(2, signal.SIGKILL)

    assert failures(callers).total() > 0

"""A flood of sign-ins: each costs a hash, and shuts no visitor out."""

import asyncio
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from server.cart import service as cart
from server.platform.core.db import Sessions, begin
from tests.cart.stock import make_product, make_shopper
from tests.ports import free_port
from tests.session_tokens import session_token
from tests.siege.load import RATIO, longest, p99
from tests.siege.servers import LONG, Server, serving
from tests.siege.sign_ins import BUYER, CACHED, UNCACHED, Flood, FloodOfSignIns

pytestmark = pytest.mark.timed

FLOODERS = (10, 20, 50) if LONG else (50,)
SECONDS = 10 if LONG else 5


@pytest.fixture(scope="module")
async def cookie(books: Sessions) -> Callable[[int], str]:
    """The session cookie of a shopper with something in the cart, for a shop on that port."""
    async with books() as session:
        shopper, goods = await make_shopper(session), await make_product(session, pictures=True)
    async with begin(books) as session:
        await cart.add_line(session, shopper.id, goods.variant_id)
        token = await session_token(session, shopper.id)
    return lambda port: f"accessToken-{port}={token}"


@pytest.fixture(scope="module")
def shop(database: str, folder: Path) -> Iterator[Server]:
    with serving(database, folder, free_port()) as server:
        yield server


async def flooded(server: Server, flooders: int, cookie: str = "") -> Flood:
    with FloodOfSignIns(server.url, flooders, cookie) as attack:
        await asyncio.sleep(SECONDS)
        flood = await asyncio.to_thread(attack.ended)
    beside = " beside a buyer" * bool(cookie)
    sys.stdout.write(f"{flooders} flooders{beside}: {flood}\n")
    return flood


@pytest.mark.parametrize("has_buyer", [False, True], ids=["without buyer", "beside a buyer"])
async def test_flood_of_sign_ins_refuses_no_visitor(
    shop: Server, cookie: Callable[[int], str], has_buyer: bool
) -> None:
    """On a machine that is busy with something else some are refused in a quiet shop too: then a few times as many."""
    buyer = cookie(shop.port) if has_buyer else ""
    await flooded(shop, 0, buyer)
    quiet = await flooded(shop, 0, buyer)

    floods = [await flooded(shop, flooders, buyer) for flooders in FLOODERS]

    most = max(0.5, longest(p99(quiet.seconds(UNCACHED))))
    most_refused = RATIO * quiet.refused(UNCACHED, CACHED, BUYER)
    assert max(flood.refused(UNCACHED, CACHED, BUYER) for flood in floods) <= most_refused
    assert max(p99(flood.seconds(UNCACHED)) for flood in floods) < most


async def test_while_a_hash_holds_a_slot_the_flood_refuses_visitors(database: str, folder: Path) -> None:
    with serving(database, folder, free_port(), without="free slots") as server:
        await flooded(server, 0)
        flood = await flooded(server, FLOODERS[-1])

    assert flood.refused(UNCACHED) > len(flood.answers[UNCACHED]) / 4

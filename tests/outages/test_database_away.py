"""PostgreSQL stopped, killed, refusing, silent or slow: what was read is shown and marked, the rest waits a moment."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from uuid import UUID, uuid4

import httpx
import orjson
import pytest
from sqlalchemy import select, text
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin, Subprotocol

from server import wiring
from server.cart.models import Cart, CartLine
from server.catalog.follower import ALLOWED_LAG
from tests.attacks.calls import signed
from tests.outages.conftest import Deployed
from tests.payments.checkout_documents import ADD, CART

pytestmark = pytest.mark.io_bound

LONGEST = 10.0
"""Seconds within which everybody has an answer, whatever has become of the database."""
RECOVERY, BUSY = 2.0, 10
"""Seconds; on a machine so busy that a cart takes long by itself, so many times that."""
PRODUCTS = "{ products(first: 3) { nodes { id name price variants { stock } } } }"
SIGN_IN = 'mutation { signIn(email: "ada@minimal.test", password: "Passw0rd!") { __typename } }'
FORGOT = 'mutation { forgotPassword(email: "ada@minimal.test") { __typename } }'
SEARCHED = 'query { search(query: "shirt") { products { nodes { name } } } }'
UNREAD = ("/category/men/shirts?sort=newest", "/sitemap.xml", "/feed.xml", "/readyz")
WEBHOOK = "POST /api/payment/webhook"
EXPIRED = {"object": {"id": "cs_nobody", "object": "checkout.session"}}
JSON = {"content-type": "application/json"}
NEEDS_NO_DATABASE = ("/livez", "/robots.txt", "/favicon.svg", "/signin", "/cart")


@dataclass
class Asked:
    """One answer, and how long it took."""

    what: str
    response: httpx.Response
    seconds: float

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def is_put_off(self) -> bool:
        """Asked to come back in a moment."""
        return self.status == 503 and self.response.headers.get("retry-after", "") in ("1", "2", "3")

    @property
    def is_marked(self) -> bool:
        """As RFC 9211 has it, from our cache with less than nothing left of its freshness; and for a page's script."""
        marks = [self.response.headers.get(name, "") for name in ("cache-status", "server-timing")]
        return bool(re.fullmatch(r"minimal; hit; ttl=-\d+ stale", " ".join(marks)))

    @property
    def is_marked_for_good(self) -> bool:
        """Older than the catalogue in memory may be without saying so; in its first second an outage may be a blink."""
        return self.is_marked and int(self.response.headers["age"]) > ALLOWED_LAG

    @property
    def is_fresh(self) -> bool:
        return not {"cache-status", "server-timing"} & set(self.response.headers)


async def ask(browser: httpx.AsyncClient, what: str, document: str | None = None) -> Asked:
    """A page or call such as `GET /cart`, or a GraphQL document."""
    began = monotonic()
    method, _, path = what.partition(" ")
    if document:
        response = await browser.post("/graphql", json={"query": document})
    elif method in ("GET", "DELETE"):
        response = await browser.request(method, path)
    else:
        response = await browser.request(method, path, json={})
    return Asked(what, response, monotonic() - began)


async def tell_of_a_payment(provider: httpx.AsyncClient) -> Asked:
    """As the payment provider does: what it has not signed is refused without a look at the database."""
    body = orjson.dumps({"id": "evt_away", "object": "event", "type": "checkout.session.expired", "data": EXPIRED})
    began = monotonic()
    response = await provider.post(WEBHOOK.partition(" ")[2], content=body, headers={**JSON, **signed(body)})
    return Asked(WEBHOOK, response, monotonic() - began)


@dataclass
class People:
    visitor: httpx.AsyncClient
    shopper: httpx.AsyncClient
    owner: httpx.AsyncClient
    shoppers_token: str


async def kept(deployed: Deployed, browser: httpx.AsyncClient) -> list[Asked]:
    """What the shop has answered before."""
    pages = ("/", "/category/men", f"/product/{deployed.goods.product_id}")
    return [
        *[await ask(browser, f"GET {path}") for path in pages],
        await ask(browser, "the products", PRODUCTS),
    ]


OF_MADE_UP_CALLS = (400, 404)
"""What a call with an empty body or a made-up id hears, where the database has answered just before it was away."""


async def everything_else(deployed: Deployed, people: People) -> list[Asked]:
    """Every call that there is, as somebody who may; every way to write; what nobody has asked for before."""
    routes = [f"{route.name}" for route in wiring.API_ROUTES if route.name]
    calls = [re.sub(r"\{\w+\}", str(uuid4()), name.replace(" ", " /api", 1)) for name in routes]
    others = [re.sub(r"\{\w+\}", str(uuid4()), route.name) for route in wiring.OTHER_ROUTES if route.name]
    calls += [name for name in others if "/images/" not in name or name.startswith("POST")]
    add = ADD.replace("$variant: ID!, $quantity: Int! = 1", "$quantity: Int! = 1").replace(
        "$variant", f'"{deployed.goods.variant_id}"'
    )
    asking = [tell_of_a_payment(people.visitor) if call == WEBHOOK else ask(people.owner, call) for call in calls]
    asking += [ask(people.visitor, f"GET {path}") for path in UNREAD]
    asking += [ask(people.visitor, document[:40], document) for document in (SIGN_IN, FORGOT, SEARCHED)]
    asking += [ask(people.shopper, document[:40], document) for document in (CART, add)]
    asking += [ask(people.owner, "the back office", "{ admin { products(first: 3) { nodes { id } } } }")]
    return await asyncio.gather(*asking)


async def handshake(deployed: Deployed, token: str) -> tuple[int, str | None]:
    """Status and Retry-After of the answer to who wants to listen."""
    try:
        async with connect(
            deployed.units.url.replace("http", "ws") + "/graphql",
            origin=Origin(deployed.units.url),
            additional_headers={"cookie": deployed.cookie(token)},
            subprotocols=[Subprotocol("graphql-transport-ws")],
            open_timeout=LONGEST,
        ):
            return 101, None
    except InvalidStatus as refusal:
        return refusal.response.status_code, refusal.response.headers.get("retry-after")


@dataclass
class Writer:
    """Puts one more piece into a cart again and again, and counts what it was told is done."""

    user_id: UUID
    browser: httpx.AsyncClient
    variant: str
    tried: int = 0
    acknowledged: int = 0
    refused: set[int] = field(default_factory=set)

    async def write(self) -> None:
        while True:
            self.tried += 1
            answer = await self.browser.post("/graphql", json={"query": ADD, "variables": {"variant": self.variant}})
            if answer.status_code == 200 and "errors" not in answer.json():
                self.acknowledged += 1
            else:
                self.refused.add(answer.status_code)
            await asyncio.sleep(0.02)


@asynccontextmanager
async def writing(deployed: Deployed, number: int = 3) -> AsyncIterator[list[Writer]]:
    """Shoppers who fill their carts meanwhile."""
    people = [await deployed.let_in() for _ in range(number)]
    variant = str(deployed.goods.variant_id)
    writers = [Writer(user.id, deployed.browser(token), variant) for user, token in people]
    tasks = [asyncio.create_task(writer.write()) for writer in writers]
    yield writers
    for task in tasks:
        task.cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    for writer in writers:
        await writer.browser.aclose()
    assert [each for each in ended if isinstance(each, Exception)] == []


async def in_cart(deployed: Deployed, writer: Writer) -> int:
    held = select(CartLine.quantity).join(Cart, Cart.id == CartLine.cart_id).where(Cart.user_id == writer.user_id)
    async with deployed.sessions() as session:
        return await session.scalar(held) or 0


@pytest.fixture(scope="module")
async def people(deployed: Deployed) -> AsyncIterator[People]:
    await deployed.units.start(1)
    (_, token), (_, owners) = await deployed.let_in(), await deployed.let_in(role="admin", is_primary=True)
    browsers = People(deployed.browser(), deployed.browser(token), deployed.browser(owners), token)
    yield browsers
    for browser in (browsers.visitor, browsers.shopper, browsers.owner):
        await browser.aclose()


async def stop(deployed: Deployed) -> None:
    deployed.postgres.stop()


async def kill(deployed: Deployed) -> None:
    deployed.postgres.kill()


async def start(deployed: Deployed) -> None:
    deployed.postgres.start()


async def refuse(deployed: Deployed) -> None:
    await deployed.proxy.refuse()


async def fall_silent(deployed: Deployed) -> None:
    deployed.proxy.fall_silent()


async def come_back(deployed: Deployed) -> None:
    await deployed.proxy.come_back()


async def slow_down(deployed: Deployed) -> None:
    deployed.proxy.slow_down(4)


async def speed_up(deployed: Deployed) -> None:
    deployed.proxy.speed_up()


Turn = Callable[[Deployed], Awaitable[None]]


async def until_marked(deployed: Deployed, people: People) -> None:
    began = monotonic()
    while not all(request.is_marked_for_good for request in await kept(deployed, people.visitor)):
        assert monotonic() - began < LONGEST, "What is served is not said to be stale."
        await asyncio.sleep(0.05)


async def until_fresh(deployed: Deployed, people: People) -> list[Asked]:
    """What is served of the catalogue, once the shop has heard what it missed of it."""
    began, after = monotonic(), await kept(deployed, people.visitor)
    while not all(request.is_fresh for request in after):
        assert monotonic() - began < LONGEST, "What is served stays stale."
        await asyncio.sleep(0.05)
        after = await kept(deployed, people.visitor)
    return after


async def until_back(people: People) -> float:
    """Seconds until a shopper has a cart again."""
    began = monotonic()
    while (await ask(people.shopper, "the cart", CART)).status != 200:
        assert monotonic() - began < LONGEST
        await asyncio.sleep(0.02)
    return monotonic() - began


@pytest.mark.parametrize(
    ("away", "back"),
    [(stop, start), (kill, start), (refuse, come_back), (fall_silent, come_back), (slow_down, speed_up)],
)
async def test_without_its_database_the_shop_shows_what_it_knows_and_asks_for_a_moment(
    deployed: Deployed, people: People, away: Turn, back: Turn
) -> None:
    before, usual = await kept(deployed, people.visitor), await until_back(people)
    async with writing(deployed) as writers:
        await asyncio.sleep(0.3)

        await away(deployed)
        at_once = [*await everything_else(deployed, people), await ask(people.visitor, "GET /")]
        await until_marked(deployed, people)
        visitors, shoppers = await kept(deployed, people.visitor), await kept(deployed, people.shopper)
        others = await everything_else(deployed, people)
        fixed = [await ask(people.shopper, f"GET {path}") for path in NEEDS_NO_DATABASE]
        socket = await handshake(deployed, people.shoppers_token)
        await back(deployed)
        seconds = await until_back(people)
        after = await until_fresh(deployed, people)

        await asyncio.sleep(0.3)

    waited = max(request.seconds for request in (*at_once, *visitors, *shoppers, *others, *fixed))
    assert [request.response.content for request in visitors] == [request.response.content for request in before]
    assert [request.response.content for request in shoppers] == [request.response.content for request in before]
    assert {(request.status, request.is_marked) for request in visitors + shoppers} == {(200, True)}
    # A search may have been answered from memory before the outage was noticed, and is known since.
    assert [request.what for request in others if not (request.is_put_off or request.is_marked)] == []
    assert {request.status for request in at_once} <= {200, *OF_MADE_UP_CALLS, 503}
    assert {request.status for request in fixed} == {200}
    assert socket == (503, "2")
    assert waited < LONGEST
    assert {(request.status, request.is_fresh) for request in before + after} == {(200, True)}
    assert seconds < max(RECOVERY, BUSY * usual)
    for writer in writers:
        assert 0 < writer.acknowledged <= await in_cart(deployed, writer) <= writer.tried
        assert writer.refused <= {503}


async def test_behind_a_lock_on_the_catalogue_nobody_waits_for_long(deployed: Deployed, people: People) -> None:
    before, usual = await kept(deployed, people.visitor), await until_back(people)

    async with deployed.sessions() as session:
        await session.execute(text("LOCK TABLE products, variants, cart_lines IN ACCESS EXCLUSIVE MODE"))
        listed = asyncio.create_task(ask(people.visitor, "GET /category/men/shirts?sort=price"))
        asking = [ask(people.visitor, f"GET {path}") for path in ("/sitemap.xml", "/feed.xml")]
        asking += [ask(people.shopper, "the cart", CART)]
        behind = await asyncio.gather(*asking)
        # A new list of products that are in memory may need no table.
        new_list = await listed
        meanwhile = await kept(deployed, people.shopper)
        profile = await ask(people.shopper, "GET /api/user/profile")
    seconds = await until_back(people)

    assert [request.what for request in behind if not request.is_put_off] == []
    assert new_list.is_put_off or new_list.status == 200
    assert max(request.seconds for request in (*behind, new_list)) < LONGEST
    assert [request.response.content for request in meanwhile] == [request.response.content for request in before]
    assert {request.status for request in (*meanwhile, profile)} == {200}
    assert seconds < max(RECOVERY, BUSY * usual)


async def test_a_database_that_acknowledges_too_early_is_seen_to_lose_writes(
    deployed: Deployed, people: People
) -> None:
    async with deployed.sessions() as session:
        connection = await session.connection(execution_options={"isolation_level": "AUTOCOMMIT"})
        for setting in ("synchronous_commit = off", "wal_writer_delay = '10s'", "wal_writer_flush_after = '1GB'"):
            await connection.execute(text(f"ALTER SYSTEM SET {setting}"))
        await connection.execute(text("SELECT pg_reload_conf()"))

    async with writing(deployed) as writers:
        await asyncio.sleep(1)
        await kill(deployed)
        await start(deployed)
        await until_back(people)

    assert [writer for writer in writers if await in_cart(deployed, writer) < writer.acknowledged] != []

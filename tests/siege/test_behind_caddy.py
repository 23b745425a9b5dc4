"""Rate limits by address behind a real reverse proxy; forged headers do not help a client."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from server.app import create_app
from server.config import Settings
from server.limits import Limits
from server.platform.processes.slow_clients import serving_options
from server.platform.web.proxies import TrustedProxies
from tests.ports import free_ports
from tests.siege.caddy import caddy, needs_caddy, site
from tests.siege.servers import serving

pytestmark = needs_caddy

MOST = 2
"""Failed sign-ins that one address may have here."""
PROXY = "127.0.0.1"


@dataclass(frozen=True)
class Ways:
    """Ports on which one shop can be reached: as shipped, behind a Caddy that keeps what clients say, and directly."""

    shipped: int
    keeping: int
    direct: int


class Believing(TrustedProxies):
    """Takes the header as it comes, whoever sends it."""

    def client_address(self, peer: str, forwarded_for: Sequence[str]) -> str:
        return forwarded_for[0].partition(",")[0] if forwarded_for else peer


@asynccontextmanager
async def served_here(settings: Settings, port: int, proxies: TrustedProxies) -> AsyncIterator[None]:
    """A shop in this process, which opens sooner, with proxies as given."""
    app = create_app(settings)
    app.state.shop.proxies = proxies
    options: dict[str, Any] = {"log_level": "warning", "proxy_headers": False, **serving_options()}
    server = uvicorn.Server(uvicorn.Config(app, host=PROXY, port=port, **options))
    task = asyncio.create_task(server.serve())
    while not server.started:
        assert not task.done()
        await asyncio.sleep(0.01)
    yield
    server.should_exit = True
    await task


@pytest.fixture(scope="module")
async def shops(database: str, folder: Path) -> AsyncIterator[dict[str, Ways]]:
    """One that knows its proxy, one that was told of none, and one that believes everybody."""
    ways = {name: Ways(*free_ports(3)) for name in ("knows", "none", "believes")}
    sites = {each.shipped: site(each.shipped, each.direct) for each in ways.values()}
    sites |= {each.keeping: site(each.keeping, each.direct, trusting="127.0.0.0/8") for each in ways.values()}
    async with AsyncExitStack() as stack:
        limits = Limits(sign_in_failures_per_address=MOST)
        knows = ways["knows"]
        stack.enter_context(
            serving(
                database,
                folder,
                knows.direct,
                shop_port=knows.shipped,
                TRUSTED_PROXIES=PROXY,
                LIMITS=limits.model_dump_json(),
            )
        )
        for name, proxies in (("none", TrustedProxies()), ("believes", Believing())):
            settings = Settings(  # type: ignore[call-arg]
                _env_file=None, port=ways[name].shipped, database_url=database, limits=limits
            )
            await stack.enter_async_context(served_here(settings, ways[name].direct, proxies))
        stack.enter_context(caddy(folder, sites))
        yield ways


async def guesses(port: int, *clients: str, number: int = MOST + 2, forged: bool = False) -> list[Counter[int]]:
    """What so many guesses at passwords of different accounts are answered with, for each client."""
    counts = []
    for client in clients:
        transport = httpx.AsyncHTTPTransport(local_address=client)
        own = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{PROXY}:{port}", headers=own) as browser:
            statuses: Counter[int] = Counter()
            for each in range(number):
                said = {"x-forwarded-for": f"192.0.2.{each}, 198.51.100.{each}"} if forged else {}
                # Caddy knows its site by this name.
                headers = {"host": f"localhost:{port}", **said}
                body = {"email": f"{each}@{client}.test", "password": "Guessed&Wrong1"}
                answer = await browser.post("/api/auth/signin", json=body, headers=headers)
                statuses[answer.status_code] += 1
        counts.append(statuses)
    return counts


LIMITED = Counter({401: MOST, 429: 2})
NOT_LIMITED = Counter({401: MOST + 2})


async def test_behind_a_proxy_each_client_has_a_count_of_its_own(shops: dict[str, Ways]) -> None:
    counts = await guesses(shops["knows"].shipped, "127.0.1.1", "127.0.1.2")

    assert counts == [LIMITED, LIMITED]


async def test_a_shop_that_was_told_of_no_proxy_takes_all_clients_for_one(shops: dict[str, Ways]) -> None:
    counts = await guesses(shops["none"].shipped, "127.0.2.1", "127.0.2.2")

    assert counts == [LIMITED, Counter({429: MOST + 2})]


@pytest.mark.parametrize("way", ["shipped", "keeping", "direct"])
async def test_a_forged_header_gives_no_new_count(shops: dict[str, Ways], way: str) -> None:
    client = {"shipped": "127.0.3.1", "keeping": "127.0.3.2", "direct": "127.0.3.3"}[way]

    counts = await guesses(getattr(shops["knows"], way), client, forged=True)

    assert counts == [LIMITED]


@pytest.mark.parametrize("way", ["keeping", "direct"])
async def test_where_the_header_is_believed_as_it_comes_each_guess_is_somebody_elses(
    shops: dict[str, Ways], way: str
) -> None:
    client = {"keeping": "127.0.4.1", "direct": "127.0.4.2"}[way]

    counts = await guesses(getattr(shops["believes"], way), client, forged=True)

    assert counts == [NOT_LIMITED]


async def test_the_proxy_sees_that_the_shop_is_alive_and_foreign_names_stay_out(shops: dict[str, Ways]) -> None:
    here = shops["knows"]
    async with httpx.AsyncClient() as client:
        page = await client.get(f"http://localhost:{here.shipped}/livez")
        foreign = await client.get(f"http://{PROXY}:{here.direct}/", headers={"host": "evil.example"})

    assert (page.status_code, foreign.status_code) == (200, 421)

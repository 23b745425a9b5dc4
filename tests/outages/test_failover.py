"""The primary is demoted and its standby promoted while people fill their carts: nothing acknowledged is lost."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from uuid import UUID

import asyncpg
import httpx
import pytest
from sqlalchemy import select

from server.cart.models import CartLine
from server.config import Settings
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.security import cookie_name
from server.platform.processes.postgres import Postgres
from server.run.migrations import upgrade
from tests.cart.stock import make_product, make_shopper
from tests.folders import temporary_folder
from tests.outages.proxy import Proxy
from tests.outages.replicas import Pair
from tests.payments.checkout_documents import ADD
from tests.ports import free_port
from tests.roles import Roles
from tests.session_tokens import session_token

pytestmark = pytest.mark.io_bound

PLENTY = 100_000
SHOPPERS = 3
SOME = 15
"""Additions of each shopper before the primary is demoted, and again after it."""
PATIENCE = 60
NOT_AGAIN = "ALTER SYSTEM SET default_transaction_read_only = on"


@dataclass
class Shopper:
    """Adds a piece after the other; counts what was acknowledged, and how else it was answered."""

    browser: httpx.AsyncClient
    variant_id: UUID
    added: int = 0
    refused: Counter[str] = field(default_factory=Counter)

    async def shop(self) -> None:
        while True:
            body = {"query": ADD, "variables": {"variant": str(self.variant_id)}}
            answer = await self.browser.post("/graphql", json=body)
            if answer.status_code == 200 and "errors" not in answer.json():
                self.added += 1
            else:
                self.refused[f"{answer.status_code}, retry after {answer.headers.get('retry-after')}"] += 1
            await asyncio.sleep(0.02)


@dataclass
class Failover:
    pair: Pair
    proxy: Proxy
    shoppers: list[Shopper]
    after: Sessions
    """On the new primary."""

    async def demote(self) -> None:
        """As a server that another takes over from: it keeps its connections and takes no more writes."""
        connection = await asyncpg.connect(self.pair.primary.url)
        await connection.execute(NOT_AGAIN)
        await connection.execute("SELECT pg_reload_conf()")
        while await connection.fetchval("SHOW transaction_read_only") != "on":
            pass
        written = await connection.fetchval("SELECT pg_current_wal_lsn()::text")
        await connection.close()
        while not await self.pair.tell(f"SELECT pg_last_wal_replay_lsn() >= '{written}'"):
            pass
        await asyncio.to_thread(self.pair.promote)

    async def until_added(self, more: int) -> None:
        targets = [shopper.added + more for shopper in self.shoppers]
        async with asyncio.timeout(PATIENCE):
            while any(shopper.added < many for shopper, many in zip(self.shoppers, targets, strict=True)):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with temporary_folder() as folder, Postgres(folder / "postgres") as primary:
        upgrade(primary.url)
        with Pair(primary, folder / "standby") as pair:
            yield pair


@pytest.fixture(scope="module")
async def failover(pair: Pair, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Failover]:
    """Both servers behind one address, a web process there, and shoppers who add to their carts from now on."""
    port, folder = free_port(), tmp_path_factory.mktemp("failover")
    async with AsyncExitStack() as stack:
        with temporary_folder() as between:
            proxy = Proxy(pair.primary, between)
            await proxy.open()
            stack.push_async_callback(proxy.refuse)
            shoppers = [
                Shopper(browser, variant_id)
                for browser, variant_id in [await let_in(pair, port, stack) for _ in range(SHOPPERS)]
            ]
            settings = {
                "DATABASE_URL": proxy.url,
                "SHOP_DATA": str(folder / "shop"),
                "DEMO": "false",
                "MAX_PIECES_PER_VARIANT": "1000000",
            }
            roles = Roles(port, folder / "log", settings)
            stack.callback(roles.kill)
            await asyncio.to_thread(roles.start)
            engine = create_engine(pair.standby.url)
            stack.push_async_callback(engine.dispose)
            shopping = [asyncio.create_task(shopper.shop()) for shopper in shoppers]
            try:
                yield Failover(pair, proxy, shoppers, sessionmaker(engine))
            finally:
                for each in shopping:
                    each.cancel()


async def let_in(pair: Pair, port: int, stack: AsyncExitStack) -> tuple[httpx.AsyncClient, UUID]:
    engine = create_engine(pair.primary.url)
    sessions = sessionmaker(engine)
    async with sessions() as session:
        goods, shopper = await make_product(session, stock=PLENTY), await make_shopper(session)
    async with begin(sessions) as session:
        token = await session_token(session, shopper.id)
    await engine.dispose()
    own = Settings(_env_file=None, port=port)  # type: ignore[call-arg]
    browser = httpx.AsyncClient(
        base_url=f"http://localhost:{port}",
        cookies={cookie_name(own): token},
        headers={"sec-fetch-site": "same-origin"},
        timeout=PATIENCE,
        trust_env=False,
        verify=False,
    )
    await stack.enter_async_context(browser)
    return browser, goods.variant_id


async def test_a_demoted_primary_costs_a_moment_and_nothing_that_was_acknowledged(failover: Failover) -> None:
    await failover.until_added(SOME)
    before = sum(shopper.added for shopper in failover.shoppers)
    await failover.demote()
    # Connections to the demoted server stay open: nothing but its refusal tells that it is no primary any more.
    failover.proxy.lead_to(failover.pair.standby)
    await failover.until_added(SOME)

    async with failover.after() as session:
        rows = (await session.execute(select(CartLine.variant_id, CartLine.quantity))).all()
    in_carts = {row.variant_id: row.quantity for row in rows}
    refused = sum((shopper.refused for shopper in failover.shoppers), Counter())
    assert before >= SOME * SHOPPERS
    # One more may be there whose acknowledgement is still on its way.
    for shopper in failover.shoppers:
        assert shopper.added <= in_carts[shopper.variant_id] + 1
        assert in_carts[shopper.variant_id] <= shopper.added + 1 + sum(shopper.refused.values())
    assert refused
    assert set(refused) <= {f"503, retry after {seconds}" for seconds in (1, 2, 3)}

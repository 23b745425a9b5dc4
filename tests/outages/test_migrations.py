"""The newest migration, applied under load by the version before it, and used by the present one."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import asyncpg
import httpx
import pytest

from server.platform.processes.postgres import Postgres
from server.run.migrations import head
from tests.outages.load import Caller, Request, failures, under_load
from tests.outages.locks import watched
from tests.outages.units import ROOT, Units, settings_for
from tests.payments.checkout_documents import ADD, CART, COMPLETE, START
from tests.payments.provider import Provider

pytestmark = pytest.mark.io_bound

LONGEST_LOCK = 2.0
BACKUP_SECONDS = 2.5
"""Longer than a migration may wait for a table."""
PRODUCTS = "{ products(first: 24) { nodes { id name price variants { id stock } } } }"
HISTORY = "{ viewer { orders(first: 5) { nodes { number totalAmount lines { name } } } } }"
DEMO_PASSWORD = "Minimal1!"


@pytest.fixture(scope="module")
def old_code(folder: Path) -> Path:
    """The shop as it was before its newest migration came."""
    [added] = ROOT.glob(f"alembic/versions/{head()}_*.py")
    commits = _git("log", "--diff-filter=A", "--format=%H", "--", str(added.relative_to(ROOT))).split()
    if not commits:
        pytest.skip("The history that holds the code of before is not here.")
    there = folder / "old"
    there.mkdir()
    before = f"{commits[-1]}^"
    # The demo was a part of the server once.
    demo = "demo" if _git("ls-tree", before, "demo") else "server/demo"
    parts = ("server", demo, "alembic", "alembic.ini", "schema.graphql", "client/routes.json")
    archive = ["git", "archive", before, *parts, f":!{demo}/pictures/drawn"]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=True)
    subprocess.run(["tar", "x"], cwd=there, input=packed.stdout, check=True)
    without_pictures = there / demo / "pictures/drawn"
    without_pictures.mkdir()
    (without_pictures / "originals.json").write_text("{}")
    return there


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


@pytest.fixture(scope="module")
def provider(folder: Path) -> Iterator[Provider]:
    provider = Provider(folder / "provider")
    provider.data.mkdir()
    provider.start()
    yield provider
    provider.stop()


@pytest.fixture(scope="module")
async def units(folder: Path, postgres: Postgres, provider: Provider, old_code: Path) -> AsyncIterator[Units]:
    """One process of the old code, on a demo shop of the old tables."""
    stand_in = {"OUTSIDE_PORT": provider.port, "OUTSIDE_SMTP_PORT": provider.ports[2]}
    settings = settings_for(provider.shop_port, postgres.url, folder / "data", **stand_in)
    units = Units(provider.shop_port, settings, folder)
    try:
        await units.run("migrate", old_code)
        await units.run("seed", old_code)
        await units.start(1, old_code)
        yield units
    finally:
        await units.close()


async def sign_in(units: Units, name: str) -> httpx.AsyncClient:
    browser = httpx.AsyncClient(
        base_url=units.url, headers={"sec-fetch-site": "same-origin"}, timeout=30, trust_env=False, verify=False
    )
    credentials = {"email": f"{name}@minimal.test", "password": DEMO_PASSWORD}
    (await browser.post("/api/auth/signin", json=credentials)).raise_for_status()
    return browser


def cookie(browser: httpx.AsyncClient) -> str:
    return "; ".join(f"{name}={value}" for name, value in browser.cookies.items())


async def buy(browser: httpx.AsyncClient, provider: Provider, variants: list[str], outcomes: list[object]) -> None:
    """One order after the other, each paid at once."""

    async def ask(document: str, **variables: str) -> dict[str, str]:
        answer = await browser.post("/graphql", json={"query": document, "variables": variables})
        assert answer.status_code == 200, answer.text
        assert "errors" not in answer.json(), answer.text
        [result] = answer.json()["data"].values()
        return dict(result)

    for variant in variants:
        added = await ask(ADD, variant=variant)
        started = await ask(START)
        paid = await asyncio.to_thread(provider.pay, started.get("sessionId", ""))
        done = await ask(COMPLETE, session=started["sessionId"])
        outcomes.append((added["__typename"], started["__typename"], paid, done["__typename"]))


@asynccontextmanager
async def selling(units: Units, provider: Provider) -> AsyncIterator[tuple[list[Caller], list[object]]]:
    """Visitors, shoppers and somebody who buys; the second list says how each purchase went.

    They are fewer than one process lets in at once beside a buyer (six, three of them visitors): on a slow machine one
    who has to wait for a place is asked to come again, and that is no failure of a migration.
    """
    async with AsyncExitStack() as stack:
        shopper, other = await sign_in(units, "shopper"), await sign_in(units, "admin")
        stack.push_async_callback(shopper.aclose)
        stack.push_async_callback(other.aclose)
        products = (await shopper.post("/graphql", json={"query": PRODUCTS})).json()["data"]["products"]["nodes"]
        variants = [each["id"] for product in products for each in product["variants"] if each["stock"] > 2]
        add = {"query": ADD, "variables": {"variant": variants[0]}}
        callers_of_shop = [
            Request(document={"query": PRODUCTS}),
            Request("/api/product/men/shirts"),
            Request(document=add, cookie=cookie(other)),
            Request(document={"query": CART}, cookie=cookie(other)),
            Request(document={"query": HISTORY}, cookie=cookie(shopper)),
        ]
        bought: list[object] = []
        async with under_load(units.port, *callers_of_shop, both_ways=False) as callers:
            buying = asyncio.create_task(buy(shopper, provider, variants[1:], bought))
            yield callers, bought
            buying.cancel()
            [ended] = await asyncio.gather(buying, return_exceptions=True)
            assert ended is None or isinstance(ended, asyncio.CancelledError), ended


async def hold(url: str, statement: str, seconds: float) -> None:
    """A transaction that stays open."""
    connection = await asyncpg.connect(url)
    async with connection.transaction():
        await connection.execute(statement)
        await asyncio.sleep(seconds)
    await connection.close()


async def test_the_newest_migration_stops_nobody(units: Units, postgres: Postgres, provider: Provider) -> None:
    async with selling(units, provider) as (callers, bought), watched(postgres.url) as watch:
        await asyncio.sleep(0.5)
        backup = asyncio.create_task(hold(postgres.url, "SELECT FROM orders, analytics_state LIMIT 1", BACKUP_SECONDS))
        await units.run("migrate")
        await backup
        await units.start(2)
        await asyncio.sleep(1)

    assert failures(callers) == {}
    assert set(bought) == {("Cart", "Checkout", 200, "CheckoutCompleted")}
    assert watch.longest_wait < LONGEST_LOCK
    assert watch.longest_hold < LONGEST_LOCK
    connection = await asyncpg.connect(postgres.url)
    assert await connection.fetchval("SELECT version_num FROM alembic_version") == head()
    await connection.close()


async def test_a_migration_that_locks_a_table_for_three_seconds_is_noticed(
    units: Units, postgres: Postgres, provider: Provider
) -> None:
    async with selling(units, provider) as (callers, _), watched(postgres.url) as watch:
        await hold(postgres.url, "LOCK TABLE cart_lines IN ACCESS EXCLUSIVE MODE", 3)
        await asyncio.sleep(0.5)

    assert max(caller.longest for caller in callers) > LONGEST_LOCK
    assert watch.longest_wait > LONGEST_LOCK
    assert watch.longest_hold > LONGEST_LOCK

"""Hosts of one shop go over to another version and back under load, beside one another: nobody is refused anything."""

import asyncio
import os
import re
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from sqlalchemy import func, select, text

from server.audit.models import AuditEntry
from server.run.migrations import head
from tests.outages.conftest import Deployed
from tests.outages.load import Request, failures, under_load
from tests.outages.units import ROOT, Units
from tests.outages.versions import WIDENED, assets, next_version
from tests.payments.checkout_documents import ADD, CART
from tests.ports import free_port

pytestmark = pytest.mark.io_bound

IS_LONG = "RESTARTS" in os.environ
"""Whether both hosts go over to the other version, and not one alone."""
WEB = 1
PAUSE = 0.2
NAMED = re.compile(r"/assets/[\w.-]+\.(?:js|css)")


@pytest.fixture(scope="module")
def newer(folder: Path) -> Path:
    return next_version(folder)


@dataclass
class Hosts:
    """Two, whose sockets their service managers keep, and a worker."""

    shop: Deployed
    both: list[Units]

    async def switch(self, host: Units, code: Path) -> None:
        """As `systemctl restart` does once the host's link leads to another version."""
        await host.stop(WEB)
        await host.prepare(code)
        await host.start(WEB, code)


@pytest.fixture(scope="module")
async def hosts(deployed: Deployed, folder: Path, newer: Path) -> AsyncIterator[Hosts]:
    first, port = deployed.units, free_port()
    # Not through the proxy of this process, which is too busy to be a network.
    first.settings = {**first.settings, "DATABASE_URL": deployed.postgres.url}
    (folder / "second").mkdir()
    names = {"ALLOWED_HOSTS": f"localhost:{port}"}
    second = Units(port, {**first.settings, **names}, folder / "second")
    async with AsyncExitStack() as stack:
        for host in (first, second):
            stack.push_async_callback(host.close)
            await host.start(WEB)
        await stack.enter_async_context(worker(first))
        yield Hosts(deployed, [first, second])


@asynccontextmanager
async def worker(host: Units) -> AsyncIterator[None]:
    """Of this version, to the end of the block."""
    log_file = host.folder / "worker.log"
    with log_file.open("ab") as log:
        command = (sys.executable, "-m", "server", "worker")
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, env=host.environment(), stdout=log, stderr=log
        )
        try:
            yield
            assert process.returncode is None, log_file.read_text()[-4000:]
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            await process.wait()


class Visitor:
    """Opens the front page of one host, and fetches what it names from the other."""

    def __init__(self, page: Units, files: Units, built: dict[str, bytes]) -> None:
        self._page, self._files, self._built = page, files, built
        self.told: Counter[str] = Counter()

    async def visit(self) -> None:
        """Until cancelled."""
        while True:
            async with httpx.AsyncClient(timeout=60, trust_env=False, verify=False) as browser:
                page = await browser.get(self._page.url, headers={"connection": "close"})
                self.told[f"page {page.status_code}"] += 1
                for name in dict.fromkeys(NAMED.findall(page.text)):
                    file = await browser.get(f"{self._files.url}{name}", headers={"connection": "close"})
                    is_right = file.status_code == 200 and file.content == self._built[name]
                    self.told["file" if is_right else f"{name} {file.status_code}"] += 1
                await asyncio.sleep(PAUSE)


@asynccontextmanager
async def visited(hosts: Hosts, built: dict[str, bytes]) -> AsyncIterator[list[Visitor]]:
    first, second = hosts.both
    visitors = [Visitor(first, second, built), Visitor(second, first, built)]
    tasks = [asyncio.create_task(visitor.visit()) for visitor in visitors]
    try:
        yield visitors
    finally:
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            assert isinstance(result, asyncio.CancelledError), result


async def named_by(host: Units) -> set[str]:
    async with httpx.AsyncClient(trust_env=False, verify=False) as browser:
        return set(NAMED.findall((await browser.get(host.url)).text))


async def wrong_files(host: Units, built: dict[str, bytes]) -> list[str]:
    """Of every tenth, those that this host does not have, or has otherwise."""
    async with httpx.AsyncClient(base_url=host.url, trust_env=False, verify=False) as browser:
        answers = {name: await browser.get(name) for name in sorted(built)[::10]}
    return [name for name, each in answers.items() if each.status_code != 200 or each.content != built[name]]


async def noted_by_the_worker(shop: Deployed, email: str) -> None:
    """A wrong password for an admin's account, which a job writes into the log."""
    failed = select(func.count()).select_from(AuditEntry).where(AuditEntry.action == "sign-in failed")
    async with shop.sessions() as session:
        before = await session.scalar(failed) or 0
    async with shop.browser() as browser:
        said = await browser.post("/api/auth/signin", json={"email": email, "password": "Wrong-password-1"})
    assert said.status_code == 401
    async with asyncio.timeout(60):
        while True:
            async with shop.sessions() as session:
                if (await session.scalar(failed) or 0) > before:
                    return
            await asyncio.sleep(0.1)


async def test_another_version_runs_beside_the_old_one_without_failed_requests(hosts: Hosts, newer: Path) -> None:
    shop, (first, second) = hosts.shop, hosts.both
    others = [second] if IS_LONG else []
    old, new = assets(ROOT), assets(newer)
    assert not old.keys() & new.keys()
    user, token = await shop.let_in(role="admin")
    cookie = shop.cookie(token)
    write = Request(document={"query": ADD, "variables": {"variant": str(shop.goods.variant_id)}}, cookie=cookie)
    reads = [Request("/api/product/men/shirts"), Request(document={"query": CART}, cookie=cookie)]

    async with (
        under_load(first.port, write, *reads, pause=PAUSE, both_ways=False) as callers,
        under_load(second.port, *reads, write, pause=PAUSE, both_ways=False) as more,
        visited(hosts, {**old, **new}) as visitors,
    ):
        await first.run("migrate", newer)
        await hosts.switch(first, newer)

        assert await named_by(first) <= new.keys()
        assert await named_by(second) <= old.keys()
        for host in hosts.both:
            assert await wrong_files(host, {**old, **new}) == []
        await noted_by_the_worker(shop, user.email)
        for host in others:
            await hosts.switch(host, newer)
            assert await named_by(host) <= new.keys()
            assert await wrong_files(host, old) == []
        for host in [first, *others]:
            await hosts.switch(host, ROOT)
            assert await named_by(host) <= old.keys()
            assert await wrong_files(host, new) == []

    assert failures([*callers, *more]) == {}
    assert all(caller.succeeded > 10 for caller in (*callers, *more))
    for visitor in visitors:
        assert set(visitor.told) == {"page 200", "file"}
        assert visitor.told["page 200"] > 5
    async with shop.sessions() as session:
        version = await session.scalar(text("SELECT version_num FROM alembic_version"))
        failed_jobs = await session.scalar(text("SELECT count(*) FROM failed_jobs"))
    assert (version, failed_jobs) == (f"{int(head()) + len(WIDENED):04}", 0)

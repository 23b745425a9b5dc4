"""kill -9 of the server during an import: it is applied completely or not at all, and in the end exactly once."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.models import Product, StockMovement, Variant
from server.core.db import Sessions
from server.identity import service as identity
from server.identity.models import User
from server.inventory import queries
from tests.inventory.files import checksums, file_of
from tests.inventory.shelf import make_shelf
from tests.payments.conftest import until
from tests.ports import free_ports

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
IMPORT = "query ($id: ID!) { admin { import(id: $id) { state } } }"
START = "mutation ($id: ID!) { startImport(id: $id) { __typename } }"


class Server:
    """The shop's server as a process of its own, which dies once at a crash point."""

    def __init__(self, database_url: str, folder: Path, crash_at: str) -> None:
        self.port, outside, smtp = free_ports(3)
        self.crash_at = crash_at
        self._folder = folder
        (folder / "crash").mkdir()
        (folder / "crash" / crash_at).touch()
        self._environment = {
            "DATABASE_URL": database_url,
            "SHOP_DATA": str(folder),
            "PORT": str(self.port),
            "OUTSIDE_PORT": str(outside),
            "OUTSIDE_SMTP_PORT": str(smtp),
            "CRASH_POINTS": str(folder / "crash"),
            "DEMO": "false",
        }
        self.start()

    def start(self) -> None:
        """Returns when it answers."""
        with (self._folder / "log").open("ab") as log:
            command, environment = [sys.executable, "-m", "server", "serve"], {**os.environ, **self._environment}
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None, (self._folder / "log").read_text()[-3000:]
            assert time.monotonic() < deadline, "The server does not start."
            time.sleep(0.05)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)

    def _answers(self) -> bool:
        try:
            return (
                httpx.get(f"http://127.0.0.1:{self.port}/readyz", timeout=1, trust_env=False, verify=False).status_code
                == 200
            )
        except httpx.HTTPError:
            return False


@pytest.fixture
def server(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Server]:
    server = Server(database_url, tmp_path, request.param)
    yield server
    server.stop()


@pytest.mark.parametrize("server", ["import.half-written", "import.before-commit", "import.committed"], indirect=True)
async def test_a_killed_import_is_done_whole_and_once(
    server: Server, sessions: Sessions, session: AsyncSession
) -> None:
    for number in range(20):
        await make_shelf(session, name=f"Shirt {number}", stock=5)
    skus = (await session.scalars(select(Variant.sku))).all()
    content = file_of([{"sku": sku, "price": "77.00", "stock": "9"} for sku in skus])
    browser = await owner(session, server)
    before = await checksums(sessions)
    import_id = (await browser.post("/uploads/products?name=autumn.csv", content=content)).json()["id"]
    await until(lambda: is_in_state(browser, import_id, "READY"), 60)

    await ask(browser, START, import_id)
    server.process.wait(60)
    at_the_crash = await checksums(sessions)
    server.start()
    await session.execute(text("UPDATE jobs SET leased_until = NULL"))
    await session.commit()
    await until(lambda: is_in_state(browser, import_id, "DONE"), 60)

    assert server.process.poll() is None
    assert (at_the_crash == before) is (server.crash_at != "import.committed")
    assert await ledger(session) == {"opening": (20, 100), "import": (20, 80)}
    assert set(await session.scalars(select(Variant.stock))) == {9}
    assert set(await session.scalars(select(Product.price_cents))) == {7_700}
    assert await session.scalar(select(func.count()).where(AuditEntry.action == "imported")) == 1
    assert await queries.differences(session) == {}
    await browser.aclose()


async def owner(session: AsyncSession, server: Server) -> httpx.AsyncClient:
    """The primary admin's browser."""
    user = User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True)
    session.add(user)
    await session.flush()
    token = await identity.start_session(session, user.id, ip="", user_agent="", instead_of=None)
    await session.commit()
    return httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}",
        cookies={f"accessToken-{server.port}": token},
        headers={"sec-fetch-site": "same-origin"},
        timeout=30,
        trust_env=False,
    )


async def ask(browser: httpx.AsyncClient, query: str, import_id: str) -> Any:
    """The data of the answer; None from a server that died meanwhile."""
    try:
        answer = await browser.post("/graphql", json={"query": query, "variables": {"id": import_id}})
    except httpx.TransportError:
        return None
    return answer.json()["data"]


async def is_in_state(browser: httpx.AsyncClient, import_id: str, state: str) -> bool:
    data = await ask(browser, IMPORT, import_id)
    return bool(data) and data["admin"]["import"]["state"] == state


async def ledger(session: AsyncSession) -> dict[str, tuple[int, int]]:
    """By reason: rows, and pieces in all."""
    sums = select(StockMovement.reason, func.count(), func.sum(StockMovement.quantity)).group_by(StockMovement.reason)
    return {reason: (rows, pieces) for reason, rows, pieces in await session.execute(sums)}

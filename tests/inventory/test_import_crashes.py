"""kill -9 of the server during an import: it is applied completely or not at all, and in the end exactly once."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.audit.models import AuditEntry
from server.catalog.models import Product, StockMovement, Variant
from server.identity.models import User
from server.inventory import queries
from server.platform.core.db import Sessions
from tests.crash_points import IMPORTING
from tests.inventory.files import checksums, file_of
from tests.inventory.shelf import make_shelf
from tests.payments.conftest import until
from tests.ports import free_ports
from tests.roles import ROLES, Roles
from tests.session_tokens import session_token

pytestmark = [pytest.mark.slow, pytest.mark.io_bound]

IMPORT = "query ($id: ID!) { admin { import(id: $id) { state } } }"
START = "mutation ($id: ID!) { startImport(id: $id) { __typename } }"


@pytest.fixture
def server(database_url: str, tmp_path: Path, point: str) -> Iterator[Roles]:
    """Its worker dies once, at the crash point."""
    port, outside, smtp = free_ports(3)
    (tmp_path / "crash").mkdir()
    (tmp_path / "crash" / point).touch()
    own = {
        "DATABASE_URL": database_url,
        "SHOP_DATA": str(tmp_path),
        "OUTSIDE_PORT": str(outside),
        "OUTSIDE_SMTP_PORT": str(smtp),
        "CRASH_POINTS": str(tmp_path / "crash"),
        "DEMO": "false",
    }
    server = Roles(port, tmp_path / "log", own)
    server.start()
    yield server
    server.stop()


@pytest.mark.parametrize("point", IMPORTING)
async def test_a_killed_import_is_done_whole_and_once(
    server: Roles, sessions: Sessions, session: AsyncSession, point: str
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
    server.processes["worker"].wait(60)
    at_the_crash = await checksums(sessions)
    restarts = server.restart_killed()
    await session.execute(text("UPDATE jobs SET leased_until = NULL"))
    await session.commit()
    await until(lambda: is_in_state(browser, import_id, "DONE"), 60)

    assert restarts == 1
    assert [server.is_running(role) for role in ROLES] == [True, True]
    assert (at_the_crash == before) is (point != "import.committed")
    assert await ledger(session) == {"opening": (20, 100), "import": (20, 80)}
    assert set(await session.scalars(select(Variant.stock))) == {9}
    assert set(await session.scalars(select(Product.price_cents))) == {7_700}
    assert await session.scalar(select(func.count()).where(AuditEntry.action == "imported")) == 1
    assert await queries.differences(session) == {}
    await browser.aclose()


async def owner(session: AsyncSession, server: Roles) -> httpx.AsyncClient:
    """The primary admin's browser."""
    user = User(email="owner@shop.test", name="Edsger Dijkstra", role="admin", is_primary=True)
    session.add(user)
    await session.flush()
    token = await session_token(session, user.id)
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

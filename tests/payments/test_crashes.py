"""kill -9 of the server at critical points: there is one order, one Message-ID, and the right stock."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.config import Settings
from server.core.security import cookie_name
from server.identity import service as identity
from server.orders.models import Checkout, Order
from tests.cart.stock import make_product, make_shopper, stock_of
from tests.payments.conftest import until
from tests.payments.provider import Provider
from tests.payments.test_checkout_http import START

pytestmark = pytest.mark.patient

ROOT = Path(__file__).resolve().parents[2]
KILLED = -9


@dataclass
class Server:
    """The shop's server as a process of its own, which dies once at a crash point."""

    settings: Settings
    database_url: str
    crash_at: str
    process: subprocess.Popen[bytes] | None = None

    @property
    def armed(self) -> Path:
        """There until the point has been reached."""
        return self.settings.shop_data / "crash" / self.crash_at

    def arm(self) -> None:
        self.armed.parent.mkdir()
        self.armed.touch()

    def start(self) -> None:
        """Returns when it answers."""
        own = {
            "DATABASE_URL": self.database_url,
            "SHOP_DATA": str(self.settings.shop_data),
            "PORT": str(self.settings.port),
            "OUTSIDE_PORT": str(self.settings.outside_port),
            "OUTSIDE_SMTP_PORT": str(self.settings.outside_smtp_port),
            "CRASH_POINTS": str(self.armed.parent),
            "DEMO": "false",
        }
        with (self.settings.shop_data / "log").open("ab") as log:
            command = [sys.executable, "-m", "server", "serve"]
            self.process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **own}, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while not self._answers():
            assert self.process.poll() is None, (self.settings.shop_data / "log").read_text()[-3000:]
            assert time.monotonic() < deadline, "The server does not start."
            time.sleep(0.05)

    def restart_when_dead(self) -> bool:
        """Whether it had died at its crash point; if so it runs again."""
        assert self.process is not None
        if self.process.poll() is None:
            return False
        assert self.process.returncode == KILLED
        self.start()
        return True

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)

    def _answers(self) -> bool:
        try:
            url = f"http://127.0.0.1:{self.settings.port}/readyz"
            return httpx.get(url, timeout=1, trust_env=False, verify=False).status_code == 200
        except httpx.HTTPError:
            return False


@pytest.fixture
def server(
    settings: Settings, database_url: str, provider: Provider, request: pytest.FixtureRequest
) -> Iterator[Server]:
    provider.tell("/_control/webhooks")
    server = Server(settings, database_url, request.param)
    server.arm()
    server.start()
    yield server
    server.stop()
    provider.quiet()


@pytest.mark.parametrize(
    "server",
    [
        "reservation.before-commit",
        "reservation.committed",
        "session.made",
        "paid.before-commit",
        "paid.committed",
    ],
    indirect=True,
)
async def test_a_crash_loses_and_repeats_nothing(server: Server, provider: Provider, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)
    token = await identity.start_session(session, shopper.id, ip="", user_agent="", instead_of=None)
    await session.commit()
    restarts = 0
    browser = httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.settings.port}",
        cookies={cookie_name(server.settings): token},
        headers={"sec-fetch-site": "same-origin"},
        timeout=30,
        verify=False,
    )

    async def started() -> dict[str, Any] | None:
        """The shopper presses the button until there is a card form."""
        nonlocal restarts
        try:
            answer = await browser.post("/graphql", json={"query": START})
        except httpx.TransportError:
            assert server.process is not None
            server.process.wait(5)
            restarts += server.restart_when_dead()
            return None
        checkout: dict[str, Any] = answer.json()["data"]["startCheckout"]
        return checkout

    checkout = await until(started, 60)
    assert checkout["__typename"] == "Checkout"
    assert provider.pay(checkout["sessionId"]) == 200

    async def told() -> bool:
        """The webhook, sent until it is taken, brings order and mail; the return page is never opened."""
        nonlocal restarts
        restarts += server.restart_when_dead()
        return bool(provider.ask("/_control/mail", to=shopper.email))

    await until(told, 60)
    await browser.aclose()

    mails = provider.ask("/_control/mail", to=shopper.email)
    [order] = (await session.scalars(select(Order))).all()
    [held] = (await session.scalars(select(Checkout))).all()
    [asked] = [made for made in provider.ledger("sessions") if made["client_reference_id"] == str(held.id)]
    assert (restarts, server.armed.exists()) == (1, False)
    assert (order.payment_status, order.total_cents, order.checkout_id) == ("paid", 9800, held.id)
    assert (
        (asked["id"], asked["status"]) == (order.stripe_session_id, "complete") == (checkout["sessionId"], "complete")
    )
    assert held.status == "completed"
    assert {mail["subject"] for mail in mails} == {f"Your order {order.quoted}"}
    assert len({mail["message_id"] for mail in mails}) == 1
    assert await stock_of(session, goods.variant_id) == 3

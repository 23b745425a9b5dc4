"""kill -9 of the server at critical points: there is one order, one Message-ID, and the right stock."""

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
from server.orders.models import Checkout, Order
from server.platform.core.security import cookie_name
from tests.cart.stock import make_product, make_shopper, stock_of
from tests.crash_points import CHECKOUT
from tests.payments.checkout_documents import START
from tests.payments.conftest import until
from tests.payments.provider import Provider
from tests.roles import Roles
from tests.session_tokens import session_token

pytestmark = [pytest.mark.slow, pytest.mark.io_bound]


@dataclass
class Server(Roles):
    """The shop's web process and worker; one of them dies once at each crash point that is armed."""

    points: Path = Path()

    def arm(self, point: str) -> None:
        (self.points / point).touch()

    def is_armed(self, point: str) -> bool:
        """Until the point has been reached."""
        return (self.points / point).exists()


@pytest.fixture
def server(settings: Settings, database_url: str, provider: Provider) -> Iterator[Server]:
    provider.tell("/_control/webhooks")
    points = settings.shop_data / "crash"
    points.mkdir()
    own = {
        "DATABASE_URL": database_url,
        "SHOP_DATA": str(settings.shop_data),
        "OUTSIDE_PORT": str(settings.outside_port),
        "OUTSIDE_SMTP_PORT": str(settings.outside_smtp_port),
        "CRASH_POINTS": str(points),
        "DEMO": "false",
    }
    server = Server(settings.port, settings.shop_data / "log", own, points=points)
    server.start()
    yield server
    server.stop()
    provider.quiet()


async def test_a_crash_loses_and_repeats_nothing(
    server: Server, settings: Settings, provider: Provider, session: AsyncSession, subtests: pytest.Subtests
) -> None:
    for point in CHECKOUT:
        with subtests.test(point):
            server.start()
            server.arm(point)
            await buy(server, point, settings, provider, session)


async def buy(server: Server, point: str, settings: Settings, provider: Provider, session: AsyncSession) -> None:
    """A purchase by somebody new, in the middle of which a process is killed."""
    shopper, goods = await make_shopper(session), await make_product(session, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)
    token = await session_token(session, shopper.id)
    await session.commit()
    restarts = 0
    browser = httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{server.port}",
        cookies={cookie_name(settings): token},
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
            server.processes["web"].wait(5)
            restarts += server.restart_killed()
            return None
        checkout: dict[str, Any] = answer.json()["data"]["startCheckout"]
        return checkout

    checkout = await until(started, 60)
    assert checkout["__typename"] == "Checkout"
    assert provider.pay(checkout["sessionId"]) == 200

    async def told() -> bool:
        """The webhook, sent until it is taken, brings order and mail; the return page is never opened."""
        nonlocal restarts
        restarts += server.restart_killed()
        return bool(provider.ask("/_control/mail", to=shopper.email))

    await until(told, 60)
    await browser.aclose()

    mails = provider.ask("/_control/mail", to=shopper.email)
    [order] = (await session.scalars(select(Order).where(Order.user_id == shopper.id))).all()
    [held] = (await session.scalars(select(Checkout).where(Checkout.user_id == shopper.id))).all()
    [provider_session] = [one for one in provider.ledger("sessions") if one["client_reference_id"] == str(held.id)]
    assert (restarts, server.is_armed(point)) == (1, False)
    assert (order.payment_status, order.total_cents, order.checkout_id) == ("paid", 9800, held.id)
    assert (
        (provider_session["id"], provider_session["status"])
        == (order.stripe_session_id, "complete")
        == (checkout["sessionId"], "complete")
    )
    assert held.status == "completed"
    assert {mail["subject"] for mail in mails} == {f"Your order {order.quoted}"}
    assert len({mail["message_id"] for mail in mails}) == 1
    assert await stock_of(session, goods.variant_id) == 3
    await session.rollback()

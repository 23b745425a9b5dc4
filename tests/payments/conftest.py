"""A shop without its web server, with the payment stand-in as a process of its own."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.app import create_app
from server.background import BackgroundWork
from server.cart import service as cart
from server.config import Settings
from server.mail.models import Mail
from server.orders.checkouts import Buyer
from server.orders.models import Checkout
from server.payments import service as payments
from server.payments.gateway import StripeGateway
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker
from server.platform.core.resources import Resources
from server.platform.core.security import cookie_name
from server.pricing.shipping_rates import ShippingRatesCache
from server.shop.service import SettingsCache
from tests.cart.stock import Goods, Shopper, make_product, make_shopper
from tests.due_jobs import run_all_due
from tests.payments.provider import Provider
from tests.session_tokens import session_token
from tests.statements import statements_by_request

T = TypeVar("T")


@pytest.fixture(scope="session")
def running_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    provider = Provider(tmp_path_factory.mktemp("provider"))
    provider.start()
    yield provider
    provider.stop()


@pytest.fixture
def provider(running_provider: Provider) -> Provider:
    """The stand-in, sending nothing by itself."""
    running_provider.quiet()
    return running_provider


@pytest.fixture
def settings(provider: Provider, database_url: str, tmp_path: Path) -> Settings:
    return Settings(  # type: ignore[call-arg]
        _env_file=None,
        port=provider.shop_port,
        outside_port=provider.port,
        outside_smtp_port=provider.ports[2],
        database_url=database_url,
        shop_data=tmp_path,
    )


@pytest.fixture
def env(settings: Settings, sessions: Sessions) -> JobEnvironment:
    gateway = StripeGateway(
        settings.stripe.secret_key,
        settings.stripe.webhook_secrets,
        return_url=f"{settings.public_url}/payment/return?session_id={{CHECKOUT_SESSION_ID}}",
        api_base=settings.stripe.api,
    )
    return JobEnvironment(sessions, Resources(settings, gateway, SettingsCache(settings), ShippingRatesCache()))


@dataclass
class Till:
    """A shopper with a filled cart at this shop's till."""

    env: JobEnvironment
    shopper: Shopper
    goods: Goods

    @property
    def buyer(self) -> Buyer:
        return Buyer(self.shopper.id, self.shopper.email)

    async def start(self) -> Checkout:
        return await payments.start_checkout(self.env, self.buyer)

    async def put(self, quantity: int) -> None:
        """Sets how many pieces the cart has."""
        async with begin(self.env.sessions) as session:
            await cart.set_quantity(session, self.shopper.id, self.goods.variant_id, quantity)

    async def in_cart(self) -> list[int]:
        """The quantities of the lines."""
        async with self.env.sessions() as session:
            return [line.quantity for line in (await cart.get(session, self.shopper.id)).lines]

    async def mails(self) -> list[str]:
        """Subjects of what was written to the shopper, oldest first."""
        async with self.env.sessions() as session:
            query = select(Mail.subject).where(Mail.recipient == self.shopper.email).order_by(Mail.id)
            return list(await session.scalars(query))

    async def work(self) -> None:
        """Does the payments' jobs until none is due."""
        worker = Worker(self.env, payments.HANDLERS)
        await run_all_due(worker)


@pytest.fixture
async def till(env: JobEnvironment, session: AsyncSession) -> Till:
    """Five pieces of one variant at $49.00, two of them in the shopper's cart."""
    shopper, goods = await make_shopper(session), await make_product(session, price=4900, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)
    await session.commit()
    return Till(env, shopper, goods)


def secret_of(checkout: Checkout) -> tuple[str | None, str | None]:
    """What tells two sessions apart."""
    return checkout.stripe_session_id, checkout.client_secret


@dataclass
class Customer:
    """A signed-in shopper with a browser of their own."""

    shopper: Shopper
    browser: httpx.AsyncClient

    async def ask(self, document: str, **variables: object) -> Any:
        """The data of a GraphQL answer; fails when there are errors."""
        answer = await self.browser.post("/graphql", json={"query": document, "variables": variables})
        body = answer.json()
        assert "errors" not in body, body
        return body["data"]

    async def ask_counted(self, document: str, **variables: object) -> tuple[Any, list[str]]:
        """The data, and the statements of this request alone."""
        with statements_by_request() as statements:
            answer = await self.browser.post("/graphql", json={"query": document, "variables": variables})
        return answer.json()["data"], statements[answer.headers["x-request-id"]]


@dataclass
class OpenShop:
    """The shop behind a real socket, and its worker, in this process."""

    url: str
    settings: Settings
    sessions: Sessions

    async def let_in(self, shopper: Shopper) -> Customer:
        """Signs a shopper in without typing a password."""
        async with begin(self.sessions) as session:
            token = await session_token(session, shopper.id)
        browser = httpx.AsyncClient(
            base_url=self.url,
            cookies={cookie_name(self.settings): token},
            headers={"sec-fetch-site": "same-origin", "content-type": "application/json"},
            timeout=300,
            verify=False,
        )
        return Customer(shopper, browser)


@pytest.fixture
async def open_shop(settings: Settings, sessions: Sessions, provider: Provider) -> AsyncIterator[OpenShop]:
    """Webhooks come by themselves, as they do in life."""
    provider.tell("/_control/webhooks")
    # Five hundred people in this one process may be slow to ask again: nobody is hung up on meanwhile.
    config = uvicorn.Config(
        create_app(settings), host="127.0.0.1", port=settings.port, log_level="warning", timeout_keep_alive=600
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())

    async def is_started() -> bool:
        return server.started

    await until(is_started)
    async with BackgroundWork(settings).running():
        yield OpenShop(f"http://localhost:{settings.port}", settings, sessions)
    server.should_exit = True
    await serving
    provider.quiet()


async def until(happened: Callable[[], Awaitable[T | None]], seconds: float = 60) -> T:
    """The first true answer. Fails when there is none in time."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not (answer := await happened()):
        assert asyncio.get_running_loop().time() < deadline, "It did not happen in time."
        await asyncio.sleep(0.02)
    return answer

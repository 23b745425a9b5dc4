"""A shop that runs by its unit files, on a PostgreSQL of its own that a test may take away."""

import asyncio
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from server.config import Settings
from server.identity.models import User
from server.platform.core.db import Sessions, begin, create_engine, sessionmaker
from server.platform.core.security import cookie_name
from server.platform.processes.postgres import Postgres
from server.run.migrations import upgrade
from tests.cart.stock import Goods, make_product, make_shopper
from tests.folders import temporary_folder
from tests.outages.proxy import Proxy
from tests.outages.units import Units, settings_for
from tests.ports import free_port
from tests.session_tokens import session_token

PLENTY = 1_000_000
PATIENCE = 30.0
CACHE_DEPENDENCIES = 12_000
"""Characters of the processes' log beside a failure."""


@dataclass
class Deployed:
    """The shop's processes, the way they reach PostgreSQL, and the tests' own way."""

    units: Units
    postgres: Postgres
    proxy: Proxy
    sessions: Sessions
    goods: Goods

    def cookie(self, token: str) -> str:
        """The header of whoever has this session."""
        settings = Settings(_env_file=None, public_url=self.units.url)  # type: ignore[call-arg]
        return f"{cookie_name(settings)}={token}"

    def browser(self, token: str | None = None) -> httpx.AsyncClient:
        """A visitor's, or that of whoever has this session."""
        return httpx.AsyncClient(
            base_url=self.units.url,
            headers={
                "sec-fetch-site": "same-origin",
                "origin": self.units.url,
                **({"cookie": self.cookie(token)} if token else {}),
            },
            timeout=PATIENCE,
            trust_env=False,
            verify=False,
        )

    async def let_in(self, **facts: object) -> tuple[User, str]:
        """A new account and the token of its session."""
        async with begin(self.sessions) as session:
            shopper = await make_shopper(session)
        async with begin(self.sessions) as session:
            user = await session.get_one(User, shopper.id)
            for name, value in facts.items():
                setattr(user, name, value)
            token = await session_token(session, user.id)
        return user, token


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Shows beside a failure what the shop's processes said: a test sees only their answers."""
    report = yield
    arguments = getattr(item, "funcargs", {})
    units = arguments.get("units") or getattr(arguments.get("deployed"), "units", None)
    if report.failed and units is not None and units.log.exists():
        report.sections.append(("what the shop's processes said last", units.log.read_text()[-CACHE_DEPENDENCIES:]))
    return report


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def postgres(folder: Path) -> Iterator[Postgres]:
    """With fsync: what it has acknowledged it keeps, whatever happens to it."""
    with Postgres(folder / "postgres") as postgres:
        yield postgres


@pytest.fixture(scope="module")
async def deployed(folder: Path, postgres: Postgres) -> AsyncIterator[Deployed]:
    """Its processes are for the test to start."""
    await asyncio.to_thread(upgrade, postgres.url)
    async with AsyncExitStack() as stack:
        between = folder / "between"
        between.mkdir(mode=0o755)
        proxy = Proxy(postgres, between)
        await proxy.open()
        stack.push_async_callback(proxy.refuse)
        engine = create_engine(postgres.url)
        stack.push_async_callback(engine.dispose)
        sessions = sessionmaker(engine)
        async with sessions() as session:
            goods = await make_product(session, stock=PLENTY, pictures=True)
        port = free_port()
        units = Units(port, settings_for(port, proxy.url, folder / "data"), folder)
        stack.push_async_callback(units.close)
        yield Deployed(units, postgres, proxy, sessions, goods)

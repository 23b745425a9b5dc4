"""The target of attacks: a database, and two server processes of one shop."""

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine

from server.limits import Limits
from server.platform.core.db import Sessions, create_engine, sessionmaker
from tests.conftest import copied_database, url_of
from tests.folders import temporary_folder
from tests.ports import free_ports
from tests.siege.servers import WORKER, Server, serving

FEW_SIGN_UPS = Limits(sign_ups_per_hour=20).model_dump_json()


@pytest.fixture(scope="module")
async def database(
    cluster: URL, maintenance: AsyncEngine, template: str, name_database: Callable[[], str]
) -> AsyncIterator[str]:
    """URL of a database that the attacks of one file share."""
    name = name_database()
    async with copied_database(maintenance, name, template):
        yield url_of(cluster, name)


@pytest.fixture(scope="module")
async def books(database: str) -> AsyncIterator[Sessions]:
    """Sessions on that database, to prepare attacks and to see what came of them."""
    engine = create_engine(database)
    yield sessionmaker(engine)
    await engine.dispose()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def servers(database: str, folder: Path) -> Iterator[list[Server]]:
    """Two web processes of one shop, and its worker. It allows so few new accounts because each costs a hash."""
    here, there = free_ports(2)
    with (
        serving(database, folder, here, beside=WORKER, LIMITS=FEW_SIGN_UPS) as one,
        serving(database, folder, there, shop_port=here, LIMITS=FEW_SIGN_UPS) as other,
    ):
        yield [one, other]

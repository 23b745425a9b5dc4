"""The whole app with an account of every role, and an environment for jobs without a web server."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.config import Settings
from server.platform.core.db import Sessions
from server.platform.core.jobs import JobEnvironment
from server.platform.core.resources import Resources
from tests.catalog.storefront import Storefront, open_storefront


@pytest.fixture
async def storefront(database_url: str, sessions: Sessions, tmp_path: Path) -> AsyncIterator[Storefront]:
    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        yield storefront


@pytest.fixture
def env(sessions: Sessions, database_url: str, tmp_path: Path) -> JobEnvironment:
    settings = Settings(_env_file=None, port=23_010, database_url=database_url, shop_data=tmp_path)  # type: ignore[call-arg]
    return JobEnvironment(sessions, Resources(settings))

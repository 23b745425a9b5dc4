from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.platform.core.db import Sessions
from tests.catalog.storefront import Storefront, open_storefront


@pytest.fixture
async def storefront(database_url: str, sessions: Sessions, tmp_path: Path) -> AsyncIterator[Storefront]:
    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        yield storefront

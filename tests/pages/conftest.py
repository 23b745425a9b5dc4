from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.core.db import Sessions
from tests.catalog.storefront import Storefront, open_storefront


@pytest.fixture
async def storefront(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Storefront]:
    """The app with the built client, on an empty catalogue. It draws its pages however busy the machine is."""
    monkeypatch.setattr("server.pages.renderer.LONGEST_SECONDS", 20.0)
    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        yield storefront

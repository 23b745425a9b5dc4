from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.platform.core.db import Sessions
from server.platform.pages.renderer import Renderer
from tests.catalog.storefront import Storefront, open_storefront
from tests.spare_renderers import CLOSE, OPEN


@pytest.fixture(autouse=True)
def own_renderers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here they are what is tested: each shop starts its own, and ends it."""
    monkeypatch.setattr(Renderer, "open", OPEN)
    monkeypatch.setattr(Renderer, "close", CLOSE)


@pytest.fixture
async def storefront(
    database_url: str, sessions: Sessions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Storefront]:
    """The app with the built client, on an empty catalogue. It draws its pages however busy the machine is."""
    monkeypatch.setattr("server.platform.pages.renderer.LONGEST_SECONDS", 20.0)
    async with open_storefront(database_url, sessions, tmp_path) as storefront:
        yield storefront

"""`just start` on a whole shop."""

import os
import signal
from pathlib import Path

import httpx
from playwright.async_api import Page, expect

from server.platform.processes.process import wait_until
from tests.e2e.whole_shop import WholeShop


async def test_the_first_page_has_the_shops_name_on_desktop(page: Page) -> None:
    await page.goto("/")

    await expect(page).to_have_title("Minimal")


async def test_the_first_page_fits_a_phone(phone: Page) -> None:
    await phone.goto("/")

    assert await phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_kill_9_of_any_process_loses_nothing(shop: WholeShop) -> None:
    before = _shirts(shop)

    os.kill(shop.pid_of("web"), signal.SIGKILL)
    assert wait_until(shop.answers, 60, every=0.1)
    os.kill(shop.pid_of("stand-ins"), signal.SIGKILL)
    assert wait_until(lambda: _outside_answers(shop), 60, every=0.1)
    os.kill(_postgres(shop.data), signal.SIGKILL)
    assert wait_until(lambda: _shirts(shop) == before, 60, every=0.1)
    shop.kill()
    shop.start()

    assert len(before) > 1
    assert _shirts(shop) == before
    assert "died" in shop.log.read_text()


def _shirts(shop: WholeShop) -> list[str]:
    """Names of the shirts that the search finds; none while it cannot answer."""
    try:
        answer = httpx.get(f"{shop.url}/api/product/search?q=shirt", timeout=10, trust_env=False)
    except httpx.TransportError:
        return []
    return [product["name"] for product in answer.json()] if answer.status_code == 200 else []


def _outside_answers(shop: WholeShop) -> bool:
    try:
        return httpx.get(f"{shop.outside_url}/_health", timeout=5, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def _postgres(data: Path) -> int:
    return int((data / "postgres/data/postmaster.pid").read_text().split()[0])

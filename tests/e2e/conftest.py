"""Browser tests: a whole shop, opened once with the demo catalogue, and pages in a real Chromium."""

import asyncio
import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, ConsoleMessage, Error, Page, ViewportSize, async_playwright

from tests.e2e.browsing import new_context
from tests.e2e.chromium import ARGUMENTS, FOR_A_MOMENT, find
from tests.e2e.purchases import Piece
from tests.e2e.screens import World, make_world
from tests.e2e.whole_shop import ROOT, WholeShop, open_shop
from tests.folders import temporary_folder

DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
PICTURES = ROOT / "test-results"
DEMO = "BROWSER_TESTS_DEMO"
"""Names the folder that all processes of one test run share."""
_report = pytest.StashKey[pytest.TestReport]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "console_error(pattern): this test provokes such an error in the console")
    if DEMO not in os.environ:
        ended = ExitStack()
        os.environ[DEMO] = str(ended.enter_context(temporary_folder()))
        ended.callback(os.environ.pop, DEMO)
        config.add_cleanup(ended.close)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What only looks comes last: it is short, so that processes which take what is left end together."""
    items.sort(key=lambda item: isinstance(item, pytest.Function) and "world" in item.fixturenames)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_report] = report
    return report


@pytest.fixture(scope="session")
def demo() -> Path:
    """A closed shop with the demo catalogue. To fill it takes long, so that one process does it for all."""
    folder = Path(os.environ[DEMO])
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "shop").exists():
            with open_shop(folder / "unfinished"):
                pass
            (folder / "unfinished").rename(folder / "shop")
    return folder / "shop"


@contextmanager
def copy_of(demo: Path, **settings: str) -> Iterator[WholeShop]:
    """Its pictures stay with the demo's: a size that one shop has made is there for all."""
    with temporary_folder() as folder:
        data = folder / "shop"
        subprocess.run(["cp", "-a", demo, data], check=True)
        shutil.rmtree(data / "images")
        (data / "images").symlink_to(demo / "images")
        with open_shop(data, **settings) as shop:
            yield shop


@pytest.fixture(scope="session")
def shop(demo: Path) -> Iterator[WholeShop]:
    """A shop with the demo catalogue that all browser tests share. Make accounts of your own in it."""
    with copy_of(demo) as shop:
        yield shop


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    chromium = await asyncio.to_thread(find)
    assert chromium is not None, "There is no Chromium. `just e2e` gets one."
    async with async_playwright() as playwright:
        env: dict[str, str | float | bool] = {**os.environ, **chromium.env}
        browser = await playwright.chromium.launch(
            executable_path=chromium.path, args=[*ARGUMENTS, *FOR_A_MOMENT], env=env
        )
        yield browser
        await browser.close()


@pytest.fixture(scope="session")
async def world(demo: Path, browser: Browser) -> AsyncIterator[World]:
    """A shop of its own with something to show on every screen. Nothing but looking is done in it."""
    with copy_of(demo) as shop:
        yield await make_world(shop, browser)


PUT_OFF = r"status of 503 .*/graphql\)$"
"""A browser's own word of a query that a busy machine put off. The client asks again, and says when that fails."""


@pytest.fixture
async def page(browser: Browser, shop: WholeShop, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    """A desktop page (1440 px) of a new visitor; `goto("/")` is the shop. Console and page errors fail the test."""
    async with _page(browser, shop, request, DESKTOP) as page:
        yield page


@pytest.fixture
async def phone(browser: Browser, shop: WholeShop, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    """A phone's page (390 px, touch) of a new visitor; errors as in `page`."""
    async with _page(browser, shop, request, PHONE) as page:
        yield page


@asynccontextmanager
async def _page(
    browser: Browser, shop: WholeShop, request: pytest.FixtureRequest, viewport: ViewportSize
) -> AsyncIterator[Page]:
    is_phone = viewport == PHONE
    context = await new_context(
        browser,
        shop,
        viewport=viewport,
        is_mobile=is_phone,
        has_touch=is_phone,
    )
    errors: list[str] = []
    context.on("console", lambda message: _note(message, errors))
    context.on("weberror", lambda error: errors.append(str(error.error)))
    page = await context.new_page()
    yield page
    await _keep_picture(page, request)
    await context.close()
    expected = [PUT_OFF, *(str(marker.args[0]) for marker in request.node.iter_markers("console_error"))]
    unexpected = [error for error in errors if not any(re.search(pattern, error) for pattern in expected)]
    assert unexpected == []


def _note(message: ConsoleMessage, errors: list[str]) -> None:
    if message.type == "error":
        errors.append(f"{message.text} ({message.location.get('url', '')})")


async def _keep_picture(page: Page, request: pytest.FixtureRequest) -> None:
    """What a failed test saw, in test-results/."""
    report = request.node.stash.get(_report, None)
    if report is not None and report.failed:
        PICTURES.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "-", request.node.name)
        try:
            await page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
        except Error as error:
            request.node.add_report_section("teardown", "picture", str(error))


@pytest.fixture
def piece(shop: WholeShop) -> Piece:
    query = """
    { products(first: 60, filter: {inStock: true}) { nodes {
        id name chargedPrice colors { name } variants { size stock color { name } } } } }
    """
    with shop.visitor() as visitor:
        answer = visitor.post("/graphql", json={"query": query}).json()
    for product in answer["data"]["products"]["nodes"]:
        for variant in product["variants"]:
            if variant["stock"] > 5 and variant["color"]["name"] != product["colors"][0]["name"]:
                return Piece(
                    product["id"], product["name"], variant["color"]["name"], variant["size"], product["chargedPrice"]
                )
    raise AssertionError("the demo catalogue has nothing in stock")

"""Parts of a page that fail to load or to render leave the rest usable."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.browsing import IS_TAKEN_OVER, new_context, until
from tests.e2e.conftest import DESKTOP
from tests.e2e.whole_shop import WholeShop

MISSING = re.compile(r'"frames": ?\["index-[^"]+\.js missing"\]')


@pytest.fixture
async def page(browser: Browser, shop: WholeShop) -> AsyncIterator[Page]:
    context = await new_context(browser, shop, viewport=DESKTOP)
    yield await context.new_page()
    await context.close()


async def product_of(page: Page) -> str:
    await page.goto("/category/men")
    address = await page.locator("a[href^='/product/']").first.get_attribute("href")
    assert address is not None
    return address


async def test_a_size_guide_that_failed_to_load_loads_on_retry(page: Page) -> None:
    product = await product_of(page)
    await page.goto(product)
    await until(page, IS_TAKEN_OVER)
    # As after the reload that a missing file causes once.
    await page.evaluate("""() => {
      const build = document.querySelector('script[src*="/assets/index-"]').src;
      sessionStorage.setItem('minimal:reloaded-for', build);
    }""")
    await page.route("**/assets/size-guide-*.js", lambda route: route.abort())

    await page.get_by_role("link", name="Size guide").click()

    failure = page.get_by_role("alert").filter(has_text="This part of the page could not be loaded.")
    await expect(failure).to_be_visible()
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_role("button", name=re.compile("^Add to Cart")).first).to_be_visible()

    await page.unroute("**/assets/size-guide-*.js")
    await failure.get_by_role("button", name="Try again").click()

    await expect(page.get_by_role("dialog", name="Size guide")).to_be_visible()


async def test_a_missing_file_of_an_older_build_reloads_the_page_once(page: Page, shop: WholeShop) -> None:
    await page.goto("/about")
    await until(page, IS_TAKEN_OVER)
    loads: list[str] = []
    page.on("load", lambda _: loads.append(page.url))
    await page.route("**/assets/contact-*.js", lambda route: route.fulfill(status=404))

    await page.get_by_role("link", name="Contact Us", exact=True).click()

    await expect(page.get_by_role("button", name="Load the page again")).to_be_visible()
    await expect(page.get_by_role("banner").get_by_role("link", name="Minimal, home")).to_be_visible()
    assert loads == [f"{shop.url}/contact"]


async def test_a_screen_on_its_way_shows_a_ring_in_the_place_of_the_one_before(page: Page) -> None:
    await page.goto("/about")
    await until(page, IS_TAKEN_OVER)
    come = asyncio.Event()

    async def late(route: Route) -> None:
        await come.wait()
        await route.continue_()

    await page.route("**/assets/contact-*.js", late)
    await page.get_by_role("link", name="Contact Us", exact=True).click()

    ring = page.get_by_role("main").locator("svg")
    await expect(page.get_by_role("main").get_by_role("heading")).to_have_count(0)
    await expect(ring).to_have_css("opacity", "1")
    box, main = await ring.bounding_box(), await page.get_by_role("main").bounding_box()
    assert box is not None
    assert main is not None
    assert abs(box["x"] + box["width"] / 2 - main["x"] - main["width"] / 2) < 1
    come.set()
    await expect(page.get_by_role("main").get_by_role("heading", level=1)).to_be_visible()


async def test_a_page_whose_script_cannot_start_says_so_and_tells_the_shop(page: Page, shop: WholeShop) -> None:
    product = await product_of(page)
    await page.route("**/assets/index-*.js", lambda route: route.abort())
    await page.goto(product)

    note = page.get_by_text("This page could not start fully.")
    await expect(note).to_be_visible()
    # Presses are held no more: what works without script works.
    size = page.get_by_role("radio", name=re.compile(r"^M\b"))
    await size.locator("xpath=ancestor::label").click()
    await expect(size).to_be_checked()

    log = ""
    for _ in range(100):
        log = shop.log.read_text()
        if MISSING.search(log):
            break
        await page.wait_for_timeout(100)
    assert MISSING.search(log)


async def test_while_the_server_is_away_the_page_says_so_by_what_it_has_already(page: Page) -> None:
    await page.goto("/category/men")
    await until(page, IS_TAKEN_OVER)
    await page.route("**/assets/**", lambda route: route.abort())
    for address in ("**/graphql*", "**/readyz"):
        await page.route(address, lambda route: route.fulfill(status=503, headers={"retry-after": "1"}))

    await page.get_by_role("main").get_by_role("link", name=re.compile("^Shirts")).first.click()

    await expect(page.get_by_role("status").filter(has_text="Our stock room does not answer just now")).to_be_visible()

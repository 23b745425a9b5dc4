"""Offline use: catalogue pages seen before open again, and nothing private is cached."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.accounts import sign_in
from tests.e2e.browsing import DEMO_PASSWORD, new_context, told, until
from tests.e2e.conftest import PHONE
from tests.e2e.whole_shop import WholeShop

KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) kept[url] = await (await cache.match(url)).text();
  }
  return kept;
}"""
IS_KEPT = """async (url) => {
  const isSeen = ({ left, right, top, bottom }) => left < innerWidth && right > 0 && top < innerHeight && bottom > 0;
  const seen = [...document.images].filter((image) => isSeen(image.getBoundingClientRect()));
  const kept = seen.map((image) => image.complete && image.currentSrc && caches.match(image.currentSrc));
  return [await caches.match(url, { cacheName: 'minimal-pages' }), ...(await Promise.all(kept))].every(Boolean);
}"""

PICTURES = "[...document.images].map(({ currentSrc }) => currentSrc)"
IS_FORGOTTEN = """async (urls) => {
  const shown = [...document.images].map(({ currentSrc }) => currentSrc);
  const gone = urls.filter((url) => !shown.includes(url));
  const kept = await Promise.all(gone.map((url) => caches.match(url)));
  return gone.length > 1 && !kept.some(Boolean);
}"""
"""Of the page that was left and its pictures; what the next page shows is kept anew at once."""


@pytest.fixture
async def visitor(browser: Browser, shop: WholeShop) -> AsyncIterator[Page]:
    """A phone with a service worker."""
    context = await new_context(browser, shop, viewport=PHONE, is_mobile=True, has_touch=True, service_workers="allow")
    yield await context.new_page()
    await context.close()


async def _until_kept(page: Page) -> None:
    """The page and the pictures that stand in its window."""
    await until(page, IS_KEPT, page.url)
    await page.wait_for_load_state("networkidle")


async def test_what_was_seen_opens_again_and_the_rest_says_why_not(visitor: Page, shop: WholeShop) -> None:
    await visitor.goto("/category/men")
    await _until_kept(visitor)
    name = visitor.get_by_role("article").first.get_by_role("link").last
    product = await name.inner_text()
    await name.click()
    await expect(visitor.get_by_role("heading", level=1)).to_have_text(product)
    await _until_kept(visitor)
    address = visitor.url

    await visitor.context.set_offline(True)
    await visitor.goto("/category/men")
    await expect(visitor.get_by_role("article").first.get_by_role("img").first).to_have_js_property("complete", True)
    await visitor.goto(address)
    await expect(visitor.get_by_role("heading", level=1)).to_have_text(product)
    picture = visitor.locator("main img").first
    await expect(picture).to_be_visible()
    assert await picture.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    await visitor.goto("/about")

    await expect(visitor.get_by_role("heading", level=1)).to_have_text("You are offline")
    navigation = visitor.get_by_role("navigation", name="These still open")
    await expect(navigation.locator(f"a[href='{address.removeprefix(shop.url)}']")).to_be_visible()
    await visitor.get_by_role("button", name="Try again").click()
    await expect(visitor.get_by_role("heading", level=1)).to_have_text("You are offline")
    await visitor.context.set_offline(False)
    await expect(visitor).to_have_url(f"{shop.url}/about")
    await expect(visitor.get_by_role("heading", level=1)).to_have_text("About Us")


async def test_offline_page_names_a_product_once_whichever_choice_was_open(visitor: Page) -> None:
    await visitor.goto("/category/men")
    name = visitor.get_by_role("article").first.get_by_role("link").last
    product, path = await name.inner_text(), await name.get_attribute("href")
    for address in (path, f"{path}?quantity=2", "/category/men?sort=price"):
        await visitor.goto(str(address))
        await _until_kept(visitor)

    await visitor.context.set_offline(True)
    await visitor.goto("/about")

    links = visitor.get_by_role("navigation", name="These still open").get_by_role("link")
    await expect(links).to_have_count(2)
    assert await links.all_inner_texts() == ["Men's Collection, Jeans", product]


async def test_nothing_of_a_person_is_kept_and_a_sign_out_forgets_what_was_seen(visitor: Page, shop: WholeShop) -> None:
    await sign_in(visitor, "shopper@minimal.test", DEMO_PASSWORD)
    await visitor.wait_for_url(shop.url + "/")
    for address in ("/", "/account", "/cart", "/category/women"):
        await visitor.goto(address, wait_until="networkidle")
        await expect(visitor.get_by_role("button", name=re.compile("Account of"))).to_be_visible()
    await _until_kept(visitor)

    cached: dict[str, str] = await visitor.evaluate(KEPT)
    pictures = cached.keys() & set(await visitor.evaluate(PICTURES))
    paths = {url.removeprefix(shop.url) for url in cached}
    person = (await visitor.evaluate("localStorage.user"), "shopper@minimal.test")
    assert "/category/women" in paths
    assert {path for path in paths if re.match("/(account|cart|api|admin|sign)", path)} == set()
    assert not [url for url, text in cached.items() if any(word in text for word in person) or '"viewer"' in text]

    await visitor.get_by_role("button", name=re.compile("Account of")).click()
    await visitor.get_by_role("button", name="Sign Out").click()
    await told(visitor, "Logged out successfully")
    await visitor.wait_for_url(shop.url + "/")
    await until(visitor, IS_FORGOTTEN, [f"{shop.url}/category/women", *pictures])


async def test_the_private_screens_lead_to_the_offline_page(visitor: Page) -> None:
    await visitor.goto("/")
    await _until_kept(visitor)

    await visitor.context.set_offline(True)
    for address in ("/cart", "/account", "/admin"):
        await visitor.goto(address)
        await expect(visitor.get_by_role("heading", level=1)).to_have_text("You are offline")

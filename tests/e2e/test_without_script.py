"""The public shop in a browser that runs no script."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Page, expect

from tests.e2e.browsing import new_context
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.whole_shop import WholeShop


@pytest.fixture(params=[PHONE, DESKTOP], ids=["phone", "desktop"])
async def plain(browser: Browser, shop: WholeShop, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    context = await new_context(browser, shop, viewport=request.param, java_script_enabled=False)
    yield await context.new_page()
    await context.close()


async def test_a_shopper_walks_from_the_menu_over_pages_of_a_list_to_a_product_and_searches(plain: Page) -> None:
    await plain.goto("/")
    await plain.get_by_role("banner").get_by_role("button", name="Menu").click()
    menu = plain.get_by_role("main").get_by_role("navigation", name="Shop")
    await menu.get_by_role("link", name="Shirts").first.click()
    await expect(plain).to_have_url(re.compile("/category/men/shirts$"))
    first = await plain.get_by_role("article").first.inner_text()

    await plain.get_by_role("link", name=re.compile("^Show the next")).click()
    await expect(plain).to_have_url(re.compile(r"/category/men/shirts\?after="))
    assert await plain.get_by_role("article").first.inner_text() != first
    await plain.get_by_role("link", name="Show from the beginning").click()
    await expect(plain).to_have_url(re.compile("/category/men/shirts$"))

    card = plain.get_by_role("article").first.get_by_role("link").last
    name = await card.inner_text()
    await card.click()
    await expect(plain.get_by_role("heading", level=1)).to_have_text(name)
    await expect(plain.locator("main")).to_contain_text("$")

    await plain.get_by_role("banner").get_by_role("button", name="Search").first.click()
    await plain.get_by_role("searchbox", name="Search for a product").fill("oxford")
    await plain.get_by_role("main").get_by_role("button", name="Search").click()
    await expect(plain).to_have_url(re.compile(r"/search\?q=oxford"))
    await expect(plain.get_by_role("article").first).to_contain_text(re.compile("oxford", re.IGNORECASE))


async def test_a_plain_form_filters_and_orders(plain: Page) -> None:
    await plain.goto("/category/women/shirts")
    await plain.locator("main summary").first.click()
    for label in ("S", "M"):
        await plain.get_by_role("group", name="Size").get_by_label(label, exact=True).check()
    await plain.locator("select[name=sort]").select_option(label="Price, low to high")
    await plain.get_by_role("button", name="Show", exact=True).click()

    await expect(plain).to_have_url(re.compile("size=S&size=M.*sort=price"))
    await plain.locator("main summary").first.click()
    await expect(plain.get_by_role("group", name="Size").get_by_label("M", exact=True)).to_be_checked()
    cards = await plain.get_by_role("article").all_inner_texts()
    prices = [float(price[1]) for card in cards if (price := re.search(r"\$(\d+\.\d\d)", card))]
    assert prices == sorted(prices)
    assert len(prices) > 2


async def test_nothing_turns_and_what_is_not_there_says_so(plain: Page) -> None:
    await plain.goto("/category/men")
    assert await plain.locator("svg[class*=ring]:visible").count() == 0

    response = await plain.goto("/nothing/here")

    assert response is not None
    assert response.status == 404
    await expect(plain.get_by_role("heading", level=1)).to_have_text("Nothing hangs here")

"""Back restores a page's scroll position; a new path begins at its top."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.browsing import open_at, until

WIDE = pytest.param("page", id="desktop")
SMALL = pytest.param("phone", id="phone")


@pytest.fixture
def shopper(request: pytest.FixtureRequest) -> Page:
    page: Page = request.getfixturevalue(request.param)
    return page


NEXT_FRAME = "() => new Promise((settle) => requestAnimationFrame(() => requestAnimationFrame(settle)))"
"""By then the page has heard that it was scrolled."""


async def _top(page: Page) -> int:
    await page.evaluate(NEXT_FRAME)
    top: int = await page.evaluate("Math.round(scrollY)")
    return top


@pytest.mark.parametrize("shopper", [WIDE, SMALL], indirect=True)
async def test_a_list_of_several_pages_is_found_again_where_it_was_left(shopper: Page) -> None:
    await open_at(shopper, "/category/men/shirts")
    await shopper.get_by_role("link", name=re.compile("^Show the next")).click()
    cards = shopper.get_by_role("article")
    await expect(cards.nth(12)).to_be_visible()
    count = await cards.count()
    await cards.nth(13).scroll_into_view_if_needed()
    left_at = await _top(shopper)
    assert left_at > 600

    await cards.nth(13).get_by_role("link").last.click()
    await expect(shopper).to_have_url(re.compile("/product/"))
    await until(shopper, "scrollY === 0")
    await shopper.go_back()

    await expect(shopper).to_have_url(re.compile(r"/category/men/shirts\?after="))
    await expect(cards).to_have_count(count)
    await expect(cards.nth(13)).to_be_in_viewport()
    await until(shopper, "(left) => Math.abs(scrollY - left) <= 2", left_at)


@pytest.mark.parametrize("shopper", [WIDE, SMALL], indirect=True)
async def test_forward_finds_the_product_as_far_down_as_it_was(shopper: Page) -> None:
    await open_at(shopper, "/category/women/shirts")
    await shopper.get_by_role("article").first.get_by_role("link").last.click()
    await expect(shopper).to_have_url(re.compile("/product/"))
    await expect(shopper.get_by_role("heading", name="Measurements")).to_be_visible()
    await shopper.evaluate("scrollTo({ top: 400, behavior: 'instant' })")
    assert await _top(shopper) == 400

    await shopper.go_back()
    await expect(shopper.get_by_role("article").first).to_be_visible()
    await shopper.go_forward()

    await expect(shopper.get_by_role("heading", name="Measurements")).to_be_attached()
    await until(shopper, "scrollY === 400")

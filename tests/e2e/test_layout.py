"""What stands where, at the widths of phones, tablets and desks."""

import pytest
from playwright.async_api import Locator, Page


async def _box(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom, in pixels of the window."""
    left, top, right, bottom = await part.evaluate(
        "part => { const box = part.getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom] }"
    )
    return left, top, right, bottom


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (768, 1024), (960, 720), (1440, 900)])
async def test_a_product_shows_price_and_button_on_its_first_screen(page: Page, width: int, height: int) -> None:
    await page.set_viewport_size({"width": width, "height": height})
    await page.goto("/category/men/jeans")
    await page.get_by_role("article").first.get_by_role("heading").get_by_role("link").click()
    button = page.get_by_role("main").get_by_role("button", name="Add to Cart")
    await button.wait_for()

    for part in (page.get_by_role("main").get_by_text("$").first, button):
        _, top, right, bottom = await _box(part)
        assert top > 0
        assert bottom <= height
        assert right <= width


@pytest.mark.parametrize("width", [360, 630, 820, 960, 1440])
async def test_a_cards_price_ends_where_its_picture_ends(page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 900})
    await page.goto("/category/sale/women")
    cards = page.get_by_role("article")
    await cards.first.wait_for()

    margin = (await _box(page.get_by_role("heading", level=1)))[0]
    for card in (await cards.all())[:4]:
        _, _, picture_end, _ = await _box(card.locator("img").first)
        _, _, price_end, _ = await _box(card.locator("s"))
        # In one column pictures run from edge to edge, and words keep the page's margin.
        assert price_end == pytest.approx(picture_end - (margin if width < 630 else 0), abs=1)

"""The public shop in a browser that runs no script: on a phone, and with `just axe` on a desktop as well."""

import re
from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, Locator, Page, expect

from tests.e2e.axe import EVERY_SIZE
from tests.e2e.browsing import new_context
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.purchases import new_email
from tests.e2e.whole_shop import WholeShop


@pytest.fixture(params=[PHONE, DESKTOP][: 1 + EVERY_SIZE], ids=["phone", "desktop"][: 1 + EVERY_SIZE])
async def plain(browser: Browser, shop: WholeShop, request: pytest.FixtureRequest) -> AsyncIterator[Page]:
    context = await new_context(browser, shop, viewport=request.param, java_script_enabled=False)
    yield await context.new_page()
    await context.close()


@pytest.mark.smoke
async def test_a_shopper_browses_menu_list_pages_product_and_search(plain: Page) -> None:
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


def _dead(plain: Page) -> Locator:
    """Buttons in sight that only a script would answer, beside pictures that could be enlarged."""
    return plain.locator("button[type=button]:not(:has(img)):visible")


async def test_what_needs_a_script_says_so_instead_of_looking_alive(plain: Page) -> None:
    await plain.goto("/category/men")
    await expect(_dead(plain)).to_have_count(0)
    await plain.get_by_role("article").first.get_by_role("link").last.click()
    main = plain.get_by_role("main")
    await expect(main.get_by_role("img").first).to_be_visible()
    await expect(main.locator("p", has_text="Buying needs JavaScript")).to_be_visible()
    await expect(_dead(plain)).to_have_count(0)

    forms = {"/signin": "Signing in", "/signup": "Signing up", "/forgot-password": "Asking for a new password"}
    for screen, what in forms.items():
        await plain.goto(screen)
        await expect(main.locator("p", has_text=f"{what} needs JavaScript")).to_be_visible()
        await expect(main.locator("input:visible")).to_have_count(0)
        await expect(_dead(plain)).to_have_count(0)

    for screen in ("/cart", "/checkout"):
        await plain.goto(screen)
        await expect(plain.get_by_role("heading", level=1)).to_have_text("This page needs JavaScript")
        await expect(plain).to_have_title("Minimal")
        await expect(plain.get_by_role("contentinfo")).to_be_visible()
        await expect(_dead(plain)).to_have_count(0)
        header = await plain.get_by_role("banner").bounding_box()
        assert header is not None
        assert header["height"] < 80, "The header is not styled."
    await main.get_by_role("link", name="write to us").click()
    await expect(plain).to_have_url(re.compile("/contact$"))
    await expect(main.get_by_role("link", name="@")).to_be_visible()


async def test_the_cart_of_who_is_signed_in_is_shown_and_says_what_it_needs(plain: Page) -> None:
    await plain.goto("/category/men")
    product = await plain.get_by_role("article").first.get_by_role("link").last.get_attribute("href") or ""
    account = {"name": "Ada Lovelace", "email": new_email(), "password": "Minimal1!"}
    line = {"productId": product.split("/")[2].split("?")[0], "quantity": 1, "price": 0}
    for address, body in (("/api/auth/signup", account), ("/api/cart", line)):
        await plain.request.post(
            address, data=body, headers={"sec-fetch-site": "same-origin"}, fail_on_status_code=True
        )

    await plain.goto("/cart")

    main = plain.get_by_role("main")
    await expect(main.get_by_role("heading", level=1)).to_have_text("Shopping Cart")
    await expect(main.get_by_role("listitem")).to_have_count(1)
    await expect(main.locator("p", has_text="Changing the cart or paying needs JavaScript")).to_be_visible()
    await expect(_dead(plain)).to_have_count(0)
    await expect(main.get_by_label("Discount code")).to_be_hidden()

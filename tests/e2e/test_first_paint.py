"""A server-rendered page before its script runs, and hydration without changes."""

import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.async_api import Browser, Page, ViewportSize, expect

from tests.e2e.browsing import (
    DEMO_PASSWORD,
    IS_TAKEN_OVER,
    hold_back,
    new_context,
    pick,
    signed_in,
    signed_up,
    told,
    until,
)
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.purchases import new_email
from tests.e2e.whole_shop import WholeShop

SCREENS = [
    "/",
    "/category/men",
    "/category/women/trousers?sort=price&size=M",
    "/category/sale/women",
    "/search?q=shirt",
    "/signin?utm_source=mail&redirect=%2Fproduct%2F1&action=addToCart",
    "/signup",
    "/forgot-password",
]
FORMS = SCREENS[-3:]

SCRIPT = "**/assets/index-*.js"

MARKUP = "(form) => form.outerHTML"
LINKS = "(links) => links.map((link) => link.getAttribute('href'))"
NOTE_SHIFTS = """window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(({ value }) => value)))
  .observe({ type: 'layout-shift', buffered: true });"""

Source = Callable[[str], str]


@pytest.fixture
def source(shop: WholeShop) -> Source:
    """The HTML of an address as the server sends it."""

    def read(address: str) -> str:
        with shop.visitor() as visitor:
            return visitor.get(address).text

    return read


@pytest.fixture
def product(source: Source) -> str:
    match = re.search(r'href="(/product/[^"?]+)"', source("/category/men"))
    assert match is not None
    return match[1]


@asynccontextmanager
async def _visitor(browser: Browser, shop: WholeShop, *, scripts: bool = True) -> AsyncIterator[tuple[Page, list[str]]]:
    """A page, and everything that it says to the console or asks of /graphql."""
    context = await new_context(browser, shop, viewport=DESKTOP, java_script_enabled=scripts, service_workers="allow")
    heard: list[str] = []
    context.on("console", lambda message: heard.append(message.text))
    context.on("weberror", lambda error: heard.append(str(error.error)))
    context.on("request", lambda request: heard.append(request.url) if request.url.endswith("/graphql") else None)
    yield await context.new_page(), heard
    await context.close()


async def _open(page: Page, address: str) -> None:
    await page.goto(address, wait_until="networkidle")
    await until(page, IS_TAKEN_OVER)


@pytest.mark.parametrize("address", [*SCREENS, "product", "/about", "/contact"])
async def test_a_page_is_taken_over_without_a_question_or_a_word(
    browser: Browser, shop: WholeShop, product: str, address: str
) -> None:
    async with _visitor(browser, shop) as (page, heard):
        await _open(page, product if address == "product" else address)
        main = await page.locator("main").inner_text()

    assert heard == []
    assert len(main) > 80


@pytest.mark.parametrize("remembers", [True, False])
async def test_somebodys_cart_is_taken_over_without_a_question_or_a_word(
    browser: Browser, shop: WholeShop, remembers: bool
) -> None:
    async with _visitor(browser, shop) as (page, heard):
        await signed_in(page, "shopper@minimal.test")
        await page.goto("/about", wait_until="networkidle")
        if not remembers:
            await page.evaluate("localStorage.clear()")
        heard.clear()

        await _open(page, "/cart")

        assert heard == []
        await expect(page.get_by_role("heading", level=1)).to_have_text("Shopping Cart")
        await expect(page.get_by_role("button", name="Account of")).to_be_visible()
        assert json.loads(await page.evaluate("localStorage.user"))["email"] == "shopper@minimal.test"


async def test_the_server_and_the_browser_name_the_window_alike(
    browser: Browser, shop: WholeShop, source: Source, product: str
) -> None:
    async with _visitor(browser, shop) as (page, _):
        for address in [*SCREENS, product]:
            sent = re.search("<title>(.*?)</title>", source(address))
            await _open(page, address)

            assert sent is not None
            assert await page.evaluate("() => document.title") == unescape(sent[1])


async def test_the_name_and_price_can_be_read_without_a_script(
    browser: Browser, shop: WholeShop, source: Source, product: str
) -> None:
    linked = re.search(r'<script type="application/ld\+json">(.*?)</script>', source(product))
    assert linked is not None
    said = json.loads(linked[1])

    async with _visitor(browser, shop, scripts=False) as (page, _):
        await page.goto(product)

        await expect(page.get_by_role("heading", level=1)).to_have_text(said["name"])
        price = said["hasVariant"][0]["offers"]["price"]
        await expect(page.locator("main").get_by_text(f"${price}").first).to_be_visible()


async def test_what_is_pressed_before_the_script_is_there_counts_once_it_is(
    browser: Browser, shop: WholeShop, product: str
) -> None:
    async with _visitor(browser, shop) as (page, _):
        comes = await hold_back(page, SCRIPT)
        await page.goto(product, wait_until="commit")
        color = page.get_by_role("radiogroup", name="Color", exact=True).get_by_role("radio").nth(1)
        name = await color.get_attribute("aria-label")
        await pick(color)
        for size in ("L", "M"):
            await pick(page.get_by_role("radio", name=re.compile(rf"^{size}\b")))
        await page.get_by_role("button", name="One more").click()
        await page.get_by_role("button", name=re.compile("^Add to Cart")).first.click()
        assert page.url.endswith(product)

        comes.set()

        await page.wait_for_url("**/signin?*")
        parameters = parse_qs(urlsplit(page.url).query)
        await page.goto(f"{product}?variant={parameters['variant'][0]}")
        await expect(page.get_by_role("radio", name=str(name), exact=True).first).to_be_checked()
        await expect(page.get_by_role("radio", name=re.compile(r"^M\b"))).to_be_checked()
    assert parameters["quantity"] == ["2"]


async def test_a_dialog_link_pressed_before_hydration_opens_the_dialog_afterwards(
    browser: Browser, shop: WholeShop, product: str
) -> None:
    async with _visitor(browser, shop) as (page, _):
        comes = await hold_back(page, SCRIPT)
        await page.goto(product, wait_until="commit")
        await page.get_by_role("link", name="Size guide").click()
        assert page.url.endswith(product)

        comes.set()

        await expect(page.get_by_role("dialog", name="Size guide")).to_be_visible()


async def test_a_code_that_is_sent_before_the_script_is_there_is_looked_up_once_it_is(
    browser: Browser, shop: WholeShop, product: str
) -> None:
    async with _visitor(browser, shop) as (page, _):
        await signed_up(page, new_email())
        line = {"productId": product.rpartition("/")[2], "quantity": 1, "price": 0}
        own = {"sec-fetch-site": "same-origin"}
        await page.request.post("/api/cart", data=line, headers=own, fail_on_status_code=True)
        comes = await hold_back(page, SCRIPT)
        await page.goto("/cart", wait_until="commit")
        await page.get_by_label("Discount code").fill("nosuchcode")
        await page.get_by_role("button", name="Apply").click()

        comes.set()

        await expect(page.get_by_text("This code does not exist.")).to_be_visible()
        await expect(page.get_by_label("Discount code")).to_have_value("nosuchcode")


async def test_text_typed_into_a_form_before_hydration_is_kept_and_sent(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, _):
        comes = await hold_back(page, SCRIPT)
        await page.goto(FORMS[0], wait_until="commit")
        form, links = page.locator("form:has(input)"), page.locator("main a")
        sent = await form.evaluate(MARKUP), await links.evaluate_all(LINKS)
        await page.get_by_label("E-mail").fill("shopper@minimal.test")
        await page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)

        comes.set()

        await until(page, IS_TAKEN_OVER)
        await expect(page.get_by_label("E-mail")).to_have_value("shopper@minimal.test")
        await expect(page.get_by_label("Password", exact=True)).to_be_focused()
        assert (await form.evaluate(MARKUP), await links.evaluate_all(LINKS)) == sent
        await page.keyboard.press("Enter")
        await told(page, "Welcome back to Minimal")


async def test_password_sent_before_the_script_signs_in_once_it_is_there(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, _):
        comes = await hold_back(page, SCRIPT)
        await page.goto("/signin", wait_until="commit")
        await page.get_by_label("E-mail").fill("shopper@minimal.test")
        await page.get_by_label("Password", exact=True).fill(DEMO_PASSWORD)
        await page.get_by_role("button", name="Continue", exact=True).click()
        assert page.url == f"{shop.url}/signin"

        comes.set()

        await page.wait_for_url(f"{shop.url}/")
        await told(page, "Welcome back to Minimal")


async def test_password_is_in_no_address_when_no_script_comes_at_all(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, _):
        await page.route("**/*.js", lambda route: route.abort())
        await page.goto("/signin")
        await page.get_by_label("E-mail").fill("shopper@minimal.test")
        await page.get_by_label("Password", exact=True).fill("Secret-word-7")

        async with page.expect_navigation() as moved:
            await page.get_by_role("button", name="Continue", exact=True).click()

        answer = await moved.value
        assert answer is not None
        assert (answer.request.method, page.url) == ("POST", f"{shop.url}/signin")
        assert "Secret-word-7" not in await answer.text()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("address", FORMS)
async def test_hydration_of_a_form_moves_nothing(
    browser: Browser, shop: WholeShop, address: str, viewport: ViewportSize
) -> None:
    async with _visitor(browser, shop) as (page, _):
        await page.set_viewport_size(viewport)
        await page.add_init_script(NOTE_SHIFTS)
        await _open(page, address)

        assert await page.evaluate("() => window.shifts") == []


async def test_account_without_a_session_is_led_home_from_the_rendered_sign_in(
    browser: Browser, shop: WholeShop
) -> None:
    async with _visitor(browser, shop) as (page, _):
        await signed_in(page, "shopper@minimal.test")
        await page.context.clear_cookies()

        await page.goto("/signin")

        await page.wait_for_url(f"{shop.url}/")


async def test_a_remembered_theme_is_there_before_the_first_paint(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, _):
        await page.add_init_script("localStorage.setItem('minimal:theme', 'dark')")
        await page.route(SCRIPT, lambda route: route.abort())
        await page.goto("/")

        assert await page.evaluate("() => document.documentElement.dataset.theme") == "dark"


async def test_what_only_this_browser_knows_comes_after_without_a_word(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, heard):
        await page.add_init_script(
            "localStorage.setItem('minimal:theme', 'dark'); localStorage.setItem('minimal:list-view', 'list')"
        )
        await _open(page, "/category/men")

        await expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
        await expect(page.get_by_role("button", name="List", exact=True)).to_have_attribute("aria-pressed", "true")
    assert [word for word in heard if not word.endswith("/graphql")] == []


async def test_a_page_that_has_been_taken_over_works(browser: Browser, shop: WholeShop) -> None:
    async with _visitor(browser, shop) as (page, heard):
        await _open(page, "/category/men")
        await page.get_by_role("link", name=re.compile("^Shirts")).first.click()

        await expect(page).to_have_url(re.compile("/category/men/shirts$"))
        await expect(page.get_by_role("article").first).to_be_visible()
    assert [word for word in heard if not word.endswith("/graphql")] == []


async def test_somebody_signed_in_gets_the_same_page_and_sees_their_own_after(
    browser: Browser, shop: WholeShop, product: str
) -> None:
    async with _visitor(browser, shop) as (page, heard):
        await signed_in(page, "owner@minimal.test")
        for address in ["/", "/category/men", product]:
            await _open(page, address)

            await expect(page.get_by_role("banner").get_by_role("button", name="Account of")).to_be_visible()
            await expect(page.locator("main")).not_to_be_empty()
    assert [word for word in heard if not word.endswith("/graphql")] == []

"""The events that a browser reports of a visit, from a product's page to the admin's funnel."""

import asyncio
import re
from collections.abc import Callable
from uuid import uuid4

import pytest
from playwright.async_api import Browser, BrowserContext, Page, Request, expect

from tests.e2e.browsing import new_context
from tests.e2e.browsing import until as eventually
from tests.e2e.conftest import DESKTOP
from tests.e2e.product_forms import enter, make_product
from tests.e2e.purchases import PAYS, Piece, choose, new_email, pay, signed_up_with_cart, to_payment
from tests.e2e.whole_shop import WholeShop


@pytest.fixture
async def piece(browser: Browser, shop: WholeShop) -> Piece:
    """One that nobody else has looked at: what they did may be told late."""
    name = f"Followed {uuid4().hex[:6]}"
    context = await new_context(browser, shop)
    page = await context.new_page()
    await enter(page)
    product_id = await make_product(page, name)
    await context.close()
    return Piece(product_id, name, "blue", "M", "50.00")


FUNNEL = """
query Funnel {
  admin { analytics { funnel(range: { preset: LAST_7_DAYS }, by: PRODUCT) { rows { label steps { name visits } } } } }
}
"""


def funnel(shop: WholeShop, product: str) -> dict[str, int]:
    """How many visits came how far with a product, as an admin reads it."""
    with shop.visitor() as client:
        account = {"email": "admin@minimal.test", "password": "Minimal1!"}
        client.post("/api/auth/signin", json=account).raise_for_status()
        answer = client.post("/graphql", json={"query": FUNNEL}).json()
    rows = answer["data"]["admin"]["analytics"]["funnel"]["rows"]
    steps = [row["steps"] for row in rows if row["label"] == product]
    return {step["name"]: step["visits"] for step in steps[0]} if steps else {}


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(160):
        if await asyncio.to_thread(holds):
            return
        await asyncio.sleep(0.25)
    raise AssertionError("It did not come to that within 40 s.")


async def test_a_visit_that_buys_is_one_more_in_each_step_of_the_funnel(
    page: Page, shop: WholeShop, piece: Piece
) -> None:
    before = funnel(shop, piece.name)
    await signed_up_with_cart(page, piece, new_email())
    number = await page.evaluate(
        "() => new Promise(told => setTimeout(() => told(sessionStorage['minimal:visit']), 11e3))"
    )
    cookies = {cookie["name"] for cookie in await page.context.cookies()}

    form = await to_payment(page)
    await pay(form, PAYS)
    await expect(page.get_by_role("heading", name="Payment Successful!")).to_be_visible()

    after = {step: before.get(step, 0) + 1 for step in ("viewed", "added", "checkout", "paid")}
    await until(lambda: funnel(shop, piece.name) == after)
    assert re.fullmatch("[0-9a-f]{32}", number)
    assert await page.evaluate("sessionStorage['minimal:visit']") == number
    assert {name.split("-")[0] for name in cookies} == {"accessToken", "signedIn", "device"}


async def look_around(context: BrowserContext, piece: Piece) -> list[Request]:
    """Opens a product's page, waits until everything has come, and leaves it. Returns what the browser sent."""
    sent: list[Request] = []
    page = await context.new_page()
    page.on("request", lambda request: sent.append(request))
    await choose(page, piece)
    await page.wait_for_load_state("networkidle")
    await page.wait_for_timeout(1_000)
    await page.goto("/about")
    await page.wait_for_timeout(500)
    return sent


def told(sent: list[Request]) -> list[str]:
    return [request.url for request in sent if request.url.endswith("/events") or "visit-batches" in request.url]


@pytest.mark.parametrize("wish", ["doNotTrack: '1'", "globalPrivacyControl: true"])
async def test_who_asks_not_to_be_followed_sends_and_keeps_nothing(
    browser: Browser, shop: WholeShop, piece: Piece, wish: str
) -> None:
    before = funnel(shop, piece.name)
    context = await new_context(browser, shop, viewport=DESKTOP, service_workers="allow")
    name, value = wish.split(": ")
    await context.add_init_script(f"Object.defineProperty(Navigator.prototype, '{name}', {{ get: () => {value} }})")

    sent = await look_around(context, piece)

    assert told(sent) == []
    assert await context.pages[0].evaluate("'minimal:visit' in sessionStorage") is False
    assert funnel(shop, piece.name) == before
    await context.close()


IS_TELLER = "({ name }) => name.includes('visit-batches')"
# When the code that tells was asked for, and when the page had loaded; answers once that code has run, and been told
# what the page waited for an idle moment to tell it.
TIMES = f"""async () => {{
    const fetched = performance.getEntriesByType('resource');
    const {{ name, startTime }} = fetched.find({IS_TELLER});
    await new Promise((idle) => requestIdleCallback(idle));
    await import(name);
    return [startTime, performance.getEntriesByType('navigation')[0].loadEventStart];
}}"""


async def test_a_visit_is_sent_when_the_page_is_left_and_its_code_loads_after_the_page(
    browser: Browser, shop: WholeShop, piece: Piece
) -> None:
    before = funnel(shop, piece.name).get("viewed", 0)
    context = await new_context(browser, shop, viewport=DESKTOP, service_workers="allow")
    page = await context.new_page()
    await choose(page, piece)
    await eventually(
        page, "performance.getEntriesByType('resource').some(({ name }) => name.includes('visit-batches'))"
    )
    requested, loaded = await page.evaluate(TIMES)

    await page.goto("/about")

    await until(lambda: funnel(shop, piece.name).get("viewed") == before + 1)
    assert requested >= loaded > 0
    assert await context.cookies() == []
    await context.close()

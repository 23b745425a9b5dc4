"""Accounts, the audit log and live events of the back office, on a desktop and a tablet."""

import asyncio
import os
import re
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, Page, Request, Route, ViewportSize, expect

from tests.e2e.browsing import DEMO_PASSWORD, JSON, PASSWORD, accept_unconfirmed, new_context, signed_in, told
from tests.e2e.purchases import new_email
from tests.e2e.whole_shop import WholeShop

OWNER, ADMIN, SHOPPER = "owner@minimal.test", "admin@minimal.test", "shopper@minimal.test"
TABLET: ViewportSize = {"width": 820, "height": 1180}


async def let_in(page: Page, email: str, password: str = DEMO_PASSWORD) -> None:
    await signed_in(page, email, password)


@asynccontextmanager
async def somebody(browser: Browser, shop: WholeShop) -> AsyncIterator[tuple[Page, str]]:
    """A new account in a browser of its own, and its e-mail."""
    context = await new_context(browser, shop, extra_http_headers=JSON)
    email = new_email()
    form = {"name": "Ada Lindqvist", "email": email, "password": PASSWORD}
    assert (await context.request.post("/api/auth/signup", data=form)).ok
    yield await context.new_page(), email
    await context.close()


async def ask_for_access(person: Page) -> None:
    assert (await person.request.post("/api/user/request-admin-access", data={})).ok


def restart(shop: WholeShop) -> None:
    """Kills the server; its supervisor brings it back."""
    killed = shop.pid_of("web")
    os.kill(killed, signal.SIGKILL)
    lock = shop.data / "run" / "web.lock"
    deadline = time.monotonic() + 60
    while lock.read_text() in ("", str(killed)) or not shop.answers():
        assert time.monotonic() < deadline
        time.sleep(0.1)


async def test_a_request_comes_without_a_reload_and_is_granted_with_the_keyboard(
    page: Page, browser: Browser, shop: WholeShop
) -> None:
    await let_in(page, OWNER)
    await page.goto("/admin")
    tab = page.get_by_role("tab", name=re.compile("^User Control"))
    await expect(page.get_by_text("Signed in as owner@minimal.test, Primary Admin")).to_be_visible()
    await expect(page.get_by_role("table", name="Users")).not_to_contain_text(OWNER)
    pending = page.locator("section", has=page.get_by_role("heading", name="Pending Admin Requests"))
    await expect(pending.locator("[aria-live=polite]")).to_be_attached()
    before = int((re.search(r"\d+", await tab.inner_text()) or ["0"])[0])

    async with somebody(browser, shop) as (person, email):
        await ask_for_access(person)

        row = page.get_by_role("table", name="Pending Admin Requests").get_by_role("row").filter(has_text=email)
        await expect(row).to_be_visible()
        await expect(tab).to_have_text(f"User Control {before + 1}")
        await row.get_by_role("button", name="Approve Ada Lindqvist").focus()
        await page.keyboard.press("Enter")
        await page.get_by_role("dialog").get_by_role("button", name="Make Admin").focus()
        await page.keyboard.press("Enter")
        await accept_unconfirmed(page)
        await told(page, "User made admin")
        await expect(row).to_have_count(0)
        await expect(tab).to_have_text("User Control" if before == 0 else f"User Control {before}")

        await page.get_by_label("Find by name or e-mail").fill(email)
        await page.wait_for_url(re.compile("search="))
        await page.get_by_label("Role").select_option("Admins")
        await page.reload()
        users = page.get_by_role("table", name="Users").locator("tbody tr")
        await expect(users).to_have_count(1)
        await expect(users.first).to_contain_text("Admin")
        await users.first.get_by_role("button", name="Delete Ada Lindqvist").click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_contain_text("Its orders stay, without the buyer")
        await dialog.get_by_role("button", name="Delete").click()
        await told(page, "User deleted successfully")
        await expect(page.get_by_text("Nobody matches.")).to_be_visible()


PLACE = """async dialog => {
    await Promise.all(dialog.getAnimations().map(each => each.finished));
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    const style = getComputedStyle(dialog.querySelector('p'));
    return {
        aside: Math.abs(left + right - innerWidth), above: Math.abs(top + bottom - innerHeight),
        clipped: dialog.scrollWidth > dialog.clientWidth, align: style.textAlign, space: style.whiteSpace,
    };
}"""


@pytest.mark.parametrize(
    ("address", "button"), [("/admin", "^Delete "), ("/admin", "^Make Admin"), ("/admin?tab=products", "^Delete ")]
)
async def test_a_dialog_opened_from_a_table_is_centered_with_its_whole_text(
    page: Page, address: str, button: str
) -> None:
    await let_in(page, OWNER)
    await page.goto(address)

    for width in (390, 1440):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.locator("table").get_by_role("button", name=re.compile(button), disabled=False).first.click()
        dialog = page.get_by_role("dialog")
        await expect(dialog).to_be_visible()
        place = await dialog.evaluate(PLACE)
        await page.keyboard.press("Escape")
        await expect(dialog).to_be_hidden()

        assert place["aside"] <= 20, width
        assert place["above"] <= 2, width
        assert (place["clipped"], place["align"], place["space"]) == (False, "start", "normal"), width


async def test_an_admin_on_a_tablet_sees_reasons_of_disabled_buttons_and_orders(page: Page, shop: WholeShop) -> None:
    await page.set_viewport_size(TABLET)
    await page.emulate_media(color_scheme="dark")
    await let_in(page, ADMIN)
    await page.goto("/admin")

    await expect(page.get_by_text("You lack privileges to use these controls")).to_be_visible()
    await page.get_by_label("Role").select_option("Admins")
    owner = page.get_by_role("row").filter(has_text=OWNER)
    await expect(owner).to_contain_text("Primary Admin")
    for name in ("Remove Admin: ", "Delete "):
        button = owner.get_by_role("button", name=re.compile(name))
        await expect(button).to_be_disabled()
        await expect(button).to_have_accessible_description("You lack privileges to use these controls")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_label("Role").select_option("All")
    await page.get_by_label("Find by name or e-mail").fill(SHOPPER)
    await page.wait_for_url(re.compile("search="))
    await page.get_by_role("row").filter(has_text=SHOPPER).get_by_role("link").click()

    orders = page.get_by_role("table", name="Orders").locator("tbody tr")
    await expect(orders.first).to_contain_text(re.compile(r"M-\d+.*\$"))
    spent = page.locator("dt", has_text="Spent, less refunds").locator("+ dd")
    assert re.fullmatch(r"\$[\d,]+\.\d\d", await spent.inner_text())
    await expect(page.get_by_role("button", name=re.compile("^Make Admin"))).to_be_disabled()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.go_back()
    await expect(page.get_by_label("Find by name or e-mail")).to_have_value(SHOPPER)


async def test_signing_a_customer_out_ends_the_session_and_stands_in_the_audit_log(
    page: Page, browser: Browser, shop: WholeShop
) -> None:
    await let_in(page, ADMIN)
    async with somebody(browser, shop) as (person, email):
        await page.goto(f"/admin?search={email}")
        await page.get_by_role("row").filter(has_text=email).get_by_role("link").click()
        await page.get_by_role("button", name="Sign out everywhere").click()
        await expect(page.get_by_role("dialog")).to_contain_text("Every browser that is signed in to this account")
        await page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).click()

        await told(page, "Signed out")
        await expect(page.get_by_text("Not signed in anywhere.")).to_be_visible()
        assert (await person.request.get("/api/user/profile")).status == 401

    await page.get_by_role("link", name="History").click()
    await page.wait_for_url(re.compile(r"/admin/log\?kind=user&subject="))
    log = page.get_by_role("table", name="Audit log").locator("tbody tr")
    # The latest first: before it, the customer's page was read.
    await expect(log).to_have_count(2)
    await expect(log.first).to_contain_text(ADMIN)
    await expect(log.get_by_role("rowheader").first).to_have_text("signed out")
    await page.get_by_role("link", name="Show the whole log").click()
    await page.get_by_label("What").select_option("signed out")
    await page.get_by_label("Who").select_option(ADMIN)
    await page.wait_for_url(re.compile(r"actor=.*action="))
    await page.reload()
    await expect(page.get_by_label("What")).to_have_value("signed out")
    await expect(log.filter(has_text=email)).to_have_count(1)


async def test_a_list_that_does_not_come_says_so_and_leads_home(browser: Browser, shop: WholeShop) -> None:
    context = await new_context(browser, shop)
    page = await context.new_page()
    await let_in(page, OWNER)

    async def fail(route: Route, request: Request) -> None:
        broken = "query AdminUsers(" in (request.post_data or "")
        await (route.fulfill(status=500, json={}) if broken else route.fallback())

    await page.route("**/graphql", fail)
    await page.goto("/admin")

    failure = page.get_by_role("alert").filter(has_text="Something went wrong")
    await expect(failure).to_contain_text("Error retrieving users")
    await failure.get_by_role("link", name="Return to Home").click()
    await page.wait_for_url(re.compile(r"/$"))
    await context.close()


@pytest.mark.console_error("WebSocket|ERR_|502|503")
async def test_news_is_heard_again_after_the_server_was_away_and_never_by_who_was_demoted(
    page: Page, browser: Browser, shop: WholeShop
) -> None:
    owner = await new_context(browser, shop, extra_http_headers=JSON)
    sign = {"email": OWNER, "password": DEMO_PASSWORD}
    assert (await owner.request.post("/api/auth/signin", data=sign)).ok
    async with somebody(browser, shop) as (colleague, email), somebody(browser, shop) as (person, other):
        users = await (await owner.request.get("/api/user?limit=10")).json()
        toggle = f"/api/user/{next(user['_id'] for user in users if user['email'] == email)}/toggle-admin"
        assert (await owner.request.put(toggle, data={})).ok
        await let_in(page, email, PASSWORD)
        await page.goto("/admin")
        await expect(page.get_by_role("table", name="Users")).to_be_visible()
        assert colleague

        await page.evaluate("window.here = true")
        await asyncio.to_thread(restart, shop)
        await ask_for_access(person)
        requests = page.get_by_role("table", name="Pending Admin Requests")
        await expect(requests.get_by_role("row").filter(has_text=other)).to_be_visible(timeout=60_000)
        assert await page.evaluate("window.here")

        assert (await owner.request.put(toggle, data={})).ok
        async with somebody(browser, shop) as (late, _):
            await ask_for_access(late)
            await expect(page.get_by_text("Access Denied - Admin Only")).to_be_visible()
    await owner.close()

"""Rules of the specification on timing, tabs, widths and roles, in a real browser."""

import asyncio
import json
import re
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import pytest
from playwright.async_api import Page, Request, expect

from tests.e2e.accounts import sign_in
from tests.e2e.browsing import (
    IS_TAKEN_OVER,
    PASSWORD,
    PATIENCE,
    accept_unconfirmed,
    open_at,
    pick,
    signed_in,
    signed_up,
    told,
    until,
)
from tests.e2e.conftest import DESKTOP
from tests.e2e.purchases import new_email, sign_up
from tests.e2e.whole_shop import SECONDS_TO_ANSWER, WholeShop

EXPIRED = "Session expired. Please sign in again."
PRIVATE = ("/account", "/cart", "/checkout", "/payment", "/payment/return", "/add-address", "/edit-address/1", "/admin")
HOME = re.compile(r"/$")


async def new_customer(page: Page) -> None:
    """Signs up by the form."""
    await page.goto("/signup")
    await sign_up(page, new_email())
    await page.wait_for_url(HOME)
    await page.get_by_role("button", name="Account of Ada Lovelace").wait_for()


async def stored_user(page: Page) -> str | None:
    user: str | None = await page.evaluate("localStorage.getItem('user')")
    return user


async def times_told(page: Page) -> int:
    said: list[str] = await page.evaluate("said")
    return sum(EXPIRED in words for words in said)


@pytest.mark.spec("states.session.expiry.minute")
@pytest.mark.smoke
async def test_a_session_ends_after_24_hours_wherever_one_is(page: Page) -> None:
    await page.clock.install()
    await signed_up(page, new_email())
    await page.goto("/account")
    await page.get_by_role("button", name="Edit", exact=True).wait_for()

    await page.clock.fast_forward("23:58:00")
    assert await stored_user(page) is not None
    await page.clock.fast_forward("03:00")

    await page.wait_for_url(HOME)
    await told(page, EXPIRED)
    assert await stored_user(page) is None
    await page.goto("/account")
    await page.wait_for_url("**/signin")


@pytest.mark.spec("states.session.expiry.once")
async def test_of_several_tabs_one_tells_that_the_session_ended_and_all_go_home(page: Page) -> None:
    other = await page.context.new_page()
    await page.clock.install()
    await signed_up(page, new_email())
    await page.goto("/account")
    await other.goto("/cart")
    for tab in (page, other):
        await tab.get_by_role("button", name="Account of Ada Lovelace").wait_for()

    await page.clock.fast_forward("24:01:00")

    for tab in (page, other):
        await tab.wait_for_url(HOME)
        await expect(tab.get_by_role("banner").get_by_role("button", name="Sign In")).to_be_visible()
    async with asyncio.timeout(PATIENCE / 1000):
        while not (times := await times_told(page) + await times_told(other)):
            await page.wait_for_timeout(50)
    assert times == 1


async def test_a_tab_that_a_slow_machine_takes_over_while_the_session_ends_goes_home(page: Page) -> None:
    other = await page.context.new_page()
    await page.clock.install()
    await signed_up(page, new_email())
    await open_at(page, "/account")
    slowed = await page.context.new_cdp_session(other)
    await slowed.send("Emulation.setCPUThrottlingRate", {"rate": 25})
    await other.goto("/cart", wait_until="commit")
    await other.get_by_role("button", name="Account of Ada Lovelace").wait_for()

    await page.clock.fast_forward("24:01:00")
    await page.wait_for_url(HOME)
    await slowed.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    await other.wait_for_url(HOME)
    await until(other, IS_TAKEN_OVER)
    assert HOME.search(other.url)
    assert await times_told(other) == 0


@pytest.mark.spec("states.session.expiry.minute")
async def test_a_session_that_ran_out_meanwhile_ends_on_load(page: Page) -> None:
    await signed_up(page, new_email())
    yesterday = int((datetime.now(UTC) - timedelta(hours=1)).timestamp() * 1000)
    await page.evaluate(
        "(at) => localStorage.setItem('user', JSON.stringify({...JSON.parse(localStorage.user), expiresAt: at}))",
        yesterday,
    )

    await page.goto("/cart")

    await page.wait_for_url(HOME)
    await told(page, EXPIRED)


@pytest.mark.spec("states.session.expiry.server")
async def test_a_session_that_the_server_forgot_ends_the_same_way(page: Page) -> None:
    await signed_up(page, new_email())
    await page.context.clear_cookies()

    await page.goto("/account")

    await page.wait_for_url(HOME)
    await told(page, EXPIRED)
    assert await stored_user(page) is None


@pytest.mark.spec("entities.storage", "states.session.restore")
async def test_signing_in_restores_the_user_at_the_next_start(page: Page) -> None:
    await new_customer(page)

    await page.reload()

    await expect(page.get_by_role("button", name="Account of Ada Lovelace")).to_be_visible()
    keys = await page.evaluate("Object.keys(localStorage).filter((key) => !key.startsWith('minimal:')).sort()")
    assert keys == ["user"]
    assert set(await page.evaluate("Object.keys(JSON.parse(localStorage.user))")) == {
        "id",
        "name",
        "email",
        "role",
        "expiresAt",
    }


@pytest.mark.spec("states.session.signout", "errors.done.signout")
async def test_signing_out_in_one_tab_signs_out_in_the_other(page: Page) -> None:
    other = await page.context.new_page()
    await signed_up(page, new_email())
    for tab in (page, other):
        await tab.goto("/")
        await tab.get_by_role("button", name="Account of Ada Lovelace").wait_for()

    await page.get_by_role("button", name="Account of Ada Lovelace").click()
    await page.get_by_role("button", name="Sign Out").click()

    await told(page, "Logged out successfully")
    await expect(other.get_by_role("banner").get_by_role("button", name="Sign In")).to_be_visible()


@pytest.mark.spec("screens.paths.private")
@pytest.mark.parametrize("path", PRIVATE)
async def test_a_visitor_of_a_private_screen_is_led_to_sign_in(page: Page, path: str) -> None:
    await page.goto(path)

    await page.wait_for_url("**/signin")
    await expect(page.get_by_role("heading", name="Sign In")).to_be_visible()


@pytest.mark.spec("screens.paths.visitors")
async def test_who_is_signed_in_is_sent_home_from_sign_in_and_sign_up(page: Page) -> None:
    await signed_up(page, new_email())

    for path in ("/signin", "/signup"):
        await page.goto(path)
        await page.wait_for_url(HOME)


@pytest.mark.spec("screens.paths.query")
async def test_the_sign_in_screens_carry_their_query_across(page: Page) -> None:
    query = "redirect=%2Fproduct%2F1&action=addToCart"
    await page.goto(f"/signin?{query}")

    await page.get_by_role("link", name="Sign up").click()
    await page.wait_for_url(f"**/signup?{query}")
    await expect(page.get_by_text("Please Signin to Continue")).to_be_visible()
    await page.get_by_role("link", name="Sign in", exact=True).click()

    await page.wait_for_url(f"**/signin?{query}")


@pytest.mark.spec("states.profile.changed", "states.profile.signin", "errors.done.profile")
async def test_a_new_name_stays_signed_in_and_a_new_password_does_not(page: Page) -> None:
    email, new_password = new_email(), f"NewPass{uuid4().hex[:6]}!A1"
    await signed_up(page, email)
    sent: list[dict[str, str]] = []

    def note(request: Request) -> None:
        if "UpdateProfile" in (request.post_data or ""):
            sent.append(json.loads(request.post_data or "")["variables"]["input"])

    page.on("request", note)
    await page.goto("/account")
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.get_by_label("Name", exact=True).fill("Ada King")
    await page.get_by_role("button", name="Save Changes").click()
    await told(page, "Profile updated successfully.")
    await page.get_by_role("button", name="Edit", exact=True).click()
    await page.get_by_label("New Password (optional)", exact=True).fill(new_password)
    await page.get_by_role("button", name="Save Changes").click()

    await page.wait_for_url("**/signin")
    await told(page, "Please signin again.")
    assert sent == [{"name": "Ada King"}, {"password": new_password}]
    await sign_in(page, email, new_password)
    await told(page, "Welcome back to Minimal")


@pytest.mark.spec("screens.category.view", "screens.category.columns", "constants.width", "constants.ratio")
async def test_the_grid_has_one_to_four_columns(page: Page) -> None:
    await page.goto("/category/men/shirts")
    cards = page.get_by_role("article")
    await cards.first.wait_for()

    for width, columns in ((629, 1), (630, 2), (959, 2), (960, 3), (1279, 3), (1280, 4)):
        await page.set_viewport_size({"width": width, "height": 900})
        lefts = await cards.evaluate_all("cards => cards.map(card => Math.round(card.getBoundingClientRect().left))")
        picture = await cards.first.locator("img").first.bounding_box()

        assert len(set(lefts)) == columns, width
        assert picture is not None
        assert picture["height"] / picture["width"] == pytest.approx(4 / 3, abs=0.01)
        toggle = page.get_by_role("group", name="View")
        await (expect(toggle).to_be_visible() if width >= 630 else expect(toggle).to_be_hidden())


@pytest.mark.spec("errors.done.signup", "constants.messages")
async def test_a_message_stands_at_the_lower_right_for_two_seconds(page: Page) -> None:
    await page.clock.install()
    await new_customer(page)
    message = page.get_by_text("Welcome to Minimal!")

    right, bottom = await message.locator("..").evaluate(
        "(box) => [box.getBoundingClientRect().right, box.getBoundingClientRect().bottom]"
    )
    await page.clock.fast_forward(2000)

    assert DESKTOP["width"] - right < 64
    assert DESKTOP["height"] - bottom < 64
    await expect(message).to_have_count(0)


@pytest.mark.spec("screens.paths.top")
async def test_another_path_begins_at_its_top(page: Page) -> None:
    await page.goto("/category/men/shirts")
    await page.get_by_role("article").last.scroll_into_view_if_needed()
    assert await page.evaluate("scrollY") > 300

    await page.get_by_role("article").last.get_by_role("heading").get_by_role("link").click()
    await page.wait_for_url("**/product/*")
    await page.get_by_role("button", name=re.compile("^Add to Cart")).first.wait_for()

    await until(page, "scrollY === 0")


@pytest.mark.spec("roles.visitor")
async def test_a_visitor_who_adds_to_the_cart_is_asked_to_sign_in(page: Page) -> None:
    await page.goto("/category/men/shirts")
    await page.get_by_role("article").first.get_by_role("heading").get_by_role("link").click()
    await pick(page.get_by_role("radio", name=re.compile(r"^M\b")).first)
    await page.get_by_role("button", name=re.compile("^Add to Cart")).first.click()

    await page.wait_for_url(re.compile(r"/signin\?redirect=%2Fproduct%2F[^&]+&action=addToCart"))
    await expect(page.get_by_text("Please Signin to Continue")).to_be_visible()


async def applicant(shop: WholeShop, name: str, email: str) -> str:
    """The e-mail of a new account that has asked for admin access."""
    headers = {"sec-fetch-site": "same-origin"}
    async with httpx.AsyncClient(
        base_url=shop.url, headers=headers, timeout=SECONDS_TO_ANSWER, trust_env=False
    ) as client:
        account = await client.post("/api/auth/signup", json={"name": name, "email": email, "password": PASSWORD})
        requested = await client.post("/api/user/request-admin-access", json={})
    assert (account.status_code, requested.status_code) == (201, 204)
    return email


@pytest.mark.spec(
    "screens.admin.users",
    "states.role.toggle",
    "errors.done.admin.reject",
    "errors.done.admin.role",
    "errors.done.admin.delete",
)
async def test_the_owner_approves_rejects_demotes_and_deletes(page: Page, shop: WholeShop) -> None:
    mark = uuid4().hex[:8]
    liked = await applicant(shop, "Grace Hopper", f"grace@{mark}.example.com")
    other = await applicant(shop, "Alan Turing", f"alan@{mark}.example.com")
    await signed_in(page, "owner@minimal.test")
    await page.goto("/admin")
    pending = page.locator("section", has=page.get_by_role("heading", name="Pending Admin Requests"))
    users = page.locator("section", has=page.get_by_role("heading", name="Users", exact=True))
    find = users.get_by_label(re.compile("^Find by name"))
    await find.fill("owner@minimal.test")
    await expect(users).to_contain_text("Nobody matches.")
    await find.fill(mark)
    await expect(users.get_by_role("row").filter(has_text=other)).to_be_visible()

    await pending.get_by_role("row").filter(has_text=liked).get_by_role("button", name=re.compile("^Approve")).click()
    await page.get_by_role("dialog").get_by_role("button", name="Make Admin").click()
    await accept_unconfirmed(page)
    await told(page, "User made admin")
    await expect(pending.get_by_role("row").filter(has_text=liked)).to_have_count(0)
    await pending.get_by_role("row").filter(has_text=other).get_by_role("button", name=re.compile("^Reject")).click()
    await told(page, "Admin request rejected")
    await expect(pending.get_by_role("row").filter(has_text=other)).to_have_count(0)
    await (
        users.get_by_role("row").filter(has_text=liked).get_by_role("button", name=re.compile("^Remove Admin")).click()
    )
    await page.get_by_role("dialog").get_by_role("button", name="Remove Admin").click()
    await told(page, "User removed from admin")
    await users.get_by_role("row").filter(has_text=liked).get_by_role("button", name=re.compile("^Delete")).click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()

    await told(page, "User deleted successfully")
    await expect(users.get_by_role("row").filter(has_text=liked)).to_have_count(0)


@pytest.mark.spec("screens.admin.users", "roles.creation")
async def test_another_admin_sees_why_nothing_can_be_pressed(page: Page) -> None:
    await signed_in(page, "admin@minimal.test")
    await page.goto("/admin")

    await expect(page.get_by_text("You lack privileges to use these controls").first).to_be_visible()
    await page.get_by_label(re.compile("^Find by name")).fill("owner@minimal.test")
    owner = page.get_by_role("row").filter(has_text="owner@minimal.test")
    await expect(owner).to_contain_text("Primary Admin")
    for button in await owner.get_by_role("button").all():
        await expect(button).to_be_disabled()
    await page.goto("/admin?tab=create")
    await expect(page.get_by_role("button", name="Create Product")).to_be_disabled()


@pytest.mark.spec("roles.admin")
async def test_a_customer_is_denied_the_dashboard(page: Page) -> None:
    await signed_up(page, new_email())

    await page.goto("/admin")

    await expect(page.get_by_text("Access Denied - Admin Only")).to_be_visible()


@pytest.mark.spec("screens.account.addresses.delete", "errors.done.address")
async def test_the_address_form_waits_100_ms_before_it_leaves(page: Page) -> None:
    await signed_up(page, new_email())
    await page.goto("/add-address")
    for label in ("Full name", "Address line 1", "City"):
        await page.get_by_label(label).fill("Ada Lovelace")
    await page.get_by_label("Phone").fill("+46 70 123 45 67")
    await page.get_by_label("Country").select_option("Sweden")
    await page.get_by_role("button", name="Save Address").click()

    await page.wait_for_url(re.compile("/account"))
    await told(page, "Address added successfully")
    await page.get_by_role("button", name=re.compile("^Delete Ada")).click()
    dialog = page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Delete Address")
    await expect(dialog).to_contain_text("This action cannot be undone.")
    await dialog.get_by_role("button", name="Delete").click()

    await told(page, "Address deleted successfully")
    await expect(page.get_by_text("No addresses found")).to_be_visible()


@pytest.mark.spec("constants.admin.filter")
async def test_the_product_control_filters_all_men_women_and_sale(page: Page) -> None:
    await signed_in(page, "admin@minimal.test")
    await page.goto("/admin?tab=products")
    choice = page.get_by_role("group", name="Category")
    await choice.get_by_role("radio", name="All", exact=True).wait_for()

    labels = await choice.get_by_role("radio").evaluate_all("all => all.map((one) => one.parentElement.innerText)")
    await pick(choice.get_by_role("radio", name="Sale", exact=True))

    await page.wait_for_url("**category=sale**")
    assert labels == ["All", "Men", "Women", "Sale"]
    rows = page.locator("main table tbody tr")
    await expect(rows.filter(has_not_text="Before")).to_have_count(0)
    await expect(rows).not_to_have_count(0)

"""Pages of blocks: written in the back office, seen in the shop, changed by two at once, brought back."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import uuid4

from playwright.async_api import Browser, FrameLocator, Locator, Page, expect

from tests.e2e.back_office import picture
from tests.e2e.browsing import new_context, pick, signed_in, told
from tests.e2e.conftest import DESKTOP
from tests.e2e.whole_shop import WholeShop

OWNER, ADMIN = "owner@minimal.test", "admin@minimal.test"


@asynccontextmanager
async def other_window(browser: Browser, shop: WholeShop, email: str | None = None) -> AsyncIterator[Page]:
    context = await new_context(browser, shop, viewport=DESKTOP)
    page = await context.new_page()
    if email:
        await signed_in(page, email)
    yield page
    await context.close()


async def begin(page: Page, title: str) -> str:
    """Begins a page as the owner; its address."""
    await signed_in(page, OWNER)
    await page.goto("/admin/content")
    await page.get_by_role("button", name="New page").click()
    await page.get_by_label("Title", exact=True).fill(title)
    address = await page.get_by_label("Address").input_value()
    await page.get_by_role("button", name="Create").click()
    await told(page, "The page is begun.")
    await expect(page.get_by_role("heading", name=title, level=2)).to_be_visible()
    return f"/pages/{address}"


def preview(page: Page) -> FrameLocator:
    return page.frame_locator('iframe[title="Preview"]')


def blocks(page: Page) -> Locator:
    return page.get_by_role("region", name="Blocks, from the top").locator("ol > li")


async def add(page: Page, kind: str) -> None:
    await page.get_by_role("button", name="Add a block").click()
    await page.get_by_role("button", name=kind, exact=True).click()


async def press(page: Page, name: str, words: str) -> None:
    await page.get_by_role("button", name=name, exact=True).click()
    await told(page, words)


async def test_a_page_is_made_published_changed_and_brought_back(page: Page, browser: Browser, shop: WholeShop) -> None:
    address = await begin(page, f"Our cotton {uuid4().hex[:6]}")
    await add(page, "Free text")
    await page.get_by_label("Text", exact=True).fill("First *words*")
    await expect(preview(page).locator("em")).to_have_text("words")
    await add(page, "Hero")
    await page.get_by_label("Heading").fill("Picked by hand")
    await page.locator("input[type=file]").set_input_files(picture("field.png", "#b7d0ea"))
    await page.get_by_label("What it shows").fill("A field")
    await expect(preview(page).get_by_role("img", name="A field")).to_be_visible()
    await pick(page.get_by_role("radio", name="Desktop"))
    await expect(preview(page).get_by_role("heading", name="Picked by hand")).to_be_visible()
    await press(page, "Save draft", "The draft is saved.")

    async with other_window(browser, shop) as shopper:
        missing = await shopper.goto(address)
        assert missing is not None
        assert missing.status == 404
        await press(page, "Publish now", "The page is published.")
        await shopper.goto(address)
        await expect(shopper.locator("em")).to_have_text("words")
        await expect(shopper.get_by_role("img", name="A field")).to_be_visible()

        await page.get_by_role("button", name=re.compile("^Free text")).click()
        await page.get_by_label("Text", exact=True).fill("Second words")
        await press(page, "Save draft", "The draft is saved.")
        await expect(page.get_by_text("Changed since")).to_be_visible()
        await shopper.reload()
        await expect(shopper.locator("em")).to_have_text("words")
        await press(page, "Publish now", "The page is published.")
        await shopper.reload()
        await expect(shopper.get_by_text("Second words")).to_be_visible()

        await page.get_by_role("button", name="More").click()
        await page.get_by_role("button", name="Versions, 2").click()
        await press(page, "Make it the draft: 1", "The draft is as it was then.")
        await press(page, "Publish now", "The page is published.")
        await shopper.reload()
        await expect(shopper.locator("em")).to_have_text("words")


async def test_of_two_admins_on_one_page_nobodys_work_is_lost(page: Page, browser: Browser, shop: WholeShop) -> None:
    await begin(page, f"Together {uuid4().hex[:6]}")
    await add(page, "Quotation")
    await page.get_by_label("Quote", exact=True).fill("At first")
    await press(page, "Save draft", "The draft is saved.")

    async with other_window(browser, shop, OWNER) as other:
        await other.goto(page.url)
        await other.get_by_role("button", name=re.compile("^Quotation")).click()
        await other.get_by_label("Quote", exact=True).fill("Theirs")
        await other.get_by_role("button", name="Title and description").click()
        await other.get_by_label("Description", exact=True).fill("By another")
        await press(other, "Save draft", "The draft is saved.")

        await page.get_by_label("Quote", exact=True).fill("Mine")
        await page.get_by_role("button", name="Save draft").click()
        dialog = page.get_by_role("dialog", name="This page has changed")
        await expect(dialog).to_contain_text(f"{OWNER} has changed it")
        await expect(dialog.get_by_role("list", name="Changed meanwhile")).to_contain_text("Theirs")
        await expect(dialog.get_by_role("list", name="Changed by you")).to_contain_text("Mine")
        await dialog.get_by_role("button", name="Keep my changes").click()
        await expect(blocks(page)).to_have_count(2)
        await expect(blocks(page).nth(0)).to_contain_text("Theirs")
        await expect(blocks(page).nth(1)).to_contain_text("Mine")
        await press(page, "Save draft", "The draft is saved.")
        await page.get_by_role("button", name="Title and description").click()
        await expect(page.get_by_label("Description", exact=True)).to_have_value("By another")

        await other.get_by_label("Title", exact=True).fill("Thrown away")
        await other.get_by_role("button", name="Save draft").click()
        await other.get_by_role("button", name="Discard my changes").click()
        await expect(blocks(other)).to_have_count(2)
        await expect(other.get_by_label("Title", exact=True)).not_to_have_value("Thrown away")


async def test_blocks_are_put_into_order_by_keyboard_alone(page: Page) -> None:
    await begin(page, f"In order {uuid4().hex[:6]}")
    keys = page.keyboard
    for kind in ("Free text", "Two columns"):
        await page.get_by_role("button", name="Add a block").focus()
        await keys.press("Enter")
        await page.get_by_role("button", name=kind, exact=True).focus()
        await keys.press("Enter")
    await expect(blocks(page)).to_have_count(2)

    await page.get_by_role("button", name="Move Free text", exact=True).focus()
    await keys.press("Space")
    await keys.press("ArrowDown")
    await expect(page.get_by_text("Free text is now 2 of 2.")).to_be_attached()
    await keys.press("Space")
    await expect(blocks(page).nth(1)).to_contain_text("Free text")
    await page.get_by_role("button", name="Remove Two columns").focus()
    await keys.press("Enter")
    await expect(blocks(page)).to_have_count(1)
    await page.get_by_role("button", name="Put back Two columns").focus()
    await keys.press("Enter")
    await expect(blocks(page)).to_have_count(2)


async def test_a_page_is_given_a_time_taken_off_and_deleted(page: Page, browser: Browser, shop: WholeShop) -> None:
    address = await begin(page, f"For a while {uuid4().hex[:6]}")
    await page.get_by_role("button", name="Publish later").click()
    await page.get_by_label("At", exact=True).fill("2020-01-01T09:00")
    await page.get_by_role("button", name="Schedule").click()
    await expect(page.get_by_role("dialog").get_by_text("A time to come")).to_be_visible()
    await page.get_by_label("At", exact=True).fill("2037-12-01T09:00")
    await press(page, "Schedule", "The page has its time.")
    await expect(page.get_by_text("goes live Dec 1, 2037, 9:00 AM")).to_be_visible()
    await page.get_by_role("button", name="Publish later").click()
    await expect(page.get_by_label("At", exact=True)).to_have_value("2037-12-01T09:00")
    await page.get_by_role("button", name="Forget this time").click()
    await expect(page.get_by_text("goes live")).to_have_count(0)
    await press(page, "Publish now", "The page is published.")
    await expect(page.get_by_text("Shoppers see it as it is.")).to_be_visible()

    async with other_window(browser, shop) as shopper:
        await shopper.goto(address)
        await expect(shopper.get_by_role("heading", level=1)).to_contain_text("For a while")
        await page.get_by_role("button", name="More").click()
        await page.get_by_role("button", name="Take off the shop").click()
        await page.get_by_role("dialog").get_by_role("button", name="Take off the shop").click()
        await told(page, "The page is off the shop.")
        await shopper.reload()
        await expect(shopper.get_by_role("heading", name="Nothing hangs here")).to_be_visible()

    await page.get_by_role("button", name="More").click()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await told(page, "The page is deleted.")
    await expect(page.get_by_role("button", name="New page")).to_be_visible()
    await expect(page.get_by_text(address)).to_have_count(0)


async def test_a_page_is_written_on_a_phone(phone: Page) -> None:
    await begin(phone, f"On the way {uuid4().hex[:6]}")
    await add(phone, "Questions")
    await phone.get_by_label("Question", exact=True).fill("Where?")
    await phone.get_by_label("Answer").fill("[Here](javascript:alert(1))")

    await expect(phone.get_by_text("1 field needs attention.")).to_be_visible()
    await phone.get_by_label("Answer").fill("[Here](/about)")
    await expect(preview(phone).get_by_text("Where?")).to_be_visible()
    await expect(phone.get_by_text("1 field needs attention.")).to_be_hidden()
    await press(phone, "Save draft", "The draft is saved.")
    assert await phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_another_admin_is_told_whose_pages_they_are(page: Page) -> None:
    await signed_in(page, ADMIN)
    await page.goto("/admin/content")

    await expect(page.get_by_text("You lack privileges to use these controls")).to_be_visible()
    await expect(page.get_by_role("link", name="Content", exact=True)).to_have_count(0)

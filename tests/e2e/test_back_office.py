"""The back office as a document of its own, and the way of a product from its form there to shoppers."""

import re
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from tests.e2e.browsing import signed_in, told
from tests.e2e.product_forms import fill_in_product

HOLD_MESSAGES = """
new MutationObserver(() => document.querySelector('[role=status] button')?.focus())
  .observe(document, { childList: true, subtree: true });
"""
"""A message with a button stays while that has focus."""


@pytest.mark.spec("states.form.reset", "validation.product.pictures", "errors.done.product.create")
@pytest.mark.smoke
async def test_a_product_is_created_with_its_pictures_and_found_by_shoppers(page: Page) -> None:
    name = f"Test Shirt {uuid4().hex[:6]}"
    await signed_in(page, "owner@minimal.test")
    await page.goto("/admin?tab=create")

    await fill_in_product(page, name)
    await page.get_by_role("button", name="Create Product").click()

    await told(page, "Product created successfully")
    await expect(page.get_by_label("Name", exact=True)).to_have_value("")
    products = await (await page.request.get(f"/api/product/search?q={name.split()[-1]}")).json()
    assert [(each["name"], each["price"]) for each in products] == [(name, 49.9)]
    await page.goto(f"/product/{products[0]['_id']}")
    await expect(page.get_by_role("heading", name=name)).to_be_visible()
    shown = page.locator("main img").first
    await expect(shown).to_be_visible()
    assert await shown.evaluate("image => image.decode().then(() => image.naturalWidth > 0)")


async def test_the_shop_leads_to_the_back_office_and_back_and_a_message_comes_along(page: Page) -> None:
    office = page.get_by_role("heading", level=1, name="Admin Dashboard")
    home = page.get_by_role("heading", name="New in")
    await signed_in(page, "admin@minimal.test")
    await page.goto("/")
    await expect(home).to_be_visible()

    await page.get_by_role("button", name=re.compile("Account of")).click()
    await page.get_by_role("link", name="Dashboard").click()
    await expect(office).to_be_visible()
    await page.get_by_role("link", name="Audit log").click()
    await page.wait_for_url("**/admin/log")
    await page.get_by_role("link", name="Minimal, home").click()
    await expect(home).to_be_visible()
    await page.go_back()
    await expect(page.get_by_role("heading", level=2, name="Audit log")).to_be_visible()
    await page.get_by_role("button", name=re.compile("Account of")).click()
    await page.get_by_role("button", name="Sign Out").click()

    await expect(home).to_be_visible()
    await told(page, "Logged out successfully")


async def test_a_session_ended_in_the_back_office_leads_home_with_one_message(page: Page) -> None:
    await page.add_init_script(HOLD_MESSAGES)
    await signed_in(page, "admin@minimal.test")
    over = "localStorage.setItem('user', JSON.stringify({ ...JSON.parse(localStorage.user), expiresAt: 1 }))"
    await page.evaluate(over)
    await page.goto("/admin/stock")

    await expect(page.get_by_role("heading", name="New in")).to_be_visible()
    message = page.get_by_role("status").filter(has_text="Session expired. Please sign in again.")
    await message.get_by_role("button", name="Sign In").click()

    await page.wait_for_url("**/signin")


async def test_who_signs_out_in_another_window_is_led_from_the_back_office_to_sign_in(page: Page) -> None:
    await signed_in(page, "admin@minimal.test")
    await page.goto("/admin")
    await expect(page.get_by_role("heading", level=1, name="Admin Dashboard")).to_be_visible()
    other = await page.context.new_page()
    await other.goto("/")

    await other.get_by_role("button", name=re.compile("Account of")).click()
    await other.get_by_role("button", name="Sign Out").click()

    await page.wait_for_url("**/signin")

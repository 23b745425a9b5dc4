"""The operator's page in a real browser, over the processes of a real shop."""

import re

from playwright.async_api import Browser, Page, expect

from tests.e2e.browsing import new_context, signed_in
from tests.e2e.conftest import DESKTOP
from tests.e2e.whole_shop import WholeShop

A_LOOK_LATER = 25_000
"""The page looks again after ten seconds, and a process says that it lives after at most ten."""


async def test_the_owner_sees_which_processes_live_and_what_waits(page: Page) -> None:
    await signed_in(page, "owner@minimal.test")
    await page.goto("/admin")
    await page.get_by_role("link", name="Operations").click()

    processes = page.get_by_role("table", name="Processes")
    for role in ("web", "worker", "reports"):
        row = processes.get_by_role("row", name=re.compile(f"^{role} Alive"))
        await expect(row).to_have_count(1, timeout=A_LOOK_LATER)
    await expect(processes.get_by_text("Alive, keeps the schedule")).to_have_count(1, timeout=A_LOOK_LATER)
    glance = page.get_by_role("table", name="Operations")
    await expect(glance.get_by_role("row", name="Processes 1 web, 1 worker, 1 reports")).to_be_visible()
    await expect(glance.get_by_role("row", name="Catalogue index Current in every process")).to_be_visible()
    queues = page.get_by_role("table", name="Background work").get_by_role("rowheader")
    await expect(queues).to_have_text(["Refunds", "Accounts", "Back in stock", "Mail", "Imports", "Pages", "Reports"])


async def test_another_admin_does_not(browser: Browser, shop: WholeShop) -> None:
    context = await new_context(browser, shop, viewport=DESKTOP)
    page = await context.new_page()
    await signed_in(page, "admin@minimal.test")
    await page.goto("/admin/operations")

    await expect(page.get_by_role("alert")).to_contain_text("Only the primary admin sees how the shop runs.")
    await expect(page.get_by_role("link", name="Operations")).to_have_count(0)
    await context.close()

"""Building reports in a browser."""

import re

from playwright.async_api import Page, expect

from tests.e2e.product_forms import enter

ANALYTICS = "/admin?tab=analytics"
REPORTS = f"{ANALYTICS}&view=reports"
OUTCOME = re.compile(r"^[\d,]+ rows? in [\d,]+ ms\. Cost [\d,]+ of 5,000\.")


async def answered(page: Page) -> None:
    await expect(page.get_by_text(OUTCOME).first).to_be_visible()
    await expect(page.locator("main [aria-busy=true]")).to_have_count(0)


async def build(page: Page, address: str = REPORTS) -> None:
    await enter(page)
    await page.goto(address)
    await answered(page)

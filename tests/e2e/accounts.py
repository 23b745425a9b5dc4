"""Signing in with the form, and reading the mails of an account."""

import asyncio

from playwright.async_api import Page

from tests.e2e.whole_shop import WholeShop


async def sign_in(page: Page, email: str, password: str) -> None:
    await page.goto("/signin")
    await page.get_by_label("E-mail").fill(email)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("button", name="Continue", exact=True).click()


async def mail_about(shop: WholeShop, email: str, words: str) -> str:
    """The text of the first mail to somebody that holds the words, once it has arrived."""
    for _ in range(160):
        for mail in shop.mails(email):
            if words in mail["text"]:
                return str(mail["text"])
        await asyncio.sleep(0.25)
    raise AssertionError(f"no mail to {email} with {words}")

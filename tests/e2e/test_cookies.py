"""The cookies that a walk through the shop leaves in a browser are those that /privacy names, for so long."""

import re
import time
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from playwright.async_api import Page, expect

from tests.e2e.browsing import open_at
from tests.e2e.purchases import new_email, sign_up

NAMED = """() => [...document.querySelectorAll('#cookie li')].map((item) => item.textContent)"""
LISTED = re.compile(r"^(?P<name>\w+), for (?P<number>\d+) (?P<unit>minutes|hours|days)\. (?P<rest>.*)$")
SECONDS = {"minutes": 60, "hours": 3600, "days": 86_400}
UNREADABLE = "Scripts cannot read it"


def base_name(name: str) -> str:
    """Without what tells shops on one host apart: a prefix over https, the port over http."""
    return re.sub(r"^__Host-|-\d+$", "", name)


@pytest.mark.console_error("The authenticator did not answer")
async def test_privacy_page_names_the_cookies_of_a_walk_and_no_others(page: Page) -> None:
    set_for: dict[str, float] = {}
    readable: set[str] = set()

    async def note() -> None:
        cookies: Iterable[Mapping[str, Any]] = await page.context.cookies()
        for cookie in cookies:
            set_for.setdefault(base_name(cookie["name"]), cookie["expires"] - time.time())
        written: str = await page.evaluate("document.cookie")
        readable.update(base_name(pair.partition("=")[0]) for pair in written.split("; ") if pair)

    for address in ("/", "/category/men", "/search?q=linen", "/help/faq", "/wishlist", "/signup"):
        await open_at(page, address)
        await page.wait_for_load_state("networkidle")
    await note()
    assert set_for == {}

    await sign_up(page, new_email())
    await page.wait_for_url(re.compile(r"/$"))
    for address in ("/account", "/cart"):
        await open_at(page, address)
    await note()
    await page.goto("/")
    await page.get_by_role("button", name=re.compile("Account of")).click()
    await page.get_by_role("button", name="Sign Out").click()
    await expect(page.get_by_role("button", name="Sign In")).to_be_visible()
    await page.goto("/signin")
    async with page.expect_response(lambda response: "StartPasskey" in (response.request.post_data or "")):
        await page.get_by_role("button", name=re.compile("passkey")).click()
    await note()
    await page.goto("/privacy")

    listed = [LISTED.match(text) for text in await page.evaluate(NAMED)]
    named = {match["name"]: int(match["number"]) * SECONDS[match["unit"]] for match in listed if match}
    unreadable = {match["name"] for match in listed if match and UNREADABLE in match["rest"]}
    assert None not in listed
    assert set(named) == set(set_for)
    assert unreadable == set(set_for) - readable
    assert {name: round(set_for[name] / 60) for name in named} == {
        name: round(span / 60) for name, span in named.items()
    }

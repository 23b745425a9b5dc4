"""Starting a browser test, and waiting as long as a busy machine needs."""

import asyncio
import re
import sys
from typing import Any

from playwright.async_api import Browser, BrowserContext, Locator, Page, Route, expect

from tests.e2e.whole_shop import WholeShop

DEMO_PASSWORD = "Minimal1!"
PASSWORD = "CorrectHorse7!"
"""Of those who sign up."""
JSON = {"content-type": "application/json", "sec-fetch-site": "same-origin"}
PATIENCE = 30_000
"""Milliseconds that anything may take. It costs nothing where all is well."""
expect.set_options(timeout=PATIENCE)
LONGEST_PAUSE = 0.2
"""Seconds between two looks at a page."""

KEEP_MESSAGES = """
window.said = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      if (node.parentElement?.closest('[role=status]')) said.push(node.textContent);
}).observe(document, { childList: true, subtree: true });
"""
"""A message is there for two seconds, which is too short for who looks now and then."""
WAS_SAID = """(words) => {
  const at = said.findIndex((message) => message.includes(words));
  return at >= 0 && said.splice(at, 1).length === 1;
}"""

IS_TAKEN_OVER = """() => ['header', 'main *'].every((part) =>
  Object.keys(document.querySelector(part) ?? {}).some((key) => key.startsWith('__react')))"""


async def new_context(browser: Browser, shop: WholeShop, **options: Any) -> BrowserContext:
    """A browser of somebody's own in which `goto("/")` is the shop.

    Without `service_workers="allow"` there is none: it fetches the whole client, which costs as much as a page, and
    would ask in the page's stead, unseen by `page.route`.
    """
    context = await browser.new_context(base_url=shop.url, **{"locale": "en-US", "service_workers": "block", **options})
    context.set_default_timeout(PATIENCE)
    await context.add_init_script(KEEP_MESSAGES)
    return context


async def open_at(page: Page, address: str) -> None:
    """Opens a screen of the shop and waits until its script has taken it over, so that no link leads past it."""
    await page.goto(address)
    await until(page, IS_TAKEN_OVER)


async def signed_in(page: Page, email: str, password: str = DEMO_PASSWORD) -> None:
    """As by the form, without the three screens that its way leads over; opens none of the shop's own."""
    await _enter(page, "/api/auth/signin", email=email, password=password)


async def signed_up(page: Page, email: str) -> None:
    """Ada Lovelace, as by the form; opens none of the shop's own screens either."""
    await _enter(page, "/api/auth/signup", name="Ada Lovelace", email=email, password=PASSWORD)


async def _enter(page: Page, path: str, **form: str) -> None:
    answer = await page.request.post(path, data=form, headers=JSON)
    assert answer.ok, await answer.text()
    user = await answer.json()
    stored = {name: user[name] for name in ("name", "email", "role", "expiresAt")} | {"id": user["_id"]}
    await page.goto("/robots.txt")
    await page.evaluate("user => localStorage.setItem('user', JSON.stringify(user))", stored)


async def pick(choice: Locator) -> None:
    """Chooses a radio button or checkbox by its label, which is what can be seen of it."""
    if not await choice.is_checked():
        await choice.locator("xpath=ancestor::label").click()
    await expect(choice).to_be_checked()


async def hold_back(page: Page, address: str, words: str = "") -> asyncio.Event:
    """What goes to such an `address`, and has these words in its body, waits for the event."""
    may_go = asyncio.Event()

    async def hold(route: Route) -> None:
        if words in (route.request.post_data or ""):
            await may_go.wait()
        await route.continue_()

    await page.route(address, hold)
    return may_go


async def accept_unconfirmed(page: Page) -> None:
    """Answers the second question about a new admin, whose e-mail nobody has confirmed."""
    doubt = page.get_by_role("dialog", name=re.compile("is not confirmed"))
    await doubt.get_by_role("button", name="Make Admin").click()


async def told(page: Page, words: str) -> None:
    """Waits for a message with these words. One that has gone again counts as well, and each counts once."""
    await until(page, WAS_SAID, words)


async def until(page: Page, expression: str, argument: object = None) -> None:
    """Waits until it is true. Asked from here, because the shop's policy forbids the page to evaluate strings.

    Each question costs four processes some milliseconds, which a busy page would need itself.
    """
    pause = 0.02
    async with asyncio.timeout(PATIENCE / 1000):
        while not await page.evaluate(expression, argument):
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, 1.5 * pause)


async def run_sql(shop: WholeShop, statement: str) -> None:
    """Changes what the shop's own screens do not."""
    psql = [sys.executable, "-m", "server", "psql", "--quiet", "--set=ON_ERROR_STOP=1"]
    process = await asyncio.create_subprocess_exec(*psql, "-c", statement, env=shop.environment)
    assert await process.wait() == 0

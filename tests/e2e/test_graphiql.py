"""GraphiQL on the demo shop: every example of its menu is chosen and executed as it stands."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect

from tests.e2e.axe import AXE, FINDINGS, RUN_WCAG
from tests.e2e.whole_shop import ROOT, WholeShop

EXAMPLES = [path for path in sorted((ROOT / "examples").glob("*/*.graphql")) if ".lookup." not in path.name]
PUBLISHED = re.compile(
    r"^(nested-interactive: <li[^>]* class=\"graphiql-tab|color-contrast: <div class=\"line-numbers)"
)
"""GraphiQL's own tabs, which have buttons in a tab, and Monaco's number of an empty last line.

GraphiQL 5.4.0, the newest, has neither other tabs nor an option without them: `disableTabs` (its pull request 3408) was
taken back.
"""
NO_SIDEWAYS = "document.documentElement.scrollWidth <= innerWidth"
SMALL = """[...document.querySelectorAll('button, a')].filter((each) => each.checkVisibility())
  .filter((each) => !each.closest('.monaco-editor'))
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([, { width, height }]) => width && (width < 24 || height < 24)).map(([each]) => each.outerHTML)"""


def account_of(example: Path) -> str:
    named = re.search(r"^# Account: (\w+)$", example.read_text(), re.MULTILINE)
    assert named
    return named[1]


def title_of(example: Path) -> str:
    return example.read_text().splitlines()[0].removeprefix("# ")


async def open_graphiql(page: Page, address: str = "/graphiql") -> None:
    await page.goto(address)
    await expect(page.locator("#graphiql")).to_have_attribute("aria-busy", "false")


def menu(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Examples")


async def be(page: Page, account: str) -> None:
    """Signs in as an account by one press; `none` signs out."""
    button = page.get_by_role("group", name="Signed in as").get_by_role(
        "button", name="Visitor" if account == "none" else account
    )
    if await button.get_attribute("aria-pressed") != "true":
        await button.click()
    await expect(button).to_have_attribute("aria-pressed", "true")


async def choose(page: Page, example: Path) -> None:
    """Chooses an example in the menu, and waits until it is in the editor."""
    item = menu(page).get_by_role("button", name=title_of(example), exact=True)
    await item.click()
    await expect(item).to_have_attribute("aria-current", "true")


async def execute(page: Page) -> dict[str, Any]:
    """The data of the answer to what stands in the editor. Fails for errors."""
    async with page.expect_response(lambda each: each.url.endswith("/graphql")) as answering:
        await page.get_by_role("button", name="Execute query").click()
    answer = await (await answering.value).json()
    assert answer.get("errors", []) == []
    data: dict[str, Any] = answer["data"]
    return data


async def run(page: Page, name: str) -> dict[str, Any]:
    """The data of one example, chosen and executed as the account that it names."""
    [example] = [each for each in EXAMPLES if each.stem.endswith(name)]
    await be(page, account_of(example))
    await choose(page, example)
    return await execute(page)


async def test_every_example_gives_data_to_the_account_it_names(page: Page) -> None:
    await open_graphiql(page)
    account = ""

    for example in EXAMPLES:
        if account != account_of(example):
            account = account_of(example)
            await be(page, account)
        await choose(page, example)
        await expect(page.locator(".status p")).to_have_count(0)
        data = await execute(page)
        assert None not in data.values(), example
        assert {"InvalidInput", "TooManyAttempts"}.isdisjoint(re.findall(r'"__typename": "(\w+)"', json.dumps(data)))

    assert len(EXAMPLES) == await menu(page).get_by_role("button").count()


async def test_examples_lead_from_a_search_to_a_canceled_order(page: Page, shop: WholeShop) -> None:
    await open_graphiql(page)

    assert (await run(page, "search"))["search"]["corrected"] == "oxford"
    before = (await run(page, "1-orders"))["viewer"]["orders"]["totalCount"]
    assert (await run(page, "add-to-cart"))["addToCart"]["count"] >= 1
    session = (await run(page, "buy"))["startCheckout"]["sessionId"]
    shop.tell(f"sessions/{session}/pay", card="4242424242424242")
    order = (await run(page, "confirm-the-order"))["completeCheckout"]["order"]
    assert order["paymentStatus"] == "PAID"
    assert (await run(page, "1-orders"))["viewer"]["orders"]["totalCount"] == before + 1
    canceled = (await run(page, "cancel-order"))["cancelOrder"]

    assert canceled["number"] == order["number"]
    assert canceled["isCanceled"] is True


async def test_examples_of_reports_answer_an_admin(page: Page) -> None:
    await open_graphiql(page)

    def report(data: dict[str, Any]) -> dict[str, Any]:
        answered: dict[str, Any] = data["admin"]["analytics"]["report"]
        return answered

    months = report(await run(page, "report-by-month"))
    best = report(await run(page, "top-products"))
    file = report(await run(page, "report-as-a-file"))
    behaviour = (await run(page, "funnel-cohorts-baskets"))["admin"]["analytics"]
    guide = (await run(page, "report-catalogue"))["admin"]["analytics"]["catalogue"]

    assert months["rowCount"] == len(months["rows"]) == 6 * 5
    assert [row["product"]["isOther"] for row in best["rows"]] == [False] * 5 + [True]
    assert file["export"].splitlines()[-1].startswith("Total,")
    assert len(behaviour["cohorts"]) == 6
    assert len(guide["measures"]) == len(guide["dimensions"]) == 22


async def test_an_example_that_needs_an_account_offers_to_sign_in(page: Page) -> None:
    await open_graphiql(page)
    [example] = [each for each in EXAMPLES if each.stem.endswith("ship-order")]
    await choose(page, example)
    status = page.locator("#graphiql").get_by_role("status").filter(has_text="needs an admin")

    await status.get_by_role("button", name="Sign in as admin").click()

    await expect(page.get_by_role("button", name="admin", exact=True)).to_have_attribute("aria-pressed", "true")
    await expect(page.locator(".status p")).to_have_count(0)
    assert (await execute(page))["shipOrder"]["__typename"] == "OrderChanged"


async def test_a_url_of_the_api_opens_in_graphiql_and_is_not_executed(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.post_data or ""))
    document = "query One { shop { name } } query Two { shop { currency } }"

    await open_graphiql(page, f"/graphql?query={document}&operationName=One&variables=%7B%22n%22%3A1%7D")

    editor = page.get_by_role("region", name="Operation Editor")
    await expect(editor).to_contain_text("query Two")
    await expect(page.get_by_role("region", name="Variables")).to_contain_text('"n": 1'.replace(" ", ""))
    # GraphiQL alone would choose the last one.
    await expect(page.get_by_role("tab", name="One")).to_be_visible()
    assert not any("query Two" in each for each in requests)


@pytest.mark.parametrize("titles", [("Search", '"corrected": "oxford"')])
async def test_on_a_phone_an_example_is_chosen_and_executed_by_keyboard(phone: Page, titles: tuple[str, str]) -> None:
    title, result = titles
    await open_graphiql(phone)
    panes = phone.get_by_role("navigation", name="Panes")
    await phone.evaluate(AXE)

    async def check() -> None:
        assert await phone.evaluate(NO_SIDEWAYS)
        assert await phone.evaluate(SMALL) == []
        found = await phone.evaluate(FINDINGS, RUN_WCAG)
        assert [each for each in found if not PUBLISHED.match(each)] == []

    await check()
    await panes.get_by_role("button", name="Examples").press("Enter")
    await expect(menu(phone)).to_be_visible()
    await check()
    await menu(phone).get_by_role("button", name=title, exact=True).press("Enter")
    await expect(phone.get_by_role("button", name="Execute query")).to_be_focused()
    await expect(phone.get_by_role("region", name="Operation Editor")).to_contain_text(title)
    await phone.keyboard.press("Enter")

    await expect(panes.get_by_role("button", name="Result")).to_be_focused()
    await expect(phone.locator(".graphiql-response")).to_contain_text(result)
    await expect(phone.get_by_role("region", name="Operation Editor")).to_be_hidden()
    await check()

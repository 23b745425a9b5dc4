"""Analytics in the browser: the overview's charts, and reports that are built, saved, exported and opened."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from playwright.async_api import Locator, Page, TimeoutError, expect

from tests.e2e.axe import AXE, FINDINGS, RUN_ALL, RUN_COLORS, RUN_WCAG
from tests.e2e.browsing import hold_back, told
from tests.e2e.product_forms import enter
from tests.e2e.report_screens import ANALYTICS, REPORTS, answered, build


def word(page: Page, role: str, words: str) -> Locator:
    """A word of the report's sentence."""
    return page.get_by_role("button", name=f"{role}: {words}", exact=True)


def asked(page: Page) -> dict[str, list[str]]:
    """What the address says of the report."""
    return parse_qs(urlsplit(page.url).query)


async def query_of(page: Page) -> str:
    return await page.get_by_role("complementary", name="The query").locator("pre").inner_text()


@pytest.mark.smoke
async def test_a_report_is_composed_by_keyboard_alone(page: Page) -> None:
    await build(page, f"{REPORTS}&show=net-sales&by=month")

    await word(page, "Add to the report", "Add").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="A measure")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.get_by_role("button", name="Category", exact=True).focus()
    await page.keyboard.press("Enter")
    await expect(word(page, "Split by", "category")).to_be_visible()
    await expect(word(page, "Add to the report", "Add")).to_be_focused()

    await word(page, "Measure", "net sales").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Net sales Gross sales less")).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_role("button", name="Discounts Price")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(word(page, "Measure", "net sales")).to_be_focused()
    await page.keyboard.press("Enter")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")

    await expect(word(page, "Measure", "discounts")).to_be_focused()
    await answered(page)
    await expect(page.get_by_role("heading", name="Discounts by month and category")).to_be_visible()
    assert asked(page) == {
        "tab": ["analytics"],
        "view": ["reports"],
        "show": ["discounts"],
        "by": ["month,category"],
        "in": ["last-12-months"],
    }
    await page.go_back()
    await expect(word(page, "Measure", "net sales")).to_be_visible()


async def test_a_report_is_filtered_compared_and_drawn_by_mouse(page: Page) -> None:
    await build(page)

    await word(page, "Add to the report", "Add").click()
    await page.get_by_role("button", name="A filter").click()
    await page.get_by_role("button", name="Country", exact=True).click()
    await page.get_by_label("Germany").check()
    await page.get_by_label("France").check()
    await page.keyboard.press("Escape")
    await expect(word(page, "Filter", "country is Germany or France")).to_be_visible()
    await word(page, "Period", "last 12 months").click()
    await page.get_by_role("button", name="This year", exact=True).click()
    await word(page, "Add to the report", "Add").click()
    await page.get_by_role("button", name="A comparison").click()
    await page.get_by_role("button", name="The year before").click()
    await answered(page)

    await expect(word(page, "Comparison", "the year before")).to_be_visible()
    await expect(page.get_by_role("columnheader", name="Year before")).to_have_count(2)
    await expect(page.get_by_text(re.compile(r"is not over: \d+ of \d+ days\. Compared with the same"))).to_be_visible()
    for kind in ("Line", "Bar", "Stacked"):
        await page.get_by_role("group", name="Drawn as").get_by_role("button", name=kind).click()
        await expect(page.get_by_role("img", name="Net sales by month and category")).to_be_visible()
    await expect(page.get_by_role("button", name="Heat map")).to_have_count(0)

    by_sales = page.get_by_role("columnheader", name="Net sales")
    await by_sales.get_by_role("button").click()
    await expect(by_sales).to_have_attribute("aria-sort", "descending")
    await answered(page)
    sales = page.get_by_role("table", name="Rows").locator("tbody tr:not(:last-child) td:nth-of-type(2)")
    amounts = [float(text.replace("$", "").replace(",", "")) for text in await sales.all_inner_texts()]
    assert len(amounts) > 20
    assert amounts == sorted(amounts, reverse=True)
    assert "compared" not in await query_of(page)
    assert 'where: { country: ["Germany", "France"] }' in await query_of(page)


async def test_what_does_not_fit_says_why_and_does_nothing(page: Page) -> None:
    await build(page, f"{REPORTS}&show=net-sales&by=category")

    await word(page, "Measure", "net sales").click()
    shipping = page.get_by_role("button", name="Shipping Cannot be split or filtered by category")
    await expect(shipping).to_have_attribute("aria-disabled", "true")
    await shipping.click(force=True)

    assert asked(page)["show"] == ["net-sales"]
    await expect(shipping).to_be_visible()


LYING_BARS = """(region) => [...region.querySelectorAll('li')].map((row) => {
  const [name, bar, value] = ['span', 'svg', 'div > span'].map((part) => row.querySelector(part));
  const [left, right] = [name, bar].map((one) => one.getBoundingClientRect());
  return {
    name: name.textContent,
    value: value.textContent,
    width: bar.querySelector('rect').getBoundingClientRect().width,
    clipped: name.scrollWidth > name.clientWidth || value.scrollWidth > value.clientWidth,
    apart: left.right <= right.left || left.bottom <= right.top,
  };
})"""


@pytest.mark.parametrize("width", [390, 1440])
async def test_lying_bars_are_named_in_full_and_scrolled_by_keyboard(page: Page, width: int) -> None:
    await page.set_viewport_size({"width": width, "height": 900})
    await build(page, f"{REPORTS}&show=net-sales&by=product&chart=bar")
    region = page.get_by_role("region", name=re.compile(r"^Net sales by product\. Rows: \d+\.$"))

    bars = await region.evaluate(LYING_BARS)
    await region.focus()
    await page.keyboard.press("End")

    assert len(bars) >= 40
    assert len({bar["name"] for bar in bars}) == len(bars)
    assert all(bar["apart"] and not bar["clipped"] for bar in bars)
    amounts = [float(bar["value"].replace("$", "").replace(",", "")) for bar in bars]
    pixels = bars[0]["width"] / amounts[0]
    assert [bar["width"] for bar in bars] == pytest.approx([amount * pixels for amount in amounts], abs=1)
    await expect(region.get_by_role("listitem").last).to_be_in_viewport()
    await page.evaluate(AXE)
    assert await page.evaluate(FINDINGS, RUN_ALL) == []


async def test_a_report_is_saved_opened_from_its_link_renamed_and_deleted(page: Page) -> None:
    name = f"Every week {uuid4().hex[:6]}"
    await build(page, f"{REPORTS}&show=orders&by=week&in=last-90-days&chart=bar")

    await page.get_by_role("button", name="Save report").click()
    await page.get_by_role("dialog").get_by_label("Name").fill(name)
    await page.keyboard.press("Enter")
    await expect(word(page, "Saved reports", name)).to_be_visible()
    await page.reload()
    await expect(word(page, "Saved reports", name)).to_be_visible()
    await expect(word(page, "Split by", "week")).to_be_visible()
    await expect(page.get_by_role("button", name="Bar")).to_have_attribute("aria-pressed", "true")

    await word(page, "Measure", "orders").click()
    await page.get_by_role("button", name="Units Pieces").click()
    await expect(page.get_by_text("Changed since it was saved")).to_be_visible()
    await page.goto(REPORTS)
    await word(page, "Saved reports", "Not saved").click()
    await page.get_by_role("button", name=name).click()
    await expect(word(page, "Measure", "orders")).to_be_visible()

    await word(page, "Saved reports", name).click()
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_role("dialog").get_by_label("Name").fill(f"{name}, orders")
    await page.keyboard.press("Enter")
    await expect(word(page, "Saved reports", f"{name}, orders")).to_be_visible()
    await word(page, "Saved reports", f"{name}, orders").click()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(word(page, "Saved reports", "Not saved")).to_be_visible()
    await word(page, "Saved reports", "Not saved").click()
    await expect(page.get_by_role("button", name=name)).to_have_count(0)


async def test_a_link_opens_the_same_report_for_another_admin(page: Page) -> None:
    await build(page, f"{REPORTS}&show=units&by=color&in=this-year&top=5-color")
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    await page.get_by_role("button", name="Share").click()
    await told(page, "Link copied")
    link = await page.evaluate("navigator.clipboard.readText()")
    await enter(page, "admin@minimal.test")
    await page.goto(link)
    await answered(page)

    await expect(word(page, "Split by", "color, the 5 with most")).to_be_visible()
    rows = page.get_by_role("table", name="Rows").locator("tbody tr")
    await expect(rows).to_have_count(5 + 1 + 1)
    await expect(rows.nth(5)).to_contain_text("Other")


async def test_a_report_is_taken_along_as_a_file(page: Page) -> None:
    await build(page, f"{REPORTS}&show=net-sales,orders&by=category&versus=previous-year")
    shown = await page.get_by_role("table", name="Rows").locator("tbody th").all_inner_texts()

    async with page.expect_download() as download:
        await page.get_by_role("button", name="Export CSV").click()
    file = await download.value
    content = _read(await file.path())
    head, *rows = list(csv.reader(io.StringIO(content, newline="")))

    assert file.suggested_filename == "net-sales-by-category.csv"
    assert head[:2] == ["Category", "Net sales"]
    assert re.fullmatch(r"Net sales, previous year \(\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d( \d\d:\d\d)?\)", head[2])
    assert [row[0] for row in rows] == shown


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig")


async def test_the_query_opens_in_graphiql_and_runs_as_it_stands(page: Page) -> None:
    await build(page, f"{REPORTS}&show=orders&by=weekday&in=last-90-days")
    total = await page.get_by_role("table", name="Rows").locator("tbody tr:last-child td").inner_text()
    query = await query_of(page)
    requests: list[str] = []
    page.context.on("request", lambda request: requests.append(request.url))

    async with page.expect_popup() as popup:
        await page.get_by_role("link", name="Open in GraphiQL").click()
    workbench = await popup.value
    await expect(workbench.get_by_role("tab", name="OrdersByWeekday")).to_be_visible()
    async with workbench.expect_response(lambda each: "OrdersByWeekday" in (each.request.post_data or "")) as answering:
        await workbench.get_by_role("button", name="Execute query").click()
    response = await answering.value
    sent: dict[str, Any] = json.loads(response.request.post_data or "{}")
    report = (await response.json())["data"]["admin"]["analytics"]["report"]

    assert sent["query"].strip() == query.strip()
    assert report["totals"]["orders"]["formatted"] == total
    assert [row["weekday"]["label"] for row in report["rows"]][:2] == ["Monday", "Tuesday"]
    assert [url for url in requests if "query=" in url.split("#")[0]] == []


async def test_graphiql_takes_no_press_before_its_editors_are_there(page: Page) -> None:
    come = await hold_back(page, "**/assets/monaco-editor-*.js")
    await page.goto("/graphiql#query=%7B%20shop%20%7B%20currency%20%7D%20%7D")
    workbench = page.locator("#graphiql")
    run = page.get_by_role("button", name="Execute query")
    await expect(workbench).to_have_attribute("aria-busy", "true")
    await expect(run).to_be_visible()
    with pytest.raises(TimeoutError):
        await run.click(timeout=1_000)
    await page.evaluate(AXE)
    assert await page.evaluate(FINDINGS, RUN_WCAG) == []

    async with page.expect_response(lambda each: "{ shop" in (each.request.post_data or "")) as answering:
        come.set()
        await run.click()

    await expect(workbench).to_have_attribute("aria-busy", "false")
    assert (await (await answering.value).json())["data"] == {"shop": {"currency": "USD"}}


async def test_graphiql_hands_out_a_link_to_what_stands_in_it(page: Page) -> None:
    shared = "#query=" + "%7B%20shop%20%7B%20currency%20%7D%20%7D" + "&variables=%7B%22a%22%3A1%7D"
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.goto(f"/graphiql{shared}")

    await page.get_by_role("button", name="Copy a link to this query").click()
    await told(page, "Link copied")

    assert (await page.evaluate("navigator.clipboard.readText()")).endswith(f"/graphiql{shared}")
    assert "#" not in page.url


async def test_a_report_is_printed_whole_and_without_the_screen_around_it(page: Page) -> None:
    await build(page, f"{REPORTS}&show=net-sales,orders&by=month,category&in=last-12-months")
    more = page.get_by_role("button", name=re.compile(r"^Show all \d+ rows"))
    count = int((re.search(r"\d+", await more.inner_text()) or ["0"])[0])
    rows = page.get_by_role("table", name="Rows").locator("tbody tr")
    assert await rows.count() == 30 + 1 < count

    await page.set_viewport_size({"width": 794, "height": 1123})
    await page.emulate_media(media="print", color_scheme="dark")
    await page.evaluate("dispatchEvent(new Event('beforeprint'))")

    await expect(rows).to_have_count(count + 1)
    for part in ("banner", "contentinfo", "tablist"):
        await expect(page.get_by_role(part)).to_have_count(0)
    chart = await page.get_by_role("img", name="Net sales by month and category").locator("svg").first.bounding_box()
    assert chart is not None
    assert 600 < chart["width"] < 794
    assert await page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


async def test_rows_lead_to_the_orders_behind_them(page: Page) -> None:
    await build(page, f"{REPORTS}&show=orders&by=category&in=last-90-days")
    row = page.get_by_role("table", name="Rows").locator("tbody tr").first
    name, count = await row.get_by_role("rowheader").inner_text(), await row.get_by_role("button").inner_text()

    await row.get_by_role("button").click()
    drawer = page.get_by_role("dialog", name=name)
    said = drawer.get_by_text(re.compile(r"^\d+ orders, paid or paid back in it, the latest first\.$"))
    await expect(said).to_be_visible()
    behind = int((await said.inner_text()).split()[0])
    assert behind >= int(count) > 20
    await drawer.get_by_role("button", name="Show earlier").click()
    await expect(drawer.locator("tbody tr")).to_have_count(min(40, behind))
    order = drawer.locator("tbody tr").first.get_by_role("link")
    number = await order.inner_text()
    await order.click()

    await expect(page).to_have_url(re.compile(r"/admin/orders/[\w-]+$"))
    await expect(page.get_by_role("heading", name=number)).to_be_visible()


async def test_the_mornings_charts_each_have_a_table_and_a_sentence(page: Page) -> None:
    await enter(page)
    await page.goto(ANALYTICS)
    names = {
        "Net sales by day": 30,
        "From view to paid": 4,
        "Net sales by category": 12,
        "When orders come": 24,
        "New and returning": 2,
    }

    for name, least in names.items():
        card = page.get_by_role("region", name=name)
        await expect(card.locator("p").last).to_have_text(re.compile(r"\w.*\."))
        await card.get_by_role("button", name=f"{name} as a table").click()
        rows = card.get_by_role("table", name=name).locator("tbody tr")
        await expect(rows.nth(least - 2)).to_be_visible()
    await expect(
        page.get_by_role("region", name="Soon sold out").get_by_role("link", name="See the stock")
    ).to_be_visible()

    await page.get_by_label("Period", exact=True).select_option("Last 7 days")
    await expect(page).to_have_url(re.compile("in=LAST_7_DAYS"))
    days = page.get_by_role("table", name="Net sales by day").locator("tbody tr")
    await expect(days).to_have_count(7)


async def test_axe_finds_nothing_in_a_table_of_hours_in_either_theme(page: Page) -> None:
    address = f"{REPORTS}&show=orders&by=weekday,hour-of-day"
    await enter(page)
    for theme, options in (("light", RUN_ALL), ("dark", RUN_COLORS)):
        await page.emulate_media(color_scheme="light" if theme == "light" else "dark")
        await page.goto(address)
        await expect(page.get_by_role("img").first).to_be_visible()
        await expect(page.locator("main [role=status] svg")).to_have_count(0)
        await page.evaluate(AXE)

        assert await page.evaluate(FINDINGS, options) == []


async def test_the_charts_of_the_morning_come_without_moving_the_page(page: Page) -> None:
    await enter(page)
    await page.add_init_script(
        "window.shifted = 0; window.shifts = [];"
        "new PerformanceObserver((seen) => { for (const shift of seen.getEntries()) { window.shifted += shift.value;"
        " window.shifts.push(shift.value.toFixed(3) + ' ' + shift.sources.map(({ node, previousRect, currentRect }) =>"
        " (node?.className || node?.nodeName) + ' ' + previousRect.y + '>' + currentRect.y).join('; ')); } })"
        ".observe({ type: 'layout-shift', buffered: true });"
    )

    await page.goto(ANALYTICS)
    await expect(page.get_by_role("button", name="Net sales by category as a table")).to_be_visible()
    await expect(page.get_by_role("button", name="Soon sold out as a table")).to_be_visible()
    await expect(page.get_by_text("Counting", exact=True)).to_have_count(0)

    assert await page.evaluate("window.shifted") < 0.02, await page.evaluate("window.shifts")

"""What leaves the printer, of somebody who sees the shop in the dark: the pages that people print, on A4."""

from collections.abc import Awaitable, Callable
from io import BytesIO

import pytest
from playwright.async_api import Page, ViewportSize, expect
from pypdf import PdfReader

from tests.e2e.report_screens import REPORTS, build
from tests.e2e.screens import World

A4: ViewportSize = {"width": 794, "height": 1123}

SEEN = """const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });"""
CONTROLS = f"""() => {{ {SEEN}
  const controls = 'input, textarea, [role=tab], header button, nav a, footer a, button svg, select ~ svg';
  const acts = /^(Print|Save|Share|Copy|Download|Export|Show all|Filter)\\b/;
  return [...document.querySelectorAll(`${{controls}}, button`)].filter(seen)
    .filter((one) => one.matches(controls) || acts.test(one.innerText)).map((one) => one.outerHTML.slice(0, 200)); }}"""
"""Words of a sentence and numbers of a table that can be pressed on a screen are words and numbers on paper."""
FAINT = f"""() => {{ {SEEN}
  const light = (part) => (part /= 255) <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  const contrast = (color) => {{
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.fillStyle = 'white'; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return 1.05 / (0.2126 * light(red) + 0.7152 * light(green) + 0.0722 * light(blue) + 0.05);
  }};
  const hasWords = (one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll('body *')].filter((one) => seen(one) && hasWords(one))
    .filter((one) => one.getBoundingClientRect().bottom > 0)
    .filter((one) => contrast(getComputedStyle(one)[one instanceof SVGElement ? 'fill' : 'color']) < 4.5)
    .map((one) => one.outerHTML.slice(0, 200)); }}"""
CUT_OFF = f"""() => {{ {SEEN}
  const cut = (one) => one.getBoundingClientRect().right > innerWidth + 1 || one.getBoundingClientRect().left < -1
    || (getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1);
  return [...document.querySelectorAll('body *')]
    .filter((one) => seen(one) && one.getBoundingClientRect().width > 1 && cut(one))
    .map((one) => one.outerHTML.slice(0, 200)); }}"""
STRETCHED = """() => [...document.querySelectorAll('main ul svg')]
  .filter((one) => one.getBoundingClientRect().width > 40).map((one) => one.outerHTML.slice(0, 200))"""
"""Keys of a legend."""
LOOKS = {"controls": CONTROLS, "faint": FAINT, "cut off": CUT_OFF, "stretched": STRETCHED}


async def overview(page: Page) -> None:
    await page.goto("/admin?tab=analytics")
    await expect(page.locator("main svg.recharts-surface").first).to_be_visible()


async def report(page: Page) -> None:
    await build(page, f"{REPORTS}&show=net-sales,orders&by=month,category&in=last-12-months")


@pytest.mark.parametrize(
    ("prepare", "words", "sheets"),
    [
        pytest.param(overview, ("Net sales by day", "From view to paid", "Net sales by category"), 5, id="overview"),
        pytest.param(report, ("Net sales by month and category", "Dec 2025", "Nov 2026"), 5, id="report"),
    ],
)
async def test_on_paper_all_is_dark_on_white_nothing_is_cut_off_and_there_is_no_control(
    world: World, prepare: Callable[[Page], Awaitable[None]], words: tuple[str, ...], sheets: int
) -> None:
    async with world.visit("owner", A4, theme="dark") as page:
        await prepare(page)
        await page.emulate_media(media="print", color_scheme="dark")
        await page.evaluate("dispatchEvent(new Event('beforeprint'))")
        await expect(page.locator("footer")).to_be_hidden()
        findings = {name: await page.evaluate(looked) for name, looked in LOOKS.items()}
        pdf = PdfReader(BytesIO(await page.pdf(format="A4")))

    assert [each for several in findings.values() for each in several] == []
    printed = " ".join(sheet.extract_text() for sheet in pdf.pages)
    assert [word for word in words if word not in printed] == []
    assert len(pdf.pages) <= sheets

"""What is asked of every screen in every state: nothing for axe to find, targets to hit, focus to see, room enough.

`just test` sees each screen once, on a phone and on a desktop by turns, and leaves out those that are `like` another;
`just axe` (EVERY_SIZE=1) sees all of them on both.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Page, ViewportSize

from tests.e2e.axe import AXE, EVERY_SIZE, FINDINGS, RUN_ALL, RUN_COLORS
from tests.e2e.conftest import DESKTOP, PHONE
from tests.e2e.screens import SCREENS, Screen, World

SEEN = SCREENS if EVERY_SIZE else [screen for screen in SCREENS if not screen.like]
NARROWEST: ViewportSize = {"width": 320, "height": 640}
ZOOMED: ViewportSize = {"width": 640, "height": 450}
"""A window of 1280 x 900 at 200 %, in CSS pixels."""
WIDTHS = (390, 820, 960, 1200, 1440)
"""Windows in which nothing stands out sideways, beside the narrowest or zoomed one: from 960 on rooms take a side."""

SMALL = """() => {
  const things = 'a[href], button, input, select, textarea, summary, [role=tab], [role=option]';
  const inline = (one) => getComputedStyle(one).display === 'inline' && one.closest('p, li, dd, td, summary')
    && one.closest('p, li, dd, td, summary').textContent.trim() !== one.textContent.trim();
  return [...document.querySelectorAll(things)]
    .filter((one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('[inert]') && !inline(one))
    .map((one) => [one, (one.matches('input') && one.closest('label') || one).getBoundingClientRect()])
    .filter(([one, {width, height}]) => width > 1 && (width < 24 || height < 24))
    .map(([one, {width, height}]) => `${Math.round(width)}x${Math.round(height)} ${one.outerHTML.slice(0, 160)}`);
}"""

UNSEEN_FOCUS = """async () => {
  const things = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]';
  const outlined = (one) => one && getComputedStyle(one).outlineStyle !== 'none'
    && parseFloat(getComputedStyle(one).outlineWidth) >= 2;
  const lined = (one) => ['borderBottomWidth', 'boxShadow', 'borderBottomColor', 'outline']
    .map((property) => [one, one.parentElement].map((each) => getComputedStyle(each)[property]).join()).join();
  const top = document.querySelector('dialog[open]') ?? document;
  const unseen = [];
  for (const one of top.querySelectorAll(things)) {
    if (!one.checkVisibility({visibilityProperty: true}) || one.closest('[inert]') || one.tabIndex < 0) continue;
    document.activeElement.blur();
    const before = lined(one);
    one.focus({preventScroll: true});
    if (document.activeElement !== one || !one.matches(':focus-visible')) continue;
    const near = [one, one.closest('label'), one.parentElement, one.nextElementSibling, one.firstElementChild];
    if (!near.some(outlined) && lined(one) === before) unseen.push(one.outerHTML.slice(0, 160));
  }
  return unseen;
}"""

SIDEWAYS = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')]
  .map((one) => [one.getBoundingClientRect().right, one])
  .filter(([right]) => right > innerWidth + 1)
  .map(([right, one]) => `${Math.round(right)} ${one.outerHTML.slice(0, 120)}`).slice(0, 8)"""


@dataclass(frozen=True)
class Found:
    """What was found wrong on one screen, in words."""

    axe: list[str] = field(default_factory=list)
    axe_in_the_dark: list[str] = field(default_factory=list)
    small_targets: list[str] = field(default_factory=list)
    unseen_focus: list[str] = field(default_factory=list)
    sideways: list[str] = field(default_factory=list)


async def _examine(page: Page, narrow: ViewportSize) -> Found:
    await page.evaluate("scrollTo(0, 0)")
    await page.evaluate(AXE)
    axe = await page.evaluate(FINDINGS, RUN_ALL)
    small = await page.evaluate(SMALL)
    await page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    dark = await page.evaluate(FINDINGS, RUN_COLORS)
    sideways = [line for width in WIDTHS for line in await _sideways(page, {"width": width, "height": 900})]
    sideways += await _sideways(page, narrow)
    await page.keyboard.press("Shift")
    unseen = await page.evaluate(UNSEEN_FOCUS)
    return Found(axe, dark, small, unseen, sideways)


def visits() -> Iterator[tuple[str, Screen, ViewportSize]]:
    """Which screens are seen at which size. By turns, or each on both."""
    sizes = [("phone", PHONE), ("desktop", DESKTOP)]
    for screen in SEEN:
        fitting = [(name, size) for name, size in sizes if screen.fits(size["width"])]
        for name, size in fitting if EVERY_SIZE else fitting[:1]:
            yield f"{screen.name}-{name}", screen, size
        sizes.reverse()


async def _sideways(page: Page, viewport: ViewportSize) -> list[str]:
    await page.set_viewport_size(viewport)
    return [f"{viewport['width']}: {line}" for line in await page.evaluate(SIDEWAYS)]


@pytest.mark.parametrize(("screen", "viewport"), [pytest.param(*case, id=name) for name, *case in visits()])
async def test_a_screen_can_be_seen_read_and_hit_by_everybody(
    world: World, screen: Screen, viewport: ViewportSize
) -> None:
    """At 320 pixels, in a window at 200 % and in either theme as well."""
    async with world.open(screen, viewport) as page:
        findings = await _examine(page, ZOOMED if viewport == DESKTOP else NARROWEST)

    assert findings == Found()


def test_who_stands_for_another_is_seen() -> None:
    assert {screen.like for screen in SCREENS if screen.like} <= {screen.name for screen in SCREENS if not screen.like}

"""`python -m tests.e2e.screenshots [folder] [name ...]`: every screen as pictures, four widths, both themes."""

import argparse
import asyncio
import os
import sys
from pathlib import Path

from playwright.async_api import Error, Page, ViewportSize, async_playwright

from tests.e2e.chromium import ARGUMENTS, find
from tests.e2e.screens import PICTURES_THERE, SCREENS, Screen, World, make_world
from tests.e2e.whole_shop import ROOT, WholeShop, open_shop
from tests.folders import temporary_folder

HEIGHTS = {360: 780, 630: 900, 960: 900, 1440: 900}
MODAL = "document.querySelector('dialog[open], :popover-open, header [aria-expanded=true]') !== null"


async def take(world: World, screen: Screen, viewport: ViewportSize, folder: Path, themes: list[str]) -> None:
    """The whole page, or the window alone where something lies over the page."""
    async with world.open(screen, viewport) as page:
        for theme in themes:
            await page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
            await page.evaluate(PICTURES_THERE)
            name = f"{screen.name}-{viewport['width']}{'-dark' if theme == 'dark' else ''}.png"
            await page.screenshot(path=folder / name, full_page=not await _is_covered(page), animations="disabled")


async def _is_covered(page: Page) -> bool:
    covered: bool = await page.evaluate(f"{MODAL} || scrollY > 0")
    return covered


async def take_all(shop: WholeShop, folder: Path, screens: list[Screen], widths: list[int], themes: list[str]) -> int:
    """Returns how many screens could not be brought to their state; each is named on the way."""
    chromium = find()
    assert chromium is not None, "There is no Chromium."
    failed = 0
    async with async_playwright() as playwright:
        env: dict[str, str | float | bool] = {**os.environ, **chromium.env}
        browser = await playwright.chromium.launch(executable_path=chromium.path, args=ARGUMENTS, env=env)
        world = await make_world(shop, browser)
        for screen in screens:
            for width in filter(screen.fits, widths):
                try:
                    await take(world, screen, {"width": width, "height": HEIGHTS[width]}, folder, themes)
                except (Error, AssertionError) as error:
                    failed += 1
                    sys.stdout.write(f"{screen.name} at {width}: {error}\n")
        await browser.close()
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="just screenshots", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "test-results" / "screens")
    parser.add_argument("names", nargs="*", help="only screens whose name begins so")
    parser.add_argument("--width", type=int, action="append", choices=HEIGHTS)
    parser.add_argument("--theme", action="append", choices=["light", "dark"])
    options = parser.parse_args()
    screens = [screen for screen in SCREENS if not options.names or screen.name.startswith(tuple(options.names))]
    options.folder.mkdir(parents=True, exist_ok=True)
    with temporary_folder() as data, open_shop(data / "shop") as shop:
        failed = asyncio.run(
            take_all(shop, options.folder, screens, options.width or list(HEIGHTS), options.theme or ["light", "dark"])
        )
    sys.stdout.write(f"{len(screens)} screens are in {options.folder}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.e2e.references`: takes the pictures anew that `test_references` holds the shop to."""

import asyncio
import os
import sys
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops
from playwright.async_api import Browser, Playwright, ViewportSize, async_playwright

from tests.e2e.chromium import ARGUMENTS, packaged
from tests.e2e.screens import (
    OPEN_FILTER,
    OPEN_MENU,
    OPEN_SIZE_GUIDE,
    PICTURES_THERE,
    Screen,
    World,
    fill,
    make_world,
    search,
)
from tests.e2e.whole_shop import open_shop
from tests.folders import temporary_folder

FOLDER = Path(__file__).with_name("references")
MOST_DIFFERENT = 40
"""Pixels of a window that may look different, as where a curve's edge falls differently. A changed word is hundreds."""
STEP = 16
"""Shades are kept in steps of this size, so that the files are small; two that are one step apart are the same."""


@dataclass(frozen=True)
class Reference:
    screen: Screen
    viewport: ViewportSize

    @property
    def name(self) -> str:
        return f"{self.screen.name}-{self.viewport['width']}"

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.png"


PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1440, "height": 900}

REFERENCES = [
    Reference(Screen("home", "/"), PHONE),
    Reference(Screen("menu", "/signin", OPEN_MENU), DESKTOP),
    Reference(Screen("search", "/signin", search("selvedge")), PHONE),
    Reference(Screen("category", "/category/men/jeans?sort=price-down"), DESKTOP),
    Reference(Screen("category-filter", "/category/men/jeans", OPEN_FILTER), PHONE),
    Reference(Screen("product", "/product/{oxford}"), PHONE),
    Reference(Screen("product-size-guide", "/product/{oxford}", OPEN_SIZE_GUIDE), PHONE),
    Reference(Screen("signin-errors", "/signin", fill(then="Continue")), PHONE),
    Reference(Screen("cart", "/cart", who="shopper"), PHONE),
    Reference(Screen("cart-changed", "/cart", who="admin"), DESKTOP),
    Reference(Screen("checkout", "/checkout", who="shopper"), DESKTOP),
    Reference(Screen("returns", "/help/returns"), PHONE),
]


async def take(world: World, reference: Reference, *, script: str = "") -> Image.Image:
    """What the window shows, without the caret, which blinks. `script` is run in the page before."""
    async with world.open(reference.screen, reference.viewport) as page:
        if script:
            await page.evaluate(script)
        await page.evaluate(PICTURES_THERE)
        data = await page.screenshot(animations="disabled", caret="hide")
    return Image.open(BytesIO(data)).convert("RGB").point(lambda shade: shade // STEP * STEP)


def differing(one: Image.Image, other: Image.Image) -> int:
    """How many pixels are further apart than a step in any of their three shades."""
    if one.size != other.size:
        return max(one.width * one.height, other.width * other.height)
    red, green, blue = ImageChops.difference(one, other).split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(largest.histogram()[STEP + 1 :])


async def launch(playwright: Playwright) -> Browser:
    """The Chromium that the project brings along: each version draws letters a little differently."""
    chromium = await asyncio.to_thread(packaged)
    env: dict[str, str | float | bool] = {**os.environ, **chromium.env}
    return await playwright.chromium.launch(executable_path=chromium.path, args=ARGUMENTS, env=env)


async def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    with temporary_folder() as data, open_shop(data / "shop") as shop:
        async with async_playwright() as playwright:
            browser = await launch(playwright)
            world = await make_world(shop, browser)
            for reference in REFERENCES:
                (await take(world, reference)).save(reference.path, optimize=True)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(write())
    sys.stdout.write(f"{len(REFERENCES)} references are in {FOLDER}\n")

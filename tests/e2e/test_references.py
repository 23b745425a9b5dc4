"""Visual regression: screens look like their reference screenshots."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from PIL import Image
from playwright.async_api import async_playwright

from tests.e2e.conftest import PICTURES
from tests.e2e.references import FOLDER, MOST_DIFFERENT, REFERENCES, Reference, differing, launch, take
from tests.e2e.screens import World


@pytest.fixture(scope="session")
async def looked_at(world: World) -> AsyncIterator[World]:
    """The same shop, seen with the Chromium that the references were taken with."""
    async with async_playwright() as playwright:
        browser = await launch(playwright)
        yield replace(world, browser=browser)
        await browser.close()


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference.name)
async def test_a_screen_looks_as_it_did(looked_at: World, reference: Reference) -> None:
    taken = await take(looked_at, reference)

    different = differing(taken, Image.open(reference.path).convert("RGB"))
    if different > MOST_DIFFERENT:
        PICTURES.mkdir(exist_ok=True)
        taken.save(PICTURES / f"{reference.name}-now.png")

    assert different <= MOST_DIFFERENT


async def test_a_heading_turned_red_is_noticed(looked_at: World) -> None:
    [signin] = [reference for reference in REFERENCES if reference.name == "signin-errors-390"]

    red = await take(looked_at, signin, script="document.querySelector('h1').style.color = '#b3261b'")

    assert differing(red, Image.open(signin.path).convert("RGB")) > MOST_DIFFERENT


def test_every_picture_is_a_reference_and_small() -> None:
    files = sorted(FOLDER.glob("*.png"))

    assert files == sorted(reference.path for reference in REFERENCES)
    assert sum(path.stat().st_size for path in files) < 2_000_000

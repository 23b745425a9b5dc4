"""Screens look as they did when somebody last looked at them and wrote them down."""

import pytest
from PIL import Image
from playwright.async_api import Browser

from tests.e2e.conftest import PICTURES
from tests.e2e.references import FOLDER, MOST_DIFFERENT, REFERENCES, VERSION, Reference, differing, major, take
from tests.e2e.screens import World


@pytest.fixture(autouse=True)
def same_chromium(browser: Browser) -> None:
    recorded = VERSION.read_text().strip()
    if major(browser) != recorded:
        pytest.skip(
            f"NOT COMPARED: the references were taken with Chromium {recorded}, this is {major(browser)}, which draws "
            "letters differently. Look at the screens and run `just references`."
        )


@pytest.mark.parametrize("reference", REFERENCES, ids=lambda reference: reference.name)
async def test_a_screen_looks_as_it_did(world: World, reference: Reference) -> None:
    taken = await take(world, reference)

    different = differing(taken, Image.open(reference.path).convert("RGB"))
    if different > MOST_DIFFERENT:
        PICTURES.mkdir(exist_ok=True)
        taken.save(PICTURES / f"{reference.name}-now.png")

    assert different <= MOST_DIFFERENT


async def test_a_heading_turned_red_is_noticed(world: World) -> None:
    [signin] = [reference for reference in REFERENCES if reference.name == "signin-errors-390"]

    red = await take(world, signin, script="document.querySelector('h1').style.color = '#b3261b'")

    assert differing(red, Image.open(signin.path).convert("RGB")) > MOST_DIFFERENT


def test_every_picture_is_a_reference_and_small() -> None:
    kept = sorted(FOLDER.glob("*.png"))

    assert kept == sorted(reference.path for reference in REFERENCES)
    assert sum(path.stat().st_size for path in kept) < 2_000_000

"""The committed pictures: complete, small enough, in their color, and what the renderer draws."""

import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from demo.catalogue import Product, products
from demo.pictures import drawing, encode, originals
from server.media import codec

ALL = [picture for product in products() for picture in product.pictures]
MOST_BYTES = 22_000_000
ROOT = Path(__file__).parents[3]


def product(slug: str) -> Product:
    [match] = [product for product in products() if product.slug == slug]
    return match


def test_every_picture_of_the_catalogue_is_committed_and_nothing_else_is() -> None:
    folder = ALL[0].path.parent

    assert {path.name for path in folder.iterdir()} == {picture.file for picture in ALL} | {originals.NAME}
    assert all(originals.is_drawn(picture) for picture in ALL)


def test_what_is_known_of_each_picture_is_of_the_picture_that_is_there() -> None:
    for picture in ALL:
        original = originals.read(picture)
        assert sha256(original.data).hexdigest() == original.sha256, picture.file


@pytest.mark.parametrize("slug", ["mens-oxford-shirt", "womens-culotte", "mens-slim-jean"])
def test_what_is_known_of_a_picture_is_what_an_upload_would_find_out(slug: str) -> None:
    for picture in product(slug).pictures:
        original = originals.read(picture)
        assert original == codec.make_original(original.data, originals.MOST_PIXELS)


def test_all_pictures_together_stay_under_twenty_two_megabytes() -> None:
    assert sum(picture.path.stat().st_size for picture in ALL) < MOST_BYTES


@pytest.mark.parametrize("slug", ["mens-oxford-shirt", "womens-culotte", "mens-slim-jean"])
def test_pictures_are_three_by_four(slug: str) -> None:
    for picture in product(slug).pictures:
        assert encode.load(picture.path).shape == (*reversed(drawing.SIZE[picture.view]), 3)


def test_drawing_again_gives_the_committed_picture() -> None:
    """AVIF is lossy and processors round differently, so a mean difference of two levels of 255 is allowed."""
    overshirt = product("mens-overshirt")
    committed = {picture.color: encode.load(picture.path) for picture in overshirt.pictures if picture.view == "front"}

    for color, _, drawn in drawing.pictures(overshirt, ("front",)):
        assert np.abs(drawn.astype(float) - committed[color].astype(float)).mean() < 2


@pytest.mark.parametrize(("color", "least"), [("White", 1.3), ("Ecru", 1.14)])
def test_white_and_cream_stand_out_from_their_ground(color: str, least: float) -> None:
    plain = [piece for piece in products() if not piece.drawing.pattern]
    fronts = [picture for piece in plain for picture in piece.pictures_of(color) if picture.view == "front"]

    for front in fronts:
        look = _look(front.path)
        assert _contrast(look.cloth, look.ground_beside) > least, front.file
    assert len(fronts) > 10


@pytest.mark.parametrize(("theme", "brightness", "label"), [("light", 1, 0), ("dark", 0.87, 1)])
def test_a_discount_is_legible_on_every_ground(theme: str, brightness: float, label: int) -> None:
    """4.5 to 1, as WCAG asks of text; the dark theme dims pictures."""
    tokens = (ROOT / "client/src/ui/tokens.css").read_text(encoding="utf-8")
    [inks] = re.findall(r"--sale-on-picture: light-dark\(#(\w+), #(\w+)\)", tokens)
    ink = np.array([*bytes.fromhex(inks[label])])

    for front in (picture for picture in ALL if picture.view == "front"):
        assert _contrast(_look(front.path).ground_under_a_discount * brightness, ink) >= 4.5, (theme, front.file)


@dataclass(frozen=True)
class _Look:
    """The median color of parts of a front."""

    cloth: npt.NDArray[np.float64]
    ground_beside: npt.NDArray[np.float64]
    ground_under_a_discount: npt.NDArray[np.float64]


@cache
def _look(path: Path) -> _Look:
    """Each picture is decoded once for all who look at it."""
    picture = encode.load(path)
    parts = (picture[500:900, 350:480], picture[650:750, 8:40], picture[20:80, 20:140])
    return _Look(*map(_median, parts))


def _median(part: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    return np.asarray(np.median(part.reshape(-1, 3), axis=0), np.float64)


def _contrast(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> float:
    """WCAG's ratio of two sRGB colors."""
    dark, light = sorted(_luminance(color) for color in (one, other))
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: npt.NDArray[Any]) -> float:
    part = color / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def test_plain_cloth_has_the_color_its_swatch_promises() -> None:
    for plain in products():
        if plain.drawing.pattern or plain.drawing.cloth in ("denim", "chambray"):
            continue
        for color in plain.colors:
            [front] = [picture for picture in plain.pictures_of(color.name) if picture.view == "front"]
            swatch = [int(color.hex[at : at + 2], 16) for at in (1, 3, 5)]
            assert np.abs(_look(front.path).cloth - swatch).max() <= 16, front.file

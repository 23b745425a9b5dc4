"""The demo's measurements are those of what its pictures show."""

import json

import numpy as np
import pytest
from PIL import Image

from demo import measurements
from demo.catalogue import Product, products
from demo.pictures import measured, shirts
from demo.pictures.shirt_cuts import SHIRTS

DIFFERENCE = 24
"""Of a pixel from the ground it lies on, where cloth begins."""


def product(slug: str) -> Product:
    [match] = [product for product in products() if product.slug == slug]
    return match


def seen_height(slug: str) -> float:
    """Centimeters from top to bottom along the middle of the committed picture of the front."""
    shown = product(slug)
    picture = next(picture for picture in shown.pictures if picture.view == "front")
    pixels = np.asarray(Image.open(picture.path).convert("RGB")).astype(int)
    middle = pixels[:, pixels.shape[1] // 2 - 20 : pixels.shape[1] // 2 + 20].mean(1)
    rows = np.flatnonzero(np.abs(middle - pixels[8, 8]).sum(1) > DIFFERENCE)
    _, across = shirts.frame(SHIRTS[shown.drawing.cut])
    return float(np.ptp(rows) * across / pixels.shape[1])


def length(slug: str) -> float:
    """Centimeters in size M, as the shop tells them."""
    return measurements.of_product(product(slug))["length"]["M"] / 10_000


def test_a_tunic_is_as_much_longer_than_a_cropped_shirt_as_the_pictures_show() -> None:
    difference = length("womens-tunic-shirt") - length("womens-cropped-shirt")

    assert difference > 30
    assert difference == pytest.approx(seen_height("womens-tunic-shirt") - seen_height("womens-cropped-shirt"), abs=3)


def test_what_the_seed_reads_is_what_the_tape_says() -> None:
    assert json.loads(measurements.MEASURED.read_text()) == measured.of_cuts()


def test_every_product_has_measurements_that_grow_with_its_sizes() -> None:
    for each in products():
        table = measurements.of_product(each)
        assert len(table) >= 4, each.slug
        for row in table.values():
            assert list(row) == list(each.sizes)
            assert list(row.values()) == sorted(set(row.values()))
            assert min(row.values()) > 0

"""What the demo's garments measure: their drawn cuts in size M, graded to the other sizes as pattern makers do."""

import json
from functools import cache
from pathlib import Path

from demo.catalogue import SIZES, Product

MEASURED = Path(__file__).parent / "measured.json"
"""Millimeters by kind, cut and point of the drawn size; see pictures/measured.py."""
DRAWN = SIZES.index("M")
NOT_MEASURED = {"men_shirts": ("bust", "waist"), "women_shirts": ("chest",)}
"""Points of a cut that the garments of a category are not measured at."""
STEPS = {
    "shoulder": 15,
    "chest": 60,
    "bust": 60,
    "sleeve": 8,
    "length": 16,
    "waist": 55,
    "front_rise": 8,
    "thigh": 16,
    "inseam": 6,
    "hem": 6,
}
"""Millimeters from one size to the next."""


@cache
def _cuts() -> dict[str, dict[str, dict[str, int]]]:
    cuts: dict[str, dict[str, dict[str, int]]] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return cuts


def of_product(product: Product) -> dict[str, dict[str, int]]:
    """Micrometers by point and size. The drawings have no collar's length, so none is told."""
    cut = _cuts()["shirts" if product.subcategory == "shirts" else "trousers"][product.drawing.cut]
    points = [point for point in cut if point not in NOT_MEASURED.get(product.category, ())]
    return {
        point: {size: (cut[point] + STEPS[point] * (SIZES.index(size) - DRAWN)) * 1_000 for size in product.sizes}
        for point in points
    }

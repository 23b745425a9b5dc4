"""The tape laid on the drawn cuts: `just pictures` writes what it reads to measured.json, which the seed grades."""

import json
from itertools import pairwise

import numpy as np

from demo.measurements import MEASURED
from demo.pictures.outlines import path
from demo.pictures.raster import Points
from demo.pictures.shirt_cuts import SHIRTS, Lines, ShirtCut
from demo.pictures.sleeves import sleeve_of
from demo.pictures.trouser_cuts import TROUSERS, Legs, TrouserCut

MILLIMETERS = 10
BEHIND = 1.2
"""The inner thigh lies behind what is seen of a leg from the front."""


def shirt(cut: ShirtCut) -> dict[str, int]:
    """Millimeters by point, of the size that is drawn."""
    outline, lines = Lines(cut).front(), Lines(cut)
    waist_at = min((cut.armpit + lines.hem_corner) / 2, 46)
    sleeve = path(sleeve_of(cut).outline)
    from_shoulder = np.hypot(*(sleeve - cut.shoulder).T)
    chest = 2 * _width(outline, cut.armpit + 0.5)
    lengths = {
        "shoulder": 2 * cut.shoulder[0],
        "chest": chest,
        "bust": chest,
        "waist": 2 * _width(outline, waist_at),
        "sleeve": float(from_shoulder.max()),
        "length": float(np.ptp(outline[:, 1])),
    }
    return {point: round(length * MILLIMETERS) for point, length in lengths.items()}


def trousers(cut: TrouserCut) -> dict[str, int]:
    """Millimeters by point, of the size that is drawn."""
    legs = Legs(cut)
    inseam = path(f"M {cut.hem[1]} {cut.length + 0.4} {legs.inseam}")
    lengths = {
        "waist": 4 * cut.waist,
        "front_rise": cut.crotch - legs.waist_y(0, "front"),
        "thigh": _width(legs.outline(), cut.crotch + 2.5) / 2 * BEHIND,
        "inseam": sum(float(np.hypot(*(after - before))) for before, after in pairwise(inseam)),
        "hem": cut.hem[0] - cut.hem[1],
    }
    return {point: round(length * MILLIMETERS) for point, length in lengths.items()}


def write() -> None:
    """Writes every cut's measurements."""
    MEASURED.write_text(json.dumps(of_cuts(), indent=1, sort_keys=True) + "\n", encoding="utf-8")


def of_cuts() -> dict[str, dict[str, dict[str, int]]]:
    """Millimeters by kind, cut and point."""
    return {
        "shirts": {name: shirt(cut) for name, cut in SHIRTS.items()},
        "trousers": {name: trousers(cut) for name, cut in TROUSERS.items()},
    }


def _width(outline: Points, height: float) -> float:
    """From the leftmost to the rightmost edge at a height."""
    start, end = outline, np.roll(outline, -1, axis=0)
    crossing = (start[:, 1] <= height) != (end[:, 1] <= height)
    share = (height - start[crossing, 1]) / (end[crossing, 1] - start[crossing, 1])
    x = start[crossing, 0] + share * (end[crossing, 0] - start[crossing, 0])
    return float(np.ptp(x))

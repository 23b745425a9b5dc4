"""From a product of the catalogue to its pictures."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt

from demo.catalogue import Product, View
from demo.pictures import light, shirts, trousers
from demo.pictures.bench import Bench
from demo.pictures.camera import Camera
from demo.pictures.cloth import Drape, Lie
from demo.pictures.inks import inks_for
from demo.pictures.scene import Scene
from demo.pictures.shirt_cuts import SHIRTS
from demo.pictures.trouser_cuts import TROUSERS

Side = Literal["front", "back"]

SIZE: dict[View, tuple[int, int]] = {"front": (1440, 1920), "back": (1080, 1440), "detail": (1440, 1920)}
"""Pixels. What shoppers look into closely is drawn larger; all of it together stays within 30 MB."""
# Horn suits heavy cloth, pearl the rest.
HORN = {"twill", "canvas", "flannel", "cord"}
# Trousers are cut closer to their length than shirts, so soft cloth has less to fold with.
TROUSER_EASE = 1.25
# Details that are only visible from behind.
BEHIND = {"backpocket"}


def pictures(
    product: Product, views: tuple[View, ...], size: tuple[int, int] | None = None
) -> Iterator[tuple[str, View, npt.NDArray[np.uint8]]]:
    """Every color of every view. Folds, shadows and slopes are computed once per view and colored afterward."""
    drapes: dict[str, Drape] = {}
    for view in views:
        exposure = light.expose(scene(product, view, size or SIZE[view], drapes))
        for color in product.colors:
            drawing = product.drawing
            inks = inks_for(
                color.name, color.hex, drawing.cloth, drawing.pattern, drawing.thread != "tonal", drawing.cloth in HORN
            )
            yield color.name, view, light.develop(exposure, inks)


def scene(product: Product, view: View, size: tuple[int, int], drapes: dict[str, Drape]) -> Scene:
    """The product laid down and looked at; `drapes` carries folds from one view to the next."""
    drawing, seed = product.drawing, seed_of(product)
    camera = Camera.framing(*_framing(product, view), size)
    laid = Scene(camera, drawing.cloth, drawing.pattern, seed)
    side: Side = "back" if view == "back" or (view == "detail" and drawing.detail in BEHIND) else "front"
    ease = laid.cloth.handle.ease
    if drawing.cut in SHIRTS:
        lie = Lie(seed, 21, 33, 4, 0.014, sideways=True)
        shirts.draw(Bench(laid, drawing.cloth, lie, seed, ease, drapes), SHIRTS[drawing.cut], side)
    else:
        lie = Lie(seed, 15, 45, 25, 0.006, sideways=False)
        bench = Bench(laid, drawing.cloth, lie, seed, min(ease, TROUSER_EASE), drapes)
        trousers.draw(bench, TROUSERS[drawing.cut], side)
    return laid


def _framing(product: Product, view: View) -> tuple[tuple[float, float], float]:
    """Center and width of the picture in centimeters."""
    cut, detail = product.drawing.cut, product.drawing.detail
    if cut in SHIRTS:
        return shirts.close_up(SHIRTS[cut], detail) if view == "detail" else shirts.frame(SHIRTS[cut])
    return trousers.close_up(TROUSERS[cut], detail) if view == "detail" else trousers.frame(TROUSERS[cut])


def seed_of(product: Product) -> int:
    """Each product lies in its own way, and always in the same."""
    return sum(ord(letter) * (place + 7) for place, letter in enumerate(product.slug)) % 9973

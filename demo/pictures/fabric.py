"""Cloths: how each is woven, how it takes light and how it folds.

A weave is drawn at the camera's scale. From afar a yarn is smaller than a pixel and only its unevenness shows, as
streaks; close up the yarns themselves pass over and under each other.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from demo.pictures.cloth import Handle
from demo.pictures.raster import Field, blur, resize

# A mirrored square of this many pixels covers any sheet without a visible seam.
TILE = 1200
# A blur wider than this many pixels needs no finer raster.
COARSE = 4
# Below this many pixels a yarn is not drawn as a yarn.
VISIBLE_YARN = 1.6
# A thread stands out of the weave by about this share of its width.
YARN_RELIEF = 0.275

Weave = Literal["plain", "twill"]


@dataclass(frozen=True)
class Cloth:
    """Yarns per centimeter in warp and weft, contrast and height of the yarn, and the hand of the cloth.

    `weft` is the share of undyed weft that shows; `wales` the ribs of corduroy per centimeter; `nap` the fuzz that
    blurs the weave; `relief` deepens the folds; `sheen` the light that fibers catch at a slant.
    """

    warp: float
    filling: float
    weave: Weave
    contrast: float
    height: float
    handle: Handle
    relief: float = 1.45
    slub: float = 0.0
    weft: float = 0.0
    wales: float = 0.0
    nap: float = 0.0
    sheen: float = 0.0
    streak: float = 0.6


CLOTHS = {
    "oxford": Cloth(17, 17, "plain", 0.060, 0.4, Handle(0.08, 0.008, 0.045, 1.9), weft=0.42, streak=0.25),
    "poplin": Cloth(46, 46, "plain", 0.045, 0.25, Handle(0.07, 0.009, 0.055, 2.0)),
    "chambray": Cloth(26, 22, "plain", 0.085, 0.35, Handle(0.07, 0.009, 0.05, 2.0), weft=0.40, streak=0.4),
    "linen": Cloth(15, 14, "plain", 0.080, 0.8, Handle(0.05, 0.016, 0.10, 2.4), slub=0.8, streak=0.8),
    "flannel": Cloth(20, 20, "twill", 0.085, 0.2, Handle(0.08, 0.009, 0.03, 2.0), relief=1.7, nap=1.0, sheen=0.25),
    "twill": Cloth(22, 16, "twill", 0.075, 0.6, Handle(0.11, 0.009, 0.03, 1.8), relief=1.7),
    "canvas": Cloth(13, 12, "plain", 0.095, 0.8, Handle(0.12, 0.009, 0.03, 1.5), relief=1.7, streak=0.4),
    "denim": Cloth(25, 17, "twill", 0.120, 0.6, Handle(0.10, 0.008, 0.03, 1.15), relief=1.6, weft=0.75, streak=0.55),
    "chino": Cloth(34, 22, "twill", 0.060, 0.4, Handle(0.10, 0.008, 0.025, 1.1), relief=1.55),
    "wool": Cloth(22, 20, "twill", 0.110, 0.3, Handle(0.11, 0.004, 0.0, 1.0), relief=1.6, nap=0.7, sheen=0.4),
    "cord": Cloth(30, 30, "plain", 0.045, 0.2, Handle(0.11, 0.006, 0.0, 1.15), relief=1.6, wales=2.1, sheen=0.45),
    "viscose": Cloth(50, 50, "twill", 0.045, 0.25, Handle(0.10, 0.006, 0.01, 1.9), relief=1.5, sheen=0.35),
}


@dataclass(frozen=True)
class Texture:
    """One tile: signed tone, height in centimeters, and the share of weft on the surface."""

    tone: Field
    height: Field
    weft: Field


@lru_cache(maxsize=6)
def texture(name: str, scale: float, seed: int) -> Texture:
    """The cloth's surface at `scale` pixels a centimeter."""
    cloth = CLOTHS[name]
    dice = Dice(seed)
    tone, height = _streaks(cloth, scale, dice)
    if scale / cloth.warp >= VISIBLE_YARN:
        tone, height, weft = _woven(cloth, scale, dice, tone, height)
    else:
        tone, height, weft = _from_afar(cloth, scale, dice, tone, height)
    if cloth.wales:
        tone, height = _ribbed(cloth, scale, dice, tone, height)
    if cloth.nap:
        fuzz = max(0.6, scale * 0.03)
        height = height + cloth.nap * dice.grain(fuzz, fuzz, 0.0025)
    return Texture(*(np.asarray(field, np.float32) for field in (tone, height, weft)))


class Dice:
    """White noise blurred to order, from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def grain(self, across: float, along: float, strength: float) -> Field:
        """Noise blurred by these many pixels; long streaks are drawn on a coarser raster, which looks the same."""
        coarse_x, coarse_y = max(1, int(across / COARSE)), max(1, int(along / COARSE))
        noise = self.rng.standard_normal((TILE // coarse_y, TILE // coarse_x)).astype(np.float32)
        field = resize(blur(noise, max(across / coarse_x, 0.02), max(along / coarse_y, 0.02)), (TILE, TILE))
        return np.asarray(strength * field / field.std(), np.float32)

    def per_yarn(self) -> Field:
        return self.rng.standard_normal(4096).astype(np.float32)

    def wander(self, amplitude: float) -> Field:
        small = self.rng.standard_normal((TILE // 40 + 2, TILE // 40 + 2)).astype(np.float32)
        return amplitude * resize(small, (TILE, TILE))


def _streaks(cloth: Cloth, scale: float, dice: Dice) -> tuple[Field, Field]:
    """The unevenness of the yarns, which run down (warp) and across (weft)."""
    thin_x, thin_y = max(0.45, scale / cloth.warp * 0.45), max(0.45, scale / cloth.filling * 0.45)
    length = scale * cloth.streak
    warp, weft = dice.grain(thin_x, length, 1), dice.grain(length, thin_y, 1)
    long_warp = dice.grain(thin_x * 1.3, length * 5, 1)
    if cloth.nap:
        tone = (
            dice.grain(scale * 0.05, scale * 0.05, 0.7)
            + dice.grain(scale * 0.2, scale * 0.25, 0.6)
            + dice.grain(0.6, 0.6, 0.6)
        )
    elif cloth.slub:
        thick_weft = np.maximum(dice.grain(scale, thin_y * 1.5, 1) - 1.1, 0)
        thick_warp = np.maximum(dice.grain(thin_x * 1.5, scale, 1) - 1.2, 0)
        tone = 0.6 * warp + 0.7 * weft + 0.3 * long_warp + cloth.slub * (1.5 * thick_weft + 0.9 * thick_warp)
        tone = tone + dice.grain(0.6, 0.6, 0.6)
    elif cloth.weave == "twill" and cloth.weft:
        mottle = dice.grain(scale * 0.5, scale * 0.8, 0.24)
        tone = 0.7 * warp + 0.13 * weft + 0.3 * long_warp + dice.grain(0.55, 0.8, 0.6) + mottle
    else:
        tone = 0.6 * warp + 0.6 * weft + dice.grain(0.55, 0.55, 0.4)
    return np.asarray(tone * cloth.contrast * 0.5, np.float32), np.asarray(tone * 0.0022 * cloth.height, np.float32)


def share_of_weft(cloth: Cloth) -> float:
    """Of the surface. In a twill the warp floats over most of it."""
    return 0.13 if cloth.weave == "twill" else 0.5


def _from_afar(cloth: Cloth, scale: float, dice: Dice, tone: Field, height: Field) -> tuple[Field, Field, Field]:
    weft = np.full((TILE, TILE), share_of_weft(cloth), np.float32)
    if cloth.weave == "twill" and scale / cloth.warp > 0.35 and not cloth.nap:
        repeat_x, repeat_y = 3 * scale / cloth.warp, 3 * scale / cloth.filling
        y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
        diagonal = np.sin(2 * np.pi * (x / repeat_x + y / repeat_y) + dice.grain(scale * 0.5, scale * 0.5, 0.8))
        strength = 0.5 * float(np.clip((repeat_x - 1.6) / 2, 0, 1))
        tone, height = tone + strength * cloth.contrast * 0.5 * diagonal, height + strength * 0.004 * diagonal
    return tone, height, weft


def _woven(cloth: Cloth, scale: float, dice: Dice, tone: Field, height: Field) -> tuple[Field, Field, Field]:
    """Explicit yarns: plain weave, or twill whose warp floats over two of three."""
    pitch_x, pitch_y = scale / cloth.warp, scale / cloth.filling
    visible = min(1.0, (pitch_x - VISIBLE_YARN) / 1.4 + 0.25)
    y, x = np.mgrid[0:TILE, 0:TILE].astype(np.float32)
    u, v = (x + dice.wander(0.12 * pitch_x)) / pitch_x, (y + dice.wander(0.12 * pitch_y)) / pitch_y
    column, row = np.floor(u).astype(np.int64), np.floor(v).astype(np.int64)
    across, along = u - column - 0.5, v - row - 0.5
    warp_over = (column + row) % 3 != 0 if cloth.weave == "twill" else (column + row) % 2 == 0
    round_warp = np.sqrt(np.maximum(0, 1 - (across * 1.9) ** 2))
    round_weft = np.sqrt(np.maximum(0, 1 - (along * 1.9) ** 2))
    if cloth.weave == "twill":
        float_at = ((v + column) / 3.0) % 1
        warp = round_warp * (0.55 + 0.45 * np.sin(np.pi * np.clip((float_at * 3 - 1) / 2, 0, 1)))
    else:
        warp = round_warp * (0.5 + 0.5 * np.cos(along * np.pi))
    weft = round_weft * (0.5 + 0.5 * np.cos(across * np.pi))
    surface = np.where(warp_over, warp, weft * 0.75)
    yarn = 0.5 * np.where(warp_over, dice.per_yarn()[column % 4096], dice.per_yarn()[row % 4096])
    fiber = np.where(warp_over, dice.grain(0.5, 1.6, 1), dice.grain(1.6, 0.5, 1))
    height = height * 0.4 + visible * surface * YARN_RELIEF / cloth.warp + 0.0006 * fiber
    tone = tone * 0.7 + visible * ((surface - 0.55) * 0.16 + yarn * cloth.contrast * 0.5 + 0.2 * fiber * cloth.contrast)
    weft = blur(1 - warp_over.astype(np.float32), 0.5)
    # As much of it in all as from afar, whatever the scale: otherwise a closer view had another color.
    return tone, height, np.minimum(weft * share_of_weft(cloth) / weft.mean(), 1)


def _ribbed(cloth: Cloth, scale: float, dice: Dice, tone: Field, height: Field) -> tuple[Field, Field]:
    """Corduroy: round wales of pile with a dark channel between them."""
    pitch = scale / cloth.wales
    x = np.arange(TILE, dtype=np.float32)[None, :] + dice.grain(scale * 0.6, scale * 2.5, 0.05 * pitch)
    wale = np.abs(np.sin(np.pi * x / pitch)) ** 0.7
    pile = dice.grain(0.6, 1.0, 0.05) + dice.grain(scale * 0.1, scale * 0.25, 0.03)
    return tone + 0.62 * (wale - 0.72) + pile * np.clip(wale, 0.4, 1), height + 0.075 / cloth.wales * 2.1 * wale


@dataclass(frozen=True)
class Pattern:
    """A woven pattern: bands of further colors across a repeat, in the warp alone or in warp and weft.

    A band is (center, half width, ink, strength); center as a share of the repeat, the half width in centimeters.
    """

    repeat: float
    bands: tuple[tuple[float, float, str, float], ...]
    checked: bool

    def inks(self, x: Field, y: Field) -> dict[str, Field]:
        """How much of each ink lies at these centimeters along the weft and the warp."""
        if not self.checked:
            return self._threads(x)
        warp, weft = self._threads(x), self._threads(y)
        return {ink: 0.5 * (warp[ink] + weft[ink]) for ink in warp}

    def _threads(self, along: Field) -> dict[str, Field]:
        shares = {ink: np.zeros_like(along) for _, _, ink, _ in self.bands}
        for center, half_width, ink, strength in self.bands:
            distance = np.abs((along / self.repeat) % 1 - center) * self.repeat
            band = strength * (1 - np.clip((distance - half_width) / 0.07 + 0.5, 0, 1))
            for other in shares:
                shares[other] = shares[other] * (1 - band)
            shares[ink] = shares[ink] + band
        return shares


PATTERNS = {
    "stripe": Pattern(0.95, ((0.5, 0.19, "band", 1.0),), checked=False),
    "gingham": Pattern(1.6, ((0.5, 0.4, "band", 1.0),), checked=True),
    "check": Pattern(
        6.4,
        (
            (0.28, 0.98, "band", 1.0),
            (0.78, 0.78, "second band", 1.0),
            (0.28, 0.10, "line", 1.0),
            (0.62, 0.07, "line", 0.8),
            (0.94, 0.07, "line", 0.8),
        ),
        checked=True,
    ),
}


def turned(x: Field, y: Field, angle: Field) -> tuple[Field, Field]:
    """Coordinates along a part's own grain."""
    c, s = np.cos(angle), np.sin(angle)
    return (x * c + y * s).astype(np.float32), (-x * s + y * c).astype(np.float32)

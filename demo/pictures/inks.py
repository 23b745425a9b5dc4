"""Every color a picture needs, from the one that the catalogue names."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from demo.pictures.fabric import CLOTHS, share_of_weft

Rgb = npt.NDArray[np.float32]

GROUND = "#e9e6e0"
# White and cream would melt into it; a stripe or check holds its own.
GROUND_UNDER_PALE = "#ccc7be"
PALE_FROM = 0.65
COPPER_THREAD = "#b98a4a"
UNDYED = "#e0dcd2"

# How far a wash has gone, by the catalogue's color name: 0 is raw, 1 is bleached.
WASHES = {
    "Raw": 0.08,
    "Black": 0.10,
    "Indigo": 0.36,
    "Navy": 0.2,
    "Mid Blue": 0.46,
    "Light Blue": 0.60,
    "Pale Blue": 0.55,
    "Washed Black": 0.50,
    "Washed Gray": 0.55,
    "Ecru": 0.10,
    "White": 0.06,
    "Tobacco": 0.25,
}
# White weft that shows through the indigo warp; dyed-in-the-piece denim has none.
WEFTS = {
    "Raw": "#6d7480",
    "Indigo": "#a3a8b0",
    "Mid Blue": "#ced3d8",
    "Light Blue": "#e2e5e7",
    "Pale Blue": "#eceeef",
    "Washed Black": "#7c7d80",
    "Washed Gray": "#c3c5c7",
}
BLUES = {"Raw", "Indigo", "Mid Blue", "Light Blue", "Pale Blue"}

# Checks: band, second band and hairline over a pale ground, by the catalogue's color name.
CHECKS = {
    "Burgundy": ("#e2dacb", "#6b2d2d", "#31433f", "#20242a"),
    "Forest": ("#dcd8c6", "#2f4a3d", "#57482f", "#1d2622"),
    "Navy": ("#dfe0df", "#27314a", "#6d7c92", "#1b202b"),
    "Rust": ("#e6dcc8", "#9c5538", "#5d6350", "#3a2c25"),
    "Charcoal": ("#dedbd3", "#46474b", "#8f8b82", "#26272a"),
}


@dataclass(frozen=True)
class Inks:
    """Linear colors by ink name. `fade` scales the wear; `contrast` deepens the folds of dark cloth."""

    colors: dict[str, Rgb]
    faded: Rgb
    fade: float
    contrast: float

    def of(self, name: str) -> Rgb:
        return self.colors[name]


def linear(color: str) -> Rgb:
    """`#rrggbb` as linear light."""
    values = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)], np.float32) / 255
    return np.where(values < 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4).astype(np.float32)


def inks_for(color_name: str, color: str, cloth: str, pattern: str | None, contrast_thread: bool, horn: bool) -> Inks:
    """The inks of one colorway; `horn` gives dark buttons instead of pearl."""
    ground, band, second, line = _banded(color_name, color, pattern)
    dyed = linear(ground)
    denim = cloth == "denim"
    contrast_thread = contrast_thread and denim and color_name not in ("Black", "Washed Black", "Ecru", "White")
    blue = denim and color_name in BLUES
    lightness = float(dyed.mean())
    weft = _weft(color_name, cloth, dyed)
    inside = dyed * 0.55 + linear("#c8cacb") * 0.40 if blue else dyed * 0.74
    pearl = "#efe9dd" if lightness > 0.03 else "#d9d2c4"
    colors = {
        "ground": linear(GROUND_UNDER_PALE if lightness > PALE_FROM and not pattern else GROUND),
        "cloth": _warp(dyed, weft, cloth),
        "inside": inside,
        "weft": weft,
        "band": linear(band),
        "second band": linear(second),
        "line": linear(line),
        "thread": linear(COPPER_THREAD) if contrast_thread else _tonal(dyed) * (0.72 if pattern else 1),
        "label": linear("#f0ece3") * 0.82,
        "lettering": linear("#4a4742"),
        "patch": linear("#8a5a34") if contrast_thread else linear("#6d5a48"),
        "button": linear("#4a3a2c") if horn else linear(pearl),
        "button thread": linear("#2c241d") if horn else linear("#e9e3d6") * 0.92,
        "copper": linear("#b08a5c") if blue else linear("#7c756c"),
        "rivet": linear("#a9774a") if blue else linear("#6b655d"),
    }
    for name in ("band", "second band", "line"):
        colors[f"inside {name}"] = colors[name] * 0.74
    faded = dyed * 0.35 + np.array([0.50, 0.55, 0.60], np.float32) * 0.72
    if not blue:
        faded = dyed * 0.55 + 0.45 * float(np.clip(lightness * 2.2 + 0.10, 0, 0.75)) * dyed / max(lightness, 1e-3)
    fade = WASHES.get(color_name, 0.25) if denim else (0.22 if cloth == "canvas" else 0.0)
    contrast = 1.0 if lightness > 0.3 else 1.12 if lightness > 0.08 else 1.4
    return Inks({name: np.asarray(value, np.float32) for name, value in colors.items()}, faded, fade, contrast)


def _banded(color_name: str, color: str, pattern: str | None) -> tuple[str, str, str, str]:
    if pattern == "check":
        return CHECKS[color_name]
    if pattern:
        return ("#f1efea", color, color, color)
    return (color, color, color, color)


def _weft(color_name: str, cloth: str, dyed: Rgb) -> Rgb:
    if cloth == "denim":
        return linear(WEFTS[color_name]) if color_name in WEFTS else np.asarray(dyed * 1.1 + 0.01, np.float32)
    if CLOTHS[cloth].weft:
        # Chambray is woven with a white weft; an oxford's is only a paler shade, and in a dark one not even that.
        pale = 0.45 if cloth == "chambray" else 0.45 * min(1.0, float(dyed.mean()) / 0.3)
        return np.asarray((1 - pale) * dyed + pale * linear(UNDYED), np.float32)
    return dyed


def _warp(dyed: Rgb, weft: Rgb, cloth: str) -> Rgb:
    """The warp is dyed deeper than the cloth looks, because pale weft shows between; never past half its depth."""
    share = CLOTHS[cloth].weft * share_of_weft(CLOTHS[cloth])
    return np.asarray(np.maximum((dyed - share * weft) / (1 - share), 0.5 * dyed), np.float32)


def _tonal(dyed: Rgb) -> Rgb:
    """Thread of the cloth's own color catches more light than the cloth."""
    return np.asarray(dyed * 1.08 + 0.004, np.float32)

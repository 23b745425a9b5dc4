"""Names of colors: the nearest CSS name of a hex value, and the color family that shoppers filter by."""

import colorsys
import math
import re
from functools import cache, lru_cache
from typing import NamedTuple

import webcolors

HEX = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


class ColorFamily(NamedTuple):
    """A color that stands for the family, and names of its shades that a shopper may type, in lower case."""

    hex: str
    shades: tuple[str, ...]


FAMILIES: dict[str, ColorFamily] = {
    "Black": ColorFamily("#1f2024", ("ebony", "onyx")),
    "Gray": ColorFamily("#87888a", ("charcoal", "graphite", "slate", "silver")),
    "White": ColorFamily("#f5f3ee", ("ivory", "chalk")),
    "Beige": ColorFamily("#cbb994", ("ecru", "cream", "sand", "khaki", "taupe", "tan", "camel", "stone")),
    "Brown": ColorFamily("#6f4e37", ("chocolate", "tobacco", "cognac", "chestnut")),
    "Red": ColorFamily("#a83232", ("burgundy", "maroon", "crimson", "scarlet")),
    "Orange": ColorFamily("#d9772f", ("apricot", "tangerine")),
    "Yellow": ColorFamily("#e5c04b", ("mustard", "butter", "lemon")),
    "Green": ColorFamily("#5b7553", ("olive", "forest", "sage", "mint", "emerald")),
    "Blue": ColorFamily("#4f73a6", ("navy", "indigo", "sky", "azure", "cobalt", "teal", "turquoise")),
    "Purple": ColorFamily("#8d78ab", ("lilac", "lavender", "violet", "plum")),
    "Pink": ColorFamily("#d9a3a8", ("rose", "blush", "fuchsia")),
}
"""Every family in the order of the filter: the one place, with `family` below, where one is added.

The filter, its facets, what a search understands and the messages follow from here. Rows keep the family that was
computed when they were written, so a change of the rule needs a migration that computes them anew.
"""

# Hue zones in degrees; each ends at its bound, and red continues after the last one.
ZONES = ((15, "Red"), (42, "Orange"), (65, "Yellow"), (170, "Green"), (255, "Blue"), (320, "Purple"), (345, "Pink"))


class Lab(NamedTuple):
    """CIE L*a*b*: lightness 0 to 100, then green to red and blue to yellow."""

    lightness: float
    a: float
    b: float

    @property
    def chroma(self) -> float:
        """Colorfulness; 0 for greys."""
        return math.hypot(self.a, self.b)


def normal_hex(text: str) -> str | None:
    """`#aabbcc` for `#ABC` and `#AABBCC`; None for anything else."""
    value = text.strip().lower()
    if not HEX.fullmatch(value):
        return None
    return value if len(value) == 7 else "#" + "".join(digit * 2 for digit in value[1:])


@lru_cache(maxsize=4_096)
def family(hex_value: str) -> str:
    """The family of a `#rrggbb` color: by lightness where there is little chroma, else by hue.

    Warm hues are also distinguished by lightness and chroma: a pale red is pink, a deep orange brown, a dull one beige.
    """
    lab = _lab(hex_value)
    if lab.lightness < 8 or (lab.lightness < 27 and lab.chroma < 10):
        return "Black"
    if lab.chroma < 7:
        return "White" if lab.lightness > 90 else "Gray"
    hue = colorsys.rgb_to_hls(*_channels(hex_value))[0] * 360
    zone = next((name for bound, name in ZONES if hue < bound), "Red")
    if zone == "Red":
        return _red(lab)
    if zone == "Orange":
        return _orange(lab)
    return _yellow(lab, hue) if zone == "Yellow" else zone


def _red(lab: Lab) -> str:
    if lab.lightness > 65:
        return "Pink"
    return "Red" if lab.chroma >= 18 else "Brown"


def _orange(lab: Lab) -> str:
    if lab.chroma > 50 and lab.lightness >= 50:
        return "Orange"
    return "Brown" if lab.lightness < 57 else "Beige"


def _yellow(lab: Lab, hue: float) -> str:
    if lab.chroma > 45:
        return "Yellow" if lab.lightness >= 55 else "Green"
    if lab.lightness < 45:
        return "Green" if hue >= 55 else "Brown"
    return "Yellow" if lab.lightness > 84 and lab.chroma > 22 else "Beige"


def lightness(hex_value: str) -> float:
    """CIE lightness of a `#rrggbb` color, from 0 for black to 100 for white."""
    return _lab(hex_value).lightness


def nearest_name(hex_value: str) -> str:
    """The CSS name of the nearest color by CIE94 distance with the weights for textiles."""
    lab = _lab(hex_value)
    return min(_css_colors(), key=lambda name: (_distance(_css_colors()[name], lab), name))


def _distance(one: Lab, other: Lab) -> float:
    chroma = math.sqrt(one.chroma * other.chroma)
    by_chroma = one.chroma - other.chroma
    by_hue = math.dist(one[1:], other[1:]) ** 2 - by_chroma**2
    return (
        ((one.lightness - other.lightness) / 2) ** 2
        + (by_chroma / (1 + 0.048 * chroma)) ** 2
        + max(by_hue, 0) / (1 + 0.014 * chroma) ** 2
    )


@cache
def _css_colors() -> dict[str, Lab]:
    """CSS colors by name; of two spellings only the American one: gray."""
    names = [name for name in webcolors.names(webcolors.CSS3) if "grey" not in name]
    return {name: _lab(webcolors.name_to_hex(name)) for name in sorted(names)}


def _lab(hex_value: str) -> Lab:
    red, green, blue = (_linear(channel) for channel in _channels(hex_value))
    x = _cube((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _cube(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _cube((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089)
    return Lab(116 * y - 16, 500 * (x - y), 200 * (y - z))


def _channels(hex_value: str) -> tuple[float, float, float]:
    """Red, green and blue, 0 to 1."""
    red, green, blue = (int(hex_value[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _cube(value: float) -> float:
    return float(value ** (1 / 3)) if value > 0.008856 else 7.787 * value + 16 / 116

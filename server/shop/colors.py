"""Contrast of colors by WCAG 2.2, and the colors of a shop whose owner has chosen one.

Colors are "#rrggbb".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LIGHT_PAPER, DARK_PAPER = "#fbfaf7", "#141311"
"""What pages are on (client/src/ui/tokens.css)."""
LIGHT_TEXT, DARK_TEXT = "#ffffff", "#1a1916"
LEAST_CONTRAST = 3.0
"""Of a control to what is around it: WCAG 2.2, 1.4.11."""
_STEPS = 100
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True)
class AccentColors:
    """The color of buttons, and of the text on them, in light and in dark pages."""

    light: str
    on_light: str
    dark: str
    on_dark: str


def accent_problem(color: str) -> str | None:
    """Why an owner's color will not do; None when it will."""
    if not color:
        return None
    if not _COLOR.fullmatch(color):
        return 'A color like "#2f4e7d"'
    ratio = contrast(color, LIGHT_PAPER)
    if ratio < LEAST_CONTRAST:
        return f"Buttons in this color stand out from the page at {ratio:.1f} to 1; {LEAST_CONTRAST:.0f} to 1 is needed"
    return None


def accent_colors(color: str) -> AccentColors:
    """The owner's color; in dark pages as light a tint of it as they need."""
    dark = next(tint for tint in _tints(color) if contrast(tint, DARK_PAPER) >= LEAST_CONTRAST)
    return AccentColors(color, _text_on(color), dark, _text_on(dark))


def contrast(one: str, other: str) -> float:
    """The contrast ratio, 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _text_on(color: str) -> str:
    return max(LIGHT_TEXT, DARK_TEXT, key=lambda text: contrast(text, color))


def _tints(color: str) -> Iterator[str]:
    """From the color itself to white."""
    channels = _channels(color)
    for step in range(_STEPS + 1):
        yield "#" + "".join(f"{round(channel + (255 - channel) * step / _STEPS):02x}" for channel in channels)


def _luminance(color: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _channels(color: str) -> list[int]:
    return [int(color[place : place + 2], 16) for place in (1, 3, 5)]

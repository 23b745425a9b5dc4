"""Contrast of colors, and the colors of buttons that follow from the owner's."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.shop.colors import (
    DARK_PAPER,
    LEAST_CONTRAST,
    LIGHT_PAPER,
    accent_colors,
    accent_problem,
    contrast,
)

TOKENS = Path(__file__).parents[2] / "client" / "src" / "ui" / "tokens.css"
COLORS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.48),
        ("#767676", "#FFFFFF", 4.54),
        ("#ff0000", "#ffffff", 4.0),
        ("#0000ff", "#000000", 2.44),
        ("#123456", "#123456", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    """Ratios as WebAIM's contrast checker gives them."""
    assert contrast(one, other) == pytest.approx(ratio, abs=0.005)
    assert contrast(other, one) == contrast(one, other)


def test_paper_is_what_the_pages_are_on() -> None:
    assert re.search(r"--paper: light-dark\((\S+), (\S+)\);", TOKENS.read_text()) is not None
    assert f"--paper: light-dark({LIGHT_PAPER}, {DARK_PAPER});" in TOKENS.read_text()


@given(COLORS)
def test_buttons_stand_out_and_their_text_can_be_read(color: str) -> None:
    if accent_problem(color):
        assert contrast(color, LIGHT_PAPER) < LEAST_CONTRAST
        return

    colors = accent_colors(color)

    assert colors.light == color
    assert contrast(colors.light, LIGHT_PAPER) >= LEAST_CONTRAST
    assert contrast(colors.dark, DARK_PAPER) >= LEAST_CONTRAST
    assert contrast(colors.light, colors.on_light) >= 4.2
    assert contrast(colors.dark, colors.on_dark) >= 4.2


@pytest.mark.parametrize("color", ["#2F4E7D", "#1a1916", "#b3261b", ""])
def test_a_color_that_stands_out_is_taken(color: str) -> None:
    assert accent_problem(color) is None


@pytest.mark.parametrize(
    ("color", "message"),
    [
        ("#ffee88", "Buttons in this color stand out from the page at 1.1 to 1; 3 to 1 is needed"),
        ("blue", 'A color like "#2f4e7d"'),
        ("#2f4e7", 'A color like "#2f4e7d"'),
        ("#2f4e7d;}", 'A color like "#2f4e7d"'),
        ("#\uff12f4e7d", 'A color like "#2f4e7d"'),
    ],
)
def test_another_is_refused_in_words(color: str, message: str) -> None:
    assert accent_problem(color) == message

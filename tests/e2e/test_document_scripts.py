"""Names on documents are shaped as Chromium shapes them: letters joined, conjuncts formed, right to left."""

import base64
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageOps
from playwright.async_api import Browser
from pypdfium2 import PdfDocument

from server.orders.documents import contents
from server.orders.documents.contents import Shipments
from server.orders.documents.rendering import Template, render
from server.orders.documents.typesetter import font_folders
from tests.orders.test_invoice import LETTERHEAD, line, order

SCALE = 6
"""Pixels a point: large letters, in which the ways of drawing edges do not count."""
POINTS = 16
"""Of a label's address."""
ALIKE = 0.85
PLEX, INSTRUMENT = "IBMPlexSansArabic-Regular.ttf", "InstrumentSans[wdth,wght].ttf"
DEVANAGARI = "NotoSansDevanagari[wght].ttf"
"""Between words in Hindi is the space of the first font."""
TEXTS = [
    pytest.param("محمد عبد الله", (PLEX,), id="arabic"),
    pytest.param("شارع الملك فهد", (PLEX,), id="arabic-street"),
    pytest.param("कृष्णा श्रीवास्तव", (INSTRUMENT, DEVANAGARI), id="hindi"),
    pytest.param("क्षेत्र ज्ञान हिन्दी", (INSTRUMENT, DEVANAGARI), id="hindi-conjuncts"),
]


@pytest.mark.parametrize(("text", "font_names"), TEXTS)
async def test_a_name_looks_as_chromium_draws_it(browser: Browser, text: str, font_names: tuple[str, ...]) -> None:
    fonts = [font_file(name) for name in font_names]

    chromium = await drawn_by_chromium(browser, text, fonts)

    assert likeness(await drawn_on_label(text), chromium) > ALIKE
    assert likeness(drawn_letter_by_letter(text, fonts[-1]), chromium) < 0.5


def font_file(name: str) -> Path:
    [path] = [path for folder in font_folders() for path in folder.rglob("*.ttf") if path.name == name]
    return path


async def drawn_on_label(text: str) -> Image.Image:
    """What a label has more than one without the text."""
    labels = [
        contents.address_label(order(line(), address={"name": name}), Shipments(()), LETTERHEAD) for name in (text, "")
    ]
    pages = [
        PdfDocument(await render(Template.ADDRESS_LABEL, label))[0].render(scale=SCALE).to_pil() for label in labels
    ]
    return cut_to_ink(ImageChops.difference(*(page.convert("L") for page in pages)))


async def drawn_by_chromium(browser: Browser, text: str, fonts: list[Path]) -> Image.Image:
    faces = [font_face(number, font) for number, font in enumerate(fonts)]
    families = ", ".join(f"font-{number}" for number, _ in enumerate(fonts))
    page = await browser.new_page(viewport={"width": 1400, "height": 300})
    await page.set_content(
        f"<style>{''.join(faces)} body {{ margin: 50px; font: {POINTS * SCALE}px {families}; color: #1a1916 }}</style>"
        f"{text}"
    )
    await page.evaluate("document.fonts.ready")
    picture = Image.open(BytesIO(await page.screenshot()))
    await page.close()
    return cut_to_ink(ImageOps.invert(picture.convert("L")))


def font_face(number: int, font: Path) -> str:
    data = base64.b64encode(font.read_bytes()).decode()
    return f"@font-face {{ font-family: font-{number}; src: url(data:font/ttf;base64,{data}) }}"


def drawn_letter_by_letter(text: str, font: Path) -> Image.Image:
    """The glyph of each letter as the font's table of characters has it, one after another, unshaped."""
    basic = ImageFont.truetype(font, POINTS * SCALE, layout_engine=ImageFont.Layout.BASIC)
    picture = Image.new("L", (1400, 300))
    ImageDraw.Draw(picture).text((50, 50), text, fill=255, font=basic)
    return cut_to_ink(picture)


def cut_to_ink(picture: Image.Image) -> Image.Image:
    return picture.crop(picture.point(lambda shade: 255 if shade > 60 else 0).getbbox())


def likeness(one: Image.Image, other: Image.Image) -> float:
    """How much of the ink is common to two pictures of the same size: 1 if they are equal.

    Pictures that differ in width or height by more than a fiftieth have nothing in common.
    """
    if any(abs(a - b) > max(a, b) / 50 for a, b in zip(one.size, other.size, strict=True)):
        return 0.0
    one = one.resize(other.size)
    common, all_of_it = (
        sum(shade * count for shade, count in enumerate(combine(one, other).histogram()))
        for combine in (ImageChops.darker, ImageChops.lighter)
    )
    return common / all_of_it

"""Reads a PDF as a screen reader does: by its tags, with what they say instead of the glyphs they hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import groupby
from typing import Any

from pypdf import PdfReader
from pypdf.generic import ContentStream

MISSING = 0
"""The number of every font's glyph for what it lacks."""


@dataclass(frozen=True)
class Run:
    """Glyphs drawn in one go, and what they say."""

    text: str
    glyphs: tuple[int, ...]


def pages(pdf: bytes) -> list[str]:
    """What each page says, its runs divided by spaces; white space is one space."""
    reader = PdfReader(BytesIO(pdf))
    return [" ".join(" ".join(run.text for run in runs(reader, number)).split()) for number in range(len(reader.pages))]


def missing_glyphs(pdf: bytes) -> list[str]:
    """The texts of runs in which a letter is drawn as missing."""
    reader = PdfReader(BytesIO(pdf))
    drawn = (run for number in range(len(reader.pages)) for run in runs(reader, number))
    return [run.text for run in drawn if MISSING in run.glyphs]


def runs(reader: PdfReader, number: int) -> Iterator[Run]:
    """The runs of a page, in the order of its content."""
    page = reader.pages[number]
    letters = {name: _letters(font.get_object()) for name, font in _fonts(page).items()}
    font, opened = "", list[Any]()
    said, glyphs = list[tuple[bool, str]](), list[int]()
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        match operator:
            case b"BDC" | b"BMC":
                opened.append(operands)
                said += [(False, text)] if (text := _instead(operands)) else []
            case b"EMC":
                opened.pop()
            case b"Tf":
                font = operands[0]
            case b"Tj" | b"TJ":
                drawn = list(_codes(operands[0]))
                glyphs += drawn
                if not any(_instead(each) for each in opened):
                    is_reversed = ["/ReversedChars"] in opened
                    read = [letters[font].get(code, "\ufffd") for code in drawn]
                    said.append((is_reversed, "".join(reversed(read) if is_reversed else read)))
            case b"ET":
                yield Run(_in_order(said), tuple(glyphs))
                said, glyphs = [], []


def _in_order(parts: list[tuple[bool, str]]) -> str:
    """The parts of a line, of which those from right to left are drawn from its end."""
    groups = [(is_reversed, [text for _, text in group]) for is_reversed, group in groupby(parts, lambda part: part[0])]
    return "".join("".join(reversed(texts) if is_reversed else texts) for is_reversed, texts in groups)


def root(document: bytes) -> Any:
    """The document's catalogue, from which everything else is reached."""
    return PdfReader(BytesIO(document)).trailer["/Root"]


def _fonts(page: Any) -> Any:
    return page["/Resources"]["/Font"]


def _instead(operands: Any) -> str | None:
    properties = operands[1] if len(operands) > 1 else {}
    text = properties.get("/ActualText") if isinstance(properties, dict) else None
    return None if text is None else str(text)


def _codes(drawn: Any) -> Iterator[int]:
    for part in drawn if isinstance(drawn, list) else [drawn]:
        if not isinstance(part, int | float):
            raw = part if isinstance(part, bytes) else part.original_bytes
            yield from (int.from_bytes(raw[at : at + 2]) for at in range(0, len(raw), 2))


def _letters(font: Any) -> dict[int, str]:
    """What each code of a font says, by its ToUnicode table."""
    table = font["/ToUnicode"].get_object().get_data().decode()
    pairs = (line.strip("<>").split("> <") for line in table.splitlines() if line.startswith("<") and "> <" in line)
    letters = {int(pair[0], 16): bytes.fromhex(pair[1]).decode("utf-16-be") for pair in pairs if len(pair) == 2}
    letters.pop(0, None)
    return letters


def fonts(document: bytes) -> set[str]:
    """The fonts of the first page by their names, without cut and the letters of a subset."""
    used = _fonts(PdfReader(BytesIO(document)).pages[0])
    names = (str(font.get_object()["/BaseFont"]) for font in used.values())
    return {name.partition("+")[2].partition("-")[0] for name in names}

"""The process that sets a document with Typst: `python -m server.orders.documents.typesetter TEMPLATE`.

Typst shapes every script and writes text right to left where it is. Its library and the fonts are over a hundred
megabytes on disk; of the fonts, it reads those that the texts need. This module imports nothing of the shop, so that
the process is ready within a tenth of a second.
"""

import json
import os
import resource
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typst import Compiler

TEMPLATES = Path(__file__).parent
FONT_PACKAGES = (
    "fontpkg_instrument_sans",
    "fontpkg_ibm_plex_sans_arabic",
    "manimgx_fonts",
    "manimgx_fonts_cjk",
)
MOST_BYTES = 2_000_000_000
"""Limit of the address space, most of which the library and the fonts map without reading it."""


def main(template: str) -> None:
    """Reads the contents as JSON from standard input; writes the PDF, or what is wrong with the template."""
    # Each thread more would take address space and a core from those who answer shoppers.
    os.environ["RAYON_NUM_THREADS"] = "1"
    os.nice(5)
    import typst

    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=font_folders())
    inputs = {"contents": sys.stdin.buffer.read().decode(), "fonts": json.dumps(fallback(fonts.families()))}
    compiler = typst.Compiler(TEMPLATES / f"{template}.typ", root=TEMPLATES, font_paths=fonts, sys_inputs=inputs)
    try:
        document = _set(compiler)
    except typst.TypstError as error:
        document = error.diagnostic.encode()
    sys.stdout.buffer.write(document)


def _set(compiler: "Compiler") -> bytes:
    """As PDF/UA-1, which forbids letters that no font has; a document with such letters is tagged all the same."""
    import typst

    # Only pictures are lists, and only a document that goes into a file is None.
    try:
        return cast(bytes, compiler.compile(format="pdf", pdf_standards=["ua-1"]))
    except typst.TypstError:
        return cast(bytes, compiler.compile(format="pdf"))


def font_folders() -> list[Path]:
    """Where the installed packages of fonts are."""
    specs = [find_spec(name) for name in FONT_PACKAGES]
    return [Path(folder) for spec in specs if spec for folder in spec.submodule_search_locations or ()]


def fallback(families: list[str]) -> list[str]:
    """The families that write what the first one lacks, in the order in which they are tried."""
    return sorted(families, key=lambda family: ("Emoji" in family, "CJK" in family, family != "Noto Sans", family))


if __name__ == "__main__":
    main(sys.argv[1])

"""Countries: addresses hold them as a shopper typed them, rates by ISO 3166 code."""

import tomllib
import unicodedata
from functools import cache
from pathlib import Path


@cache
def names() -> dict[str, str]:
    """English names by code, in alphabetical order."""
    return {code: written[0] for code, written in _table().items()}


def code_of(words: str) -> str | None:
    """The code of a country written in English or its own language; None for an unknown one.

    Case, accents and punctuation do not matter.
    """
    return _codes().get(_folded(words))


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads((Path(__file__).parent / "countries.toml").read_text(encoding="utf-8"))


@cache
def _codes() -> dict[str, str]:
    written = {_folded(name): code for code, all_names in _table().items() for name in all_names}
    return {_folded(code): code for code in _table()} | written


def _folded(words: str) -> str:
    plain = unicodedata.normalize("NFKD", words).casefold()
    return "".join(char for char in plain if char.isalnum())

"""Words of products and searches: normalization, synonyms, and names of colors."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from server.catalog.colors import FAMILIES, lightness
from server.catalog.index.products import IndexedColor, IndexedProduct

SALE_WORD = "sale"
DEPTHS = ("light", "dark")
LIGHT, DARK = 62, 38
"""CIE lightness from and up to which a color is also called light or dark; found only by the whole word."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_APOSTROPHES = re.compile("['\u2019`]")
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"})

SAME: tuple[tuple[str, ...], ...] = (
    ("trousers", "trouser", "pants", "slacks", "chinos"),
    ("jeans", "jean", "denims"),
    ("shirts", "shirt"),
    ("blouses", "blouse"),
    ("tees", "tee", "tshirts", "tshirt"),
    ("sweaters", "sweater", "jumpers", "jumper", "pullovers", "pullover"),
    ("men", "mens", "man", "male", "gents"),
    ("women", "womens", "woman", "female", "ladies"),
    (SALE_WORD, "sales", "clearance", "discounted"),
    ("gray", "grey"),
)
"""Synonyms: words of one line are found by each other."""

_ALIKE = {word: frozenset(group) for group in SAME for word in group}
_FAMILY_OF = {
    word: name.lower()
    for name, family in FAMILIES.items()
    for shade in (name.lower(), *family.shades)
    for word in _ALIKE.get(shade, (shade,))
}
KNOWN: tuple[str, ...] = tuple(sorted({*_ALIKE, *_FAMILY_OF, *DEPTHS}))
"""Words that are never corrected, whether or not a product has them."""


def plain(text: str) -> str:
    """The text without case, accents and apostrophes."""
    if text.isascii():
        return _APOSTROPHES.sub("", text.lower())
    spelled = unicodedata.normalize("NFKD", text.casefold()).translate(_LETTERS)
    return _APOSTROPHES.sub("", "".join(letter for letter in spelled if not unicodedata.combining(letter)))


def typed_words(text: str) -> list[tuple[str, ...]]:
    """The words of a search, each once, split at hyphens."""
    return list(dict.fromkeys(tuple(word.split("-")) for word in _WORD.findall(plain(text))))


@lru_cache(maxsize=1_024)
def words_of(text: str) -> frozenset[str]:
    """The words of a product's text with their synonyms; hyphenated ones also without hyphens."""
    parts = {part for word in _WORD.findall(plain(text)) for part in (word.replace("-", ""), *word.split("-"))}
    return frozenset().union(*(alike(word) for word in parts))


def alike(word: str) -> frozenset[str]:
    """The word and its synonyms."""
    return _ALIKE.get(word) or frozenset((word,))


def family_of(word: str) -> str | None:
    """The color family, in lower case, that a word names; None for other words."""
    return _FAMILY_OF.get(word)


def name_words(product: IndexedProduct) -> frozenset[str]:
    """The words of the best rank: name, category, and whether it is on sale."""
    values = (product.gender, product.subcategory, product.category_names, *([SALE_WORD] if product.on_sale else ()))
    return words_of(product.name).union(*map(words_of, values))


def text_words(product: IndexedProduct) -> frozenset[str]:
    """All other words of a product, except its colors."""
    return name_words(product) | words_of(product.text)


def color_words(color: IndexedColor) -> frozenset[str]:
    """The product's own name of a color."""
    return words_of(color.name)


def shade_words(color: IndexedColor) -> frozenset[str]:
    """Other names of a color: its family, and whether it is light or dark."""
    return _shade_words(color.family.lower(), color.hex)


@lru_cache(maxsize=1_024)
def _shade_words(family: str, hex_value: str) -> frozenset[str]:
    depth = lightness(hex_value)
    if family in ("black", "white") or DARK < depth < LIGHT:
        return alike(family)
    return alike(family) | {DEPTHS[depth <= DARK]}


def spoken(words: Iterable[tuple[str, ...]]) -> str:
    """The words of a search as one text."""
    return " ".join("-".join(parts) for parts in words)

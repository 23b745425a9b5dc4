"""What the words of a search select, and corrections of unknown words."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from pyroaring import BitMap

from server.catalog.index.postings import WHOLE, Postings, union_of
from server.catalog.index.words import DEPTHS, KNOWN, alike, family_of

Word = tuple[str, ...]
"""One word of a search, split at hyphens."""


class Rank(NamedTuple):
    """Which fields a search looks in, for whole products and for each of their colors."""

    whole: str
    colors: tuple[str, ...]


NAME_FIELDS = Rank("name", ("color",))
"""Names of products and colors."""
ALL_FIELDS = Rank("text", ("color", "shade"))
"""All text of a product, and other names of its colors."""


class Term:
    """What one word selects: products as a whole, by any of their colors, and by the color in one slot."""

    def __init__(self, postings: Postings, whole: BitMap, fields: Sequence[tuple[str, Sequence[str]]]) -> None:
        """`fields` are those of colors, each with the values that the word selects."""
        self.whole = whole
        self._postings, self._fields = postings, fields
        self.by_color = self._colored(WHOLE)

    def anywhere(self) -> BitMap:
        """The products selected as a whole or by any color."""
        return union_of([self.whole, self.by_color])

    def in_slot(self, slot: int) -> BitMap:
        """The products selected as a whole or by their color in this slot, from 1 on."""
        return union_of([self.whole, self._colored(slot)])

    def _colored(self, slot: int) -> BitMap:
        return union_of(rows for field, values in self._fields for rows in self._postings.each(field, slot, values))


def terms_of(postings: Postings, words: Sequence[Word], rank: Rank) -> list[Term]:
    """A term for each part of each word; a match has all of them, those of colors in one color."""
    return [_term(postings, part, rank) for word in words for part in word]


def corrected(postings: Postings, words: Sequence[Word]) -> list[Word] | None:
    """The words, each that starts no known word replaced by the nearest one; None when one has none."""
    nearest = [tuple(_nearest(postings, part) for part in word) for word in words]
    if any(part is None for word in nearest for part in word):
        return None
    return [tuple(part for part in word if part) for word in nearest]


def _term(postings: Postings, word: str, rank: Rank) -> Term:
    family = family_of(word)
    same = sorted(alike(word)) if family else _beginning_with(postings, word)
    # A description may mention a blue lining: only name and colors say that a product is blue.
    whole = postings.union("name" if family else rank.whole, WHOLE, same if rank is ALL_FIELDS or not family else ())
    shades = [*same, family] if family else [each for each in same if each == word or each not in DEPTHS]
    return Term(postings, whole, [(field, shades if field == "shade" else same) for field in rank.colors])


def _beginning_with(postings: Postings, word: str) -> list[str]:
    matches = postings.beginning_with(word)
    if not matches and word.endswith("s"):
        singular = word.removesuffix("s")
        return [singular] if singular in postings else []
    return matches


def _nearest(postings: Postings, word: str) -> str | None:
    place = bisect_left(KNOWN, word)
    if _beginning_with(postings, word) or (place < len(KNOWN) and KNOWN[place].startswith(word)):
        return word
    # Loaded with the first slip.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = 0 if len(word) < 3 else 1 if len(word) < 6 else 2
    words = [*postings.about_as_long(word, allowed), *KNOWN]
    near = process.extract(word, words, scorer=OSA.distance, score_cutoff=allowed, limit=None)
    ranked = [(distance, -len(postings.rows("text", WHOLE, other)), other) for other, distance, _ in near]
    return min(ranked)[2] if ranked else None

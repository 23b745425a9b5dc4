"""What the words of a search select, and corrections of unknown words."""

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from pyroaring import BitMap

from server.catalog.index.postings import WHOLE, Postings
from server.catalog.index.words import DEPTHS, KNOWN, alike, family_of

Word = tuple[str, ...]
"""One word of a search, split at hyphens."""


class Rank(NamedTuple):
    """Which fields a search looks in, for whole products and for each of their colors."""

    whole: str
    colors: tuple[str, ...]


NAMED = Rank("name", ("color",))
"""Names of products and colors."""
TOLD = Rank("text", ("color", "shade"))
"""All text of a product, and other names of its colors."""


class Term(NamedTuple):
    """What one word selects: products as a whole, and products by their color in each slot from 1 on."""

    whole: BitMap
    colors: tuple[BitMap, ...]

    def in_slot(self, slot: int) -> BitMap:
        """The products selected as a whole or by their color in this slot."""
        return self.whole | self.colors[slot - 1]


def terms_of(postings: Postings, words: Sequence[Word], rank: Rank) -> list[Term]:
    """A term for each part of each word; a match has all of them, those of colors in one color."""
    return [_term(postings, part, rank) for word in words for part in word]


def corrected(postings: Postings, words: Sequence[Word]) -> list[Word] | None:
    """The words, each that starts no known word replaced by the nearest one; None when one has none."""
    found = [tuple(_nearest(postings, part) for part in word) for word in words]
    if any(part is None for word in found for part in word):
        return None
    return [tuple(part for part in word if part) for word in found]


def _term(postings: Postings, word: str, rank: Rank) -> Term:
    family = family_of(word)
    same: Iterable[str] = alike(word) if family else _beginning_with(postings, word)
    # A description may mention a blue lining: only name and colors say that a product is blue.
    whole = postings.union("name" if family else rank.whole, WHOLE, same if rank is TOLD or not family else ())
    shades = [*same, family] if family else [each for each in same if each == word or each not in DEPTHS]
    colors = [
        reduce(
            BitMap.union,
            (postings.union(field, slot, shades if field == "shade" else same) for field in rank.colors),
        )
        for slot in range(1, postings.slots + 1)
    ]
    return Term(whole, tuple(colors))


def _beginning_with(postings: Postings, word: str) -> list[str]:
    found = postings.beginning_with(word)
    if not found and word.endswith("s"):
        singular = word.removesuffix("s")
        return [singular] if singular in postings else []
    return found


def _nearest(postings: Postings, word: str) -> str | None:
    if _beginning_with(postings, word) or any(known.startswith(word) for known in KNOWN):
        return word
    # Loaded with the first slip.
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = 0 if len(word) < 3 else 1 if len(word) < 6 else 2
    near = process.extract(word, {*postings.words, *KNOWN}, scorer=OSA.distance, score_cutoff=allowed, limit=None)
    ranked = [(distance, -len(postings.rows("text", WHOLE, other)), other) for other, distance, _ in near]
    return min(ranked)[2] if ranked else None

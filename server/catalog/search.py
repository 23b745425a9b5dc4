"""Search: words are matched by their prefixes, and unknown words corrected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from server.catalog.index.index import CatalogIndex
from server.catalog.index.terms import Word
from server.catalog.index.words import alike, spoken, typed_words
from server.catalog.lists import ProductCriteria

SHORTEST = 2
LONGEST = 100
MOST_SUGGESTIONS = 5
UNPRINTABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True)
class Search:
    """A parsed search. `corrected` is set when it differs from the text; without words it finds nothing."""

    words: Sequence[Word]
    corrected: str | None = None
    finds_something: bool = True


NOTHING = Search((), finds_something=False)


def understood(index: CatalogIndex, text: str) -> Search:
    """Parses a text: products match that have every word as a prefix, in any order; see `index.words`.

    Case and accents do not matter. Fewer than two characters find nothing. A word is corrected only when it is not a
    prefix of any word of the catalogue or of the shop's own list.
    """
    typed = UNPRINTABLE.sub(" ", text)[:LONGEST].strip()
    words = typed_words(typed) if len(typed) >= SHORTEST else []
    if not words:
        return NOTHING
    if index.total(ProductCriteria(), words):
        return Search(words)
    mended = index.corrected(words)
    if mended and mended != words and index.total(ProductCriteria(), mended):
        return Search(mended, corrected=spoken(mended))
    return Search(words, finds_something=False)


def suggestions(index: CatalogIndex, search: Search) -> list[str]:
    """Completions of the last word from the products found; for a whole word, the kinds of product among them."""
    if not search.words:
        return []
    if not search.finds_something:
        return list(index.categories.kind_words.values())
    start, last = spoken(search.words[:-1]), search.words[-1][-1]
    endings = index.completions(search.words)
    whole = endings[0] if endings and last not in index.postings else last
    synonyms = {same for word in [*start.split(), whole] for same in alike(word)}
    narrowed = [f"{whole} {kind}" for kind in index.kinds(search.words) if kind not in synonyms]
    return [f"{start} {each}".strip() for each in [*endings, *narrowed]][:MOST_SUGGESTIONS]

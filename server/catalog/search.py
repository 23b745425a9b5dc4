"""Search: words are looked up by their beginnings; a slip is corrected only when nothing begins that way."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func, literal, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog import queries
from server.catalog.models import SUBCATEGORIES, Product
from server.catalog.queries import SEARCHED_NAME, ProductRow

SHORTEST = 2
LONGEST = 100
MOST_SUGGESTIONS = 5
NEAREST_NAMES = 60
WORD = re.compile(r"\w+")
KINDS = tuple(dict.fromkeys(kind for kinds in SUBCATEGORIES.values() for kind in kinds))
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")

# Chosen so that one wrong, missing or swapped letter in a word of five still finds its candidates.
SIMILARITY = "0.3"


@dataclass(frozen=True)
class Found:
    """`corrected` is what was searched instead, when nothing has the name that was typed."""

    products: list[ProductRow]
    suggestions: list[str]
    corrected: str | None = None


async def search(session: AsyncSession, text: str, first: int) -> Found:
    """Products whose name, title, subtitle, gender or category has every word's beginning, the best sold first.

    Case and accents do not matter. Fewer than two characters find nothing.
    """
    typed = UNSTORABLE.sub(" ", text)[:LONGEST].strip()
    if len(typed) < SHORTEST:
        return Found([], [])
    words = await _lexemes(session, typed)
    if not words:
        return Found([], [])
    products = await queries.matching(session, _tsquery(words), first)
    if products:
        return Found(products, _suggestions(words, products))
    corrected = await _corrected(session, words)
    if corrected is None:
        return Found([], list(KINDS))
    products = await queries.matching(session, _tsquery(corrected), first)
    return Found(products, _suggestions(corrected, products), " ".join(corrected) if products else None)


async def _lexemes(session: AsyncSession, typed: str) -> list[str]:
    """The text's words as the index spells them. Also plans this transaction's queries anew for each text, since a
    plan made for any text at all scans the whole table."""
    vector = func.to_tsvector("simple", func.search_text(literal(typed)))
    words = await session.execute(
        select(
            func.set_config("plan_cache_mode", "force_custom_plan", True),
            func.set_config("pg_trgm.word_similarity_threshold", SIMILARITY, True),
            func.tsvector_to_array(vector),
            func.search_text(literal(typed)),
        )
    )
    _, _, lexemes, plain = words.one()
    return sorted(lexemes, key=lambda lexeme: plain.find(lexeme))


def _tsquery(words: Iterable[str]) -> str:
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in words)
    return " & ".join(f"'{word}':*" for word in quoted)


async def _corrected(session: AsyncSession, words: list[str]) -> list[str] | None:
    """The words with those that nothing begins with replaced by the nearest ones; None when one has no near one."""
    similar = [literal(word).op("<%")(SEARCHED_NAME) for word in words]
    names = await session.scalars(
        select(SEARCHED_NAME)
        .where(Product.retired_at.is_(None), or_(*similar))
        .order_by(Product.popularity.desc(), Product.id.desc())
        .limit(NEAREST_NAMES)
    )
    vocabulary = list(dict.fromkeys([*KINDS, *SUBCATEGORIES, *(word for name in names for word in WORD.findall(name))]))
    found = [_nearest(word, vocabulary) for word in words]
    return None if None in found else [word for word in found if word]


def _nearest(word: str, vocabulary: list[str]) -> str | None:
    if any(known.startswith(word) for known in vocabulary):
        return word
    allowed = 0 if len(word) < 3 else 1 if len(word) < 6 else 2
    distances = ((edits(word, known), place, known) for place, known in enumerate(vocabulary))
    distance, _, known = min(distances, default=(allowed + 1, 0, ""))
    return known if distance <= allowed else None


def edits(one: str, other: str) -> int:
    """Letters to add, drop, change or swap with their neighbor to make one word the other."""
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        current = [row]
        for column, wanted in enumerate(other, start=1):
            cost = min(
                previous[column] + 1,
                current[column - 1] + 1,
                previous[column - 1] + (letter != wanted),
            )
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == wanted:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]


def _suggestions(words: list[str], products: list[ProductRow]) -> list[str]:
    """The last word completed as the found names have it; then, whole, with the kinds of product among them."""
    *start, last = words
    texts = [f"{product.name} {product.subtitle}".lower() for product in products]
    named = Counter(word for text in texts for word in dict.fromkeys(WORD.findall(text)) if word.isalpha())
    endings = [word for word, _ in named.most_common() if word.startswith(last) and word != last]
    whole = [*start, last if last in named or not endings else endings[0]]
    kinds = Counter(product.subcategory for product in products)
    narrowed = [[*whole, kind] for kind, _ in kinds.most_common() if not any(kind.startswith(word) for word in whole)]
    completed = [[*start, ending] for ending in endings]
    return [" ".join(each) for each in [*completed, *narrowed]][:MOST_SUGGESTIONS]

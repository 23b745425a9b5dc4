"""Lists, facets and searches over all products on sale."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache, reduce
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from pyroaring import BitMap

from server.catalog.categories import Categories
from server.catalog.colors import FAMILIES
from server.catalog.index import terms, words
from server.catalog.index.order import SortOrder
from server.catalog.index.postings import WHOLE, Key, KeyGroup, Postings, union_of
from server.catalog.index.products import IndexedColor, IndexedProduct
from server.catalog.index.terms import ALL_FIELDS, NAME_FIELDS, Rank, Term, Word
from server.catalog.lists import FLAGS, Facets, ProductCriteria, ProductListSort
from server.platform.core.ids import uuid_of

ANY = ""
"""Stands for any size."""
MOST_ENDINGS = 500
"""Words examined for completing one."""
PRODUCT_FLAGS = {name: flag.of for name, flag in FLAGS.items() if flag.of}
"""The function of each flag of a whole product; its key in the postings is its name."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Position(NamedTuple):
    """A product's place in a list: its rank in the search (0 is best), sort key and id."""

    rank: int
    value: int
    id: UUID


class OfColor(NamedTuple):
    """The part of a filter that one color of a product has to match: any of the sizes, any of the families."""

    sizes: tuple[str, ...]
    families: tuple[str, ...]
    in_stock: bool


class IndexPage(NamedTuple):
    """One page of a list."""

    positions: list[Position]
    has_next: bool


class CatalogIndex:
    """All products on sale. Results are exact for what was put into it."""

    def __init__(self) -> None:
        self.version = 0
        """Counts changes."""
        self.categories = Categories()
        self.postings = Postings()
        self._ids: list[bytes] = []
        self._rows: dict[bytes, int] = {}
        self._free: list[int] = []
        self._live = BitMap()
        self._contents = array("q")
        """Hashes of the products by row, so that reading everything again is cheap where nothing changed."""
        self._popularity = SortOrder(self._ids)
        self._created = SortOrder(self._ids)
        self._charged = SortOrder(self._ids)
        self._last_selections: dict[Rank, tuple[tuple[object, ...], _Selection]] = {}
        """With what they were made of: page, total and facets of a list come from the same products."""

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, product_id: UUID) -> bool:
        return product_id.bytes in self._rows

    def ids(self) -> Iterator[UUID]:
        """Ids of all products in the index."""
        return (uuid_of(each) for each in self._rows)

    def put(self, product: IndexedProduct) -> None:
        """Adds or replaces a product."""
        present_row = self._rows.get(product.id.bytes)
        if present_row is not None and self._contents[present_row] == hash(product):
            return
        self.version += 1
        row = self._new_row(product.id) if present_row is None else present_row
        self._contents[row] = hash(product)
        self.postings.put(row, _word_keys_of(product), _groups(product))
        for order, value in (
            (self._popularity, product.popularity),
            (self._created, microseconds(product.created_at)),
            (self._charged, product.charged_cents),
        ):
            if present_row is not None:
                if order.place(row)[0] == value:
                    continue
                order.discard(row)
            order.put(row, value)

    def put_categories(self, categories: Categories) -> None:
        """Replaces the categories."""
        if categories != self.categories:
            self.version += 1
            self.categories = categories

    def sort(self) -> None:
        """Sorts what has been put here; otherwise the next reader waits for it."""
        for order in (self._popularity, self._created, self._charged):
            order.sort()

    def remove(self, product_id: UUID) -> None:
        """Removes a product, if it is there."""
        row = self._rows.pop(product_id.bytes, None)
        if row is None:
            return
        self.version += 1
        self.postings.put(row, ())
        for order in (self._popularity, self._created, self._charged):
            order.discard(row)
        self._live.discard(row)
        self._free.append(row)

    def page(
        self,
        criteria: ProductCriteria,
        sort: ProductListSort,
        first: int,
        after: Position | None = None,
        offset: int = 0,
        searched: Sequence[Word] = (),
    ) -> IndexPage:
        """At most `first` products behind a position. Products that come or go do not shift later pages."""
        ranks = self._ranks(criteria, sort, searched)
        window = islice(self._positions(ranks, sort, after), offset, offset + first + 1)
        positions = list(window)
        return IndexPage(positions[:first], len(positions) > first)

    def all(self, criteria: ProductCriteria, limit: int | None = None, offset: int = 0) -> list[UUID]:
        """Featured products first; all of them when `limit` is None."""
        rows = self._popularity.descending(self._selection(criteria).matches)
        return [uuid_of(self._ids[row]) for row in islice(rows, offset, None if limit is None else offset + limit)]

    def total(self, criteria: ProductCriteria, searched: Sequence[Word] = ()) -> int:
        """How many products match."""
        return len(self._selection(criteria, searched).matches)

    def facets(self, criteria: ProductCriteria, searched: Sequence[Word] = ()) -> Facets:
        """The facets of a list: each counted without its own filter."""
        selection = self._selection(criteria, searched)
        sizes, families, in_stock = selection.of_color
        without_price = selection.rows(selection.of_color)
        choices = self.categories.size_choices
        by_size = [
            (each, selection.count(OfColor(choices.made_in_instead(criteria.sizes, each.key), families, in_stock)))
            for each in choices.all
        ]
        by_family = {family: selection.count(OfColor(sizes, (family,), in_stock)) for family in FAMILIES}
        category = ProductCriteria(gender=criteria.gender, subcategory=criteria.subcategory)
        others = Facets() if criteria == category else self.facets(category, searched)
        cheapest = next(self._charged.ascending(without_price), None)
        dearest = next(self._charged.descending(without_price), None)
        shown = [(each, products) for each, products in by_size if products or each.key in others.sizes]
        return Facets(
            {each.key: products for each, products in shown},
            {family: products for family, products in by_family.items() if products or family in others.families},
            None if cheapest is None else self._charged.place(cheapest)[0],
            None if dearest is None else self._charged.place(dearest)[0],
            {
                "in_stock": selection.count(OfColor(sizes, families, True)),
                **{
                    name: selection.matches.intersection_cardinality(self.postings.rows(name, WHOLE, ANY))
                    for name in PRODUCT_FLAGS
                },
            },
            tuple(each for each, _ in shown),
        )

    def in_category(self, gender: str, subcategory: str) -> int:
        """How many products are on sale in the category."""
        return len(self.postings.rows("category", WHOLE, f"{gender}_{subcategory}"))

    def related(self, product_id: UUID, gender: str, subcategory: str, many: int) -> list[UUID]:
        """Products that go with one, on sale or not: same gender, other kinds first, then by popularity."""
        itself = BitMap([row] if (row := self._rows.get(product_id.bytes)) is not None else [])
        same = self.postings.rows("category", WHOLE, f"{gender}_{subcategory}") - itself
        others = self.postings.rows("gender", WHOLE, gender) - same - itself
        rows = (each for group in (others, same) for each in self._popularity.descending(group))
        return [uuid_of(self._ids[each]) for each in islice(rows, many)]

    def completions(self, searched: Sequence[Word]) -> list[str]:
        """Completions of the last word from names and colors of the products found, most frequent first.

        Of synonyms only one is returned.
        """
        last = searched[-1][-1]
        matches = self._selection(ProductCriteria(), searched).matches
        best: dict[frozenset[str], tuple[int, str]] = {}
        for word in self.postings.beginning_with(last)[:MOST_ENDINGS]:
            named = union_of([self.postings.rows(field, WHOLE, word) for field in ("name", "color")])
            count = named.intersection_cardinality(matches)
            if count and word.isalpha() and last not in words.alike(word):
                best[words.alike(word)] = min(best.get(words.alike(word), (0, "")), (-count, word))
        return [word for _, word in sorted(best.values())]

    def kinds(self, searched: Sequence[Word]) -> list[str]:
        """What the kinds of the products found are called, most frequent first."""
        matches = self._selection(ProductCriteria(), searched).matches
        kinds = self.categories.kind_words
        counts = {kind: self.postings.rows("kind", WHOLE, kind).intersection_cardinality(matches) for kind in kinds}
        return [kinds[key] for key in sorted((key for key in kinds if counts[key]), key=lambda key: -counts[key])]

    def corrected(self, searched: Sequence[Word]) -> list[Word] | None:
        """The words with typing errors corrected; None when one resembles no known word."""
        return terms.corrected(self.postings, searched)

    def _new_row(self, product_id: UUID) -> int:
        if self._free:
            row = self._free.pop()
            self._ids[row] = product_id.bytes
        else:
            row = len(self._ids)
            self._ids.append(product_id.bytes)
            self._contents.append(0)
        self._rows[product_id.bytes] = row
        self._live.add(row)
        return row

    def _selection(
        self, criteria: ProductCriteria, searched: Sequence[Word] = (), rank: Rank = ALL_FIELDS
    ) -> "_Selection":
        made_of = (self.version, criteria, *searched)
        last = self._last_selections.get(rank)
        if last is None or last[0] != made_of:
            words = terms.terms_of(self.postings, searched, rank)
            of_color = OfColor(
                self.categories.size_choices.made_in(criteria.sizes), criteria.families, criteria.in_stock
            )
            last = made_of, _Selection(self.postings, self._live, self._priced(criteria), criteria, of_color, words)
            self._last_selections[rank] = last
        return last[1]

    def _priced(self, criteria: ProductCriteria) -> BitMap | None:
        if criteria.price_from is None and criteria.price_to is None:
            return None
        return self._charged.between(criteria.price_from, criteria.price_to)

    def _ranks(self, criteria: ProductCriteria, sort: ProductListSort, searched: Sequence[Word]) -> list[BitMap]:
        """The matching products in groups, the best matches first."""
        if sort is not ProductListSort.RELEVANCE or not searched:
            return [self._selection(criteria, searched).matches]
        best = self._selection(criteria, searched, NAME_FIELDS).matches
        return [best, self._selection(criteria, searched).matches - best]

    def _positions(self, ranks: list[BitMap], sort: ProductListSort, after: Position | None) -> Iterator[Position]:
        order = self._order(sort)
        for rank, rows in enumerate(ranks):
            if after is not None and rank < after.rank:
                continue
            place = (after.value, after.id.bytes) if after is not None and rank == after.rank else None
            walk = order.ascending if sort is ProductListSort.PRICE_ASCENDING else order.descending
            for row in walk(rows, place):
                value, product_id = order.place(row)
                yield Position(rank, value, uuid_of(product_id))

    def _order(self, sort: ProductListSort) -> SortOrder:
        if sort is ProductListSort.NEWEST:
            return self._created
        return self._popularity if sort in (ProductListSort.FEATURED, ProductListSort.RELEVANCE) else self._charged


class _Selection:
    """The products that match a filter and a search, as a whole and by each of their colors where needed.

    The price filter is apart, because facets are counted with and without it. Right until the index changes; its
    bitmaps may be the index's own.
    """

    def __init__(
        self,
        postings: Postings,
        live: BitMap,
        priced: BitMap | None,
        criteria: ProductCriteria,
        of_color: OfColor,
        searched: Sequence[Term],
    ) -> None:
        """`priced` are the products of a price filter, `live` all products."""
        self._priced = priced
        self._postings = postings
        self.of_color = of_color
        conditions = [postings.rows(*key) for key in _product_keys(criteria)] or [live]
        self._every = _all_of([*conditions, *(term.whole for term in searched if not term.by_color)])
        """What matches all but the words of colors."""
        self._of_colors = [term for term in searched if term.by_color]
        self._matches = self._anywhere()

    def _anywhere(self) -> BitMap:
        """The matches before sizes, families, stock and price. Only two words must be those of the same color."""
        if len(self._of_colors) < 2:
            return _all_of([self._every, *(term.anywhere() for term in self._of_colors)])
        return union_of(self._by_color)

    @cached_property
    def _by_color(self) -> list[BitMap]:
        """The matches whose color in each slot has the words."""
        slots = range(1, self._postings.slots + 1)
        return [_all_of([self._every, *(term.in_slot(slot) for term in self._of_colors)]) for slot in slots]

    @cached_property
    def matches(self) -> BitMap:
        """The products that match everything."""
        return self._with_price(self.rows(self.of_color))

    @cached_property
    def _matches_with_price(self) -> BitMap:
        return self._with_price(self._matches)

    def _with_price(self, rows: BitMap) -> BitMap:
        return rows if self._priced is None else rows & self._priced

    def count(self, of_color: OfColor) -> int:
        """How many products match with this instead of the selection's own sizes, families and stock."""
        if not any(of_color):
            return len(self._matches_with_price)
        if not self._of_colors:
            # Counting takes a tenth of the time of making the bitmap that is counted.
            return self._matches_with_price.intersection_cardinality(self._fitting(WHOLE, of_color))
        return len(self._with_price(self.rows(of_color)))

    def rows(self, of_color: OfColor) -> BitMap:
        """The matches, whatever they cost, with this instead of the selection's own sizes, families and stock."""
        if not any(of_color):
            return self._matches
        if not self._of_colors:
            return self._matches & self._fitting(WHOLE, of_color)
        by_color = enumerate(self._by_color, start=1)
        return union_of([rows & self._fitting(slot, of_color) for slot, rows in by_color if rows])

    def _fitting(self, slot: int, of_color: OfColor) -> BitMap:
        """Products with a color that has one of the sizes and families, or whose color in the slot has."""
        field = "stock" if of_color.in_stock else "made"
        if not of_color.families:
            return self._postings.union(field, slot, of_color.sizes or (ANY,))
        if not of_color.sizes:
            return self._postings.union(f"{field} family", slot, of_color.families)
        if slot == WHOLE:
            both = (f"{size} {family}" for size in of_color.sizes for family in of_color.families)
            return self._postings.union(f"{field} size family", WHOLE, both)
        families = self._postings.union("made family", slot, of_color.families)
        return families & self._postings.union(field, slot, of_color.sizes)


def microseconds(moment: datetime) -> int:
    """A time as microseconds since 1970."""
    return (moment - EPOCH) // MICROSECOND


def moment(value: int) -> datetime:
    """The time of microseconds since 1970."""
    return EPOCH + value * MICROSECOND


def _all_of(bitmaps: list[BitMap]) -> BitMap:
    """The rows of each of them, the fewest first."""
    return reduce(BitMap.intersection, sorted(bitmaps, key=len))


def _product_keys(criteria: ProductCriteria) -> Iterator[Key]:
    if criteria.gender and criteria.subcategory:
        yield Key("category", WHOLE, f"{criteria.gender}_{criteria.subcategory}")
    elif criteria.gender:
        yield Key("gender", WHOLE, criteria.gender)
    elif criteria.subcategory:
        yield Key("kind", WHOLE, criteria.subcategory)
    for name in PRODUCT_FLAGS:
        if getattr(criteria, name):
            yield Key(name, WHOLE, ANY)


def _word_keys_of(product: IndexedProduct) -> Iterator[Key]:
    yield from _word_keys("name", WHOLE, words.name_words(product))
    yield from _word_keys("text", WHOLE, words.text_words(product))


def _groups(product: IndexedProduct) -> Iterator[KeyGroup]:
    flags = tuple(name for name, has in PRODUCT_FLAGS.items() if has(product))
    yield _category_keys(product.gender, product.subcategory, flags)
    for slot, color in enumerate(product.colors, start=1):
        yield _color_keys(slot, color)


@lru_cache(maxsize=128)
def _category_keys(gender: str, subcategory: str, flags: tuple[str, ...]) -> KeyGroup:
    category = Key("category", WHOLE, f"{gender}_{subcategory}")
    own = [Key(name, WHOLE, ANY) for name in flags]
    return KeyGroup([Key("gender", WHOLE, gender), Key("kind", WHOLE, subcategory), category, *own])


@lru_cache(maxsize=512)
def _color_keys(slot: int, color: IndexedColor) -> KeyGroup:
    """Remembered, since many products come in the same colors and sizes."""
    return KeyGroup(
        [
            *_word_keys("color", slot, words.color_words(color)),
            *_word_keys("color", WHOLE, words.color_words(color)),
            *_word_keys("shade", slot, words.shade_words(color)),
            *_word_keys("shade", WHOLE, words.shade_words(color)),
            *_variant_keys(slot, color.sizes, color.in_stock, color.family),
            *_variant_keys(WHOLE, color.sizes, color.in_stock, color.family),
        ]
    )


def _word_keys(field: str, slot: int, words_of_field: Iterable[str]) -> Iterator[Key]:
    return (Key(field, slot, word) for word in words_of_field)


def _variant_keys(slot: int, sizes: Sequence[str], in_stock: Sequence[str], family: str) -> Iterator[Key]:
    for field, fitting in (("made", sizes), ("stock", in_stock)):
        if fitting:
            yield Key(field, slot, ANY)
            yield Key(f"{field} family", slot, family)
        for size in fitting:
            yield Key(field, slot, size)
            if slot == WHOLE:
                yield Key(f"{field} size family", WHOLE, f"{size} {family}")

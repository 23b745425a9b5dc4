"""Contents of products by id, as this process knows them: what lists, cards and product pages are made of."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from server.catalog import queries
from server.catalog.queries import ProductRow
from server.platform.core.byte_cache import ByteLimitedCache
from server.platform.core.db import Sessions
from server.platform.core.reader import MOST_LAG, Reader

MAX_BYTES = 26_000_000
READ_ALONG = 100
"""Products whose stock is read along with another's: visitors come back to each within a second or two, and each would
take a statement of its own."""
EXACT_STOCK_BELOW = 10
"""From this many pieces of a variant on, movements of its stock are not announced (`announce_updated_variants`)."""
BYTES_PER_CHARACTER = 3
"""A row's bytes for each character of its text as Python writes it; 2.1 to 2.8 were measured."""


class Fingerprints(NamedTuple):
    """Hashes of what can be seen of a product. Equal ones mean that it looks the same."""

    list: int
    """In lists: everything but the stock of each variant; of the product's stock only whether it is many."""
    page: int
    """On its page: also how many pieces there are of each variant that has few."""
    stock: int
    """Where numbers of pieces are shown."""


@dataclass(slots=True)
class Content:
    """A product's row with its fingerprints."""

    row: ProductRow
    fingerprints: Fingerprints
    size: int
    stock_as_of: float
    """When its stock was last read, by `monotonic`."""


Read = asyncio.Task[dict[UUID, Content]]


class ProductContents:
    """Products by id, bounded in bytes; the least recently used are dropped first.

    Each stays until it is announced as changed, except that its stock, from EXACT_STOCK_BELOW pieces on, may be older.
    While the listener is disconnected nothing is kept.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, *, reader: Reader | None = None) -> None:
        self._kept = ByteLimitedCache[UUID, Content]("product contents", max_bytes)
        self._reads: dict[UUID, Read] = {}
        self._next: tuple[Read, list[UUID]] | None = None
        """The read that is about to begin, and what it is going to read."""
        self._is_listening = False
        self._reader = reader or Reader()
        self._stock_lock = asyncio.Lock()
        self._listening_since = 0.0
        self._announced: dict[UUID, float] = {}
        """When products were announced within the last MOST_LAG seconds: a read of one has to know that change."""

    def changed(self, ids: Iterable[UUID]) -> None:
        """Drops products; one that is being read is read again by whoever asks from now on."""
        now = monotonic()
        for product_id in list(takewhile(lambda each: self._announced[each] < now - MOST_LAG, self._announced)):
            del self._announced[product_id]
        for product_id in ids:
            self._announced.pop(product_id, None)
            self._announced[product_id] = now
            self._kept.discard(product_id)
            self._reads.pop(product_id, None)

    def listening(self, *, is_listening: bool) -> None:
        """Drops everything: after a gap any product may have changed."""
        self._is_listening = is_listening
        self.forget()

    def forget(self) -> None:
        """Drops everything, since any product may have changed by now."""
        self._listening_since = monotonic()
        self._kept.clear()
        self._reads.clear()

    def known(self, ids: Iterable[UUID], stock_since: float | None = None) -> dict[UUID, Content] | None:
        """As `get`, from memory alone; None when something has to be read."""
        contents = {each: content for each in ids if (content := self._kept.get(each)) is not None}
        if len(contents) < len(set(ids)):
            return None
        if stock_since is not None and any(content.stock_as_of < stock_since for content in contents.values()):
            return None
        return contents

    async def get(
        self, sessions: Sessions, ids: Iterable[UUID], stock_since: float | None = None
    ) -> dict[UUID, Content]:
        """Products by id, retired ones included; those that do not exist are missing.

        What is not known is read with one statement. With `stock_since` all stock is at least as new as that moment.
        """
        wanted = set(ids)
        known = {each: content for each in wanted if (content := self._kept.get(each)) is not None}
        if len(known) < len(wanted):
            missing = wanted - known.keys()
            if unread := [each for each in missing if each not in self._reads]:
                self._want(sessions, unread)
            for read in {self._reads[each] for each in missing}:
                found = await asyncio.shield(read)
                known.update({each: content for each, content in found.items() if each in wanted})
        if stock_since is not None:
            known = await self._with_stock(sessions, known, stock_since)
        return known

    def _want(self, sessions: Sessions, ids: Sequence[UUID]) -> None:
        if self._next is None:
            wanted: list[UUID] = []
            self._next = asyncio.create_task(self._read(sessions, wanted)), wanted
        read, wanted = self._next
        wanted += ids
        self._reads.update(dict.fromkeys(ids, read))

    async def _read(self, sessions: Sessions, ids: list[UUID]) -> dict[UUID, Content]:
        # What other tasks of this tick want is read with the same statement.
        await asyncio.sleep(0)
        self._next = None
        this = asyncio.current_task()
        since = max([self._listening_since, *(self._announced.get(each, 0.0) for each in ids)])
        try:
            rows, as_of = await self._reader.read(sessions, since, lambda session: queries.products_by_id(session, ids))
            found = {product_id: _content_of(row, as_of) for product_id, row in rows.items()}
            for product_id, content in found.items():
                # Announced meanwhile, it may have been read before the change.
                if self._is_listening and self._reads.get(product_id) is this:
                    self._kept.put(product_id, content, content.size)
            return found
        finally:
            for product_id in ids:
                if self._reads.get(product_id) is this:
                    del self._reads[product_id]

    async def _with_stock(self, sessions: Sessions, contents: dict[UUID, Content], since: float) -> dict[UUID, Content]:
        """The same with stock as of `since` or later. One request at a time reads it, for the latest products too."""
        if all(content.stock_as_of >= since for content in contents.values()):
            return contents
        async with self._stock_lock:
            contents = {each: self._kept.get(each) or content for each, content in contents.items()}
            if older := [each for each, content in contents.items() if content.stock_as_of < since]:
                ids = list(dict.fromkeys([*self._kept.latest(READ_ALONG), *older]))
                pieces, as_of = await self._reader.read(
                    sessions, since, lambda session: queries.stock_of_variants(session, ids)
                )
                for each in reversed(ids):  # In this order each stays as lately used as it was.
                    if content := self._kept.get(each) or contents.get(each):
                        counted = self._counted(each, content, pieces, as_of)
                        if each in contents:
                            contents[each] = counted
            return contents

    def _counted(self, product_id: UUID, content: Content, pieces: Mapping[str, int], as_of: float) -> Content:
        if content.stock_as_of >= as_of:
            return content
        if all(pieces.get(each.id, each.stock) == each.stock for each in content.row.variants):
            content.stock_as_of = as_of
            return content
        variants = [each._replace(stock=pieces.get(each.id, each.stock)) for each in content.row.variants]
        counted = _content_of(replace(content.row, variants=variants), as_of)
        if self._kept.get(product_id) is content:
            self._kept.put(product_id, counted, counted.size)
        return counted


def _content_of(row: ProductRow, as_of: float) -> Content:
    few = [each._replace(stock=min(each.stock, EXACT_STOCK_BELOW)) for each in row.variants]
    cards = [each._replace(stock=0) for each in row.variants]
    # Lists are sorted by popularity, which nobody sees.
    rest = repr(replace(row, variants=[], popularity=0))
    fingerprints = Fingerprints(
        hash((rest, min(row.stock, EXACT_STOCK_BELOW), repr(cards))),
        hash((rest, repr(few))),
        hash((rest, repr(row.variants))),
    )
    return Content(row, fingerprints, BYTES_PER_CHARACTER * (len(rest) + len(repr(few))), as_of)

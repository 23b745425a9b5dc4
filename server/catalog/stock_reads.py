"""Exact stock of products, read with that of others that were asked for lately: one statement for all of them."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from time import monotonic
from typing import NamedTuple
from uuid import UUID

from server.catalog import queries
from server.platform.core.db import Sessions
from server.platform.core.reader import Reader

MAX_PRODUCTS = 200
"""Products whose stock is read because that of others is."""
RECENT_SECONDS = 5.0
"""For so long after its stock was asked for a product is read along: a crowd comes back to each of a hundred products
every second or two, and would have a statement for each."""


class Stock(NamedTuple):
    """Pieces of each variant of these products, by the variant's id, at the moment `as_of` by `monotonic`."""

    products: frozenset[UUID]
    pieces: dict[str, int]
    as_of: float


@dataclass(slots=True)
class _Read:
    ids: set[UUID]
    task: asyncio.Task[Stock] = field(init=False)
    begun: float = inf
    """By `monotonic`; infinite while it waits for what other tasks of the same tick want."""

    def answers(self, ids: Iterable[UUID], since: float) -> bool:
        return self.begun >= since and self.ids.issuperset(ids)


class StockReads:
    """Reads stock, at most once at a time for the same products; `on_read` gets each result first."""

    def __init__(self, reader: Reader, on_read: Callable[[Stock], None]) -> None:
        self._reader, self._on_read = reader, on_read
        self._asked: dict[UUID, float] = {}
        """When each was last asked for, oldest first."""
        self._read: _Read | None = None

    def ask(self, ids: Iterable[UUID]) -> None:
        """Notes that somebody wants their stock, known or not."""
        now = monotonic()
        for product_id in ids:
            self._asked.pop(product_id, None)
            self._asked[product_id] = now
        while len(self._asked) > MAX_PRODUCTS:
            del self._asked[next(iter(self._asked))]

    async def read(self, sessions: Sessions, ids: Iterable[UUID], since: float) -> Stock:
        """The stock of these products and maybe of more, with everything committed before `since`."""
        wanted = set(ids)
        read = self._read
        if read is not None and read.begun == inf:
            read.ids |= wanted
        elif read is None or not read.answers(wanted, since):
            read = self._read = _Read(wanted)
            read.task = asyncio.create_task(self._begin(sessions, read))
        return await asyncio.shield(read.task)

    async def _begin(self, sessions: Sessions, read: _Read) -> Stock:
        await asyncio.sleep(0)
        read.begun = now = monotonic()
        read.ids.update(each for each, asked in self._asked.items() if asked > now - RECENT_SECONDS)
        ids = frozenset(read.ids)
        try:
            pieces, as_of = await self._reader.read(
                sessions, now, lambda session: queries.stock_of_variants(session, list(ids))
            )
        except BaseException:
            if self._read is read:
                self._read = None
            raise
        stock = Stock(ids, pieces, as_of)
        self._on_read(stock)
        return stock

"""Keeps a process's catalogue index equal to the database."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from time import monotonic
from uuid import UUID, uuid4

import structlog

from server.catalog import category_queries, queries
from server.catalog.index.index import CatalogIndex
from server.catalog.index.products import IndexedProduct
from server.platform.core import gc_tuning
from server.platform.core.batches import slices
from server.platform.core.db import Sessions, begin, is_unavailable
from server.platform.core.errors import Unavailable
from server.platform.core.notify import announce
from server.platform.core.reader import Reader

log = structlog.get_logger()

CHANNEL = "catalog_products"
ALLOWED_LAG = 1.0
"""Seconds that the index may lag behind notifications without counting as stale."""
COMPLETE_SECONDS = 10.0
"""How long a request waits for the first complete index."""
BATCH = 500
A_TURN = 20
"""Products put into the index before the event loop runs other tasks."""
RETRY_SECONDS = 0.2
READER_SECONDS = 1.0
"""How long a reading of everything waits for a replica that has all that was missed."""
MARK = "mark:"
"""Begins payloads that name no products; see `catch_up`."""
FIRST = UUID(int=0)
CATEGORIES = FIRST
"""Announced among ids of products, it stands for departments, kinds and categories."""


class CatalogFollower:
    """This process's catalogue index, and the task that updates it by notifications of changed products.

    A notification names products, and one task reads their present state afterwards: so notifications may come twice,
    in any order, or without a change. While the listener is disconnected some are missed: afterwards everything is read
    again, and the index is `stale` from the disconnection until that is done.
    """

    def __init__(self, reader: Reader | None = None) -> None:
        self._reader = reader or Reader()
        self._listening_since = 0.0
        self.index = CatalogIndex()
        self._on_change: list[Callable[[], None]] = []
        self._announced: dict[UUID, float] = {}
        """Products to be read, each with the time of its first notification."""
        self._reading: dict[UUID, float] = {}
        self._must_read_all = False
        self._is_listening = False
        self._lost_at: float | None = None
        self._made_at = monotonic()
        self._wanted, self._wake, self._complete = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._marks: dict[str, asyncio.Future[None]] = {}
        self._passed: list[str] = []

    @property
    def is_wanted(self) -> bool:
        """Whether it reads: in a process that waits for the first request, not before that."""
        return self._wanted.is_set()

    @property
    def is_complete(self) -> bool:
        """Whether everything has been read at least once."""
        return self._complete.is_set()

    def on_change(self, callback: Callable[[], None]) -> None:
        """Registers a callback for every change of the index."""
        self._on_change.append(callback)

    def notified(self, payload: str) -> None:
        """Handles a notification with ids of products; an empty one, sent after connecting, means any product."""
        if is_mark(payload):
            self._passed.append(payload)
        elif not payload:
            self._is_listening = True
            self._must_read_all = True
            self._listening_since = monotonic()
        else:
            now = monotonic()
            for product_id in ids_of(payload):
                self._announced.setdefault(product_id, now)
        self._wake.set()

    def connection_lost(self) -> None:
        """Marks the index as stale, since notifications can be missed."""
        self._is_listening = False
        if self._lost_at is None:
            self._lost_at = monotonic()

    @property
    def is_current(self) -> bool:
        """Whether it is connected and has read every announced change."""
        return self._is_listening and self._lost_at is None and not (self._announced or self._reading)

    @property
    def misses_nothing(self) -> bool:
        """Whether it is connected and has read everything since it was not."""
        return self._is_listening and self._lost_at is None

    @property
    def as_of(self) -> float:
        """The moment, by `monotonic`, of which every announced change has been read."""
        if not self.misses_nothing:
            return self._made_at if self._lost_at is None else self._lost_at
        return min([monotonic(), *self._announced.values(), *self._reading.values()])

    @property
    def stale(self) -> float | None:
        """Seconds for which the index may have been outdated; None while it lags at most ALLOWED_LAG."""
        now = monotonic()
        lost_at = now if self._lost_at is None else self._lost_at
        seconds = now - min([lost_at, *self._announced.values(), *self._reading.values()])
        return seconds if seconds > ALLOWED_LAG else None

    @property
    def age(self) -> float:
        """Seconds for which the index may have been outdated: 0 while it is current."""
        return (self.stale or 0.0) if self.is_complete else monotonic() - self._made_at

    async def complete_index(self) -> CatalogIndex:
        """The index, once it is complete. Raises Unavailable when that takes too long."""
        if self._complete.is_set():
            return self.index
        self._wanted.set()
        try:
            async with asyncio.timeout(COMPLETE_SECONDS):
                await self._complete.wait()
        except TimeoutError:
            raise Unavailable from None
        return self.index

    async def catch_up(self, sessions: Sessions) -> bool:
        """Waits until the index has every change committed before this call; False when that takes too long.

        For requests that read their own change. Does nothing while the database is unreachable.
        """
        if not self._is_listening or not self.is_complete:
            return False
        mark = f"{MARK}{uuid4()}"
        self._marks[mark] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(ALLOWED_LAG):
                async with begin(sessions) as session:
                    await announce(session, CHANNEL, mark)
                await self._marks[mark]
        except Exception as error:
            # The change is committed, so an error here must not fail the request.
            if not isinstance(error, TimeoutError) and not is_unavailable(error):
                raise
            log.warning("index.behind", error=type(error).__name__)
            return False
        finally:
            del self._marks[mark]
        return True

    async def run(self, sessions: Sessions, *, at_once: bool = True) -> None:
        """Runs until cancelled; reads that fail are repeated. Unless `at_once`, the first read waits for a request."""
        if at_once:
            self._wanted.set()
        await self._wanted.wait()
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._read(sessions)
            except Exception as error:
                if not is_unavailable(error):
                    log.error("index.failed", error=type(error).__name__, exc_info=True)
                self._wake.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def _read(self, sessions: Sessions) -> None:
        if self._must_read_all:
            await self._read_all(sessions)
        passed, self._passed = self._passed, []
        self._reading, self._announced = self._announced, {}
        try:
            async for some in slices(list(self._reading), BATCH):
                await self._read_some(sessions, some)
        except BaseException:
            self._announced.update(self._reading)
            self._passed += passed
            raise
        finally:
            self._reading = {}
        for mark in passed:
            if mark in self._marks and not self._marks[mark].done():
                self._marks[mark].set_result(None)

    async def _read_all(self, sessions: Sessions) -> None:
        self._must_read_all = False
        try:
            await self._replace(sessions)
        except BaseException:
            self._must_read_all = True
            raise
        if self._is_listening and not self._must_read_all:
            self._lost_at = None
        if not self.is_complete:
            gc_tuning.freeze()
        self._complete.set()
        self._changed()

    async def _replace(self, sessions: Sessions) -> None:
        await self._reader.wait(self._listening_since, READER_SECONDS)
        categories, _ = await self._reader.read(sessions, self._listening_since, category_queries.categories)
        self.index.put_categories(categories)
        seen: set[UUID] = set()
        is_last = False
        reading = asyncio.create_task(self._read_batch(sessions, FIRST))
        try:
            while not is_last:
                batch = await reading
                is_last = len(batch) < BATCH
                if not is_last:
                    reading = asyncio.create_task(self._read_batch(sessions, batch[-1].id))
                await self._put(batch)
                seen.update(product.id for product in batch)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        for product_id in [each for each in self.index.ids() if each not in seen]:
            self.index.remove(product_id)
        self.index.sort()

    async def _read_batch(self, sessions: Sessions, behind: UUID) -> list[IndexedProduct]:
        """May come from a replica; what is announced meanwhile is read from the primary afterwards."""
        found, _ = await self._reader.read(
            sessions, self._listening_since, lambda session: queries.indexed_behind(session, behind, BATCH)
        )
        return found

    async def _read_some(self, sessions: Sessions, ids: Sequence[UUID]) -> None:
        async with sessions() as session:
            found = await queries.indexed_by_id(session, ids)
            categories = await category_queries.categories(session) if CATEGORIES in ids else self.index.categories
        before = self.index.version
        self.index.put_categories(categories)
        await self._put(found)
        for product_id in set(ids) - {product.id for product in found}:
            self.index.remove(product_id)
        if self.index.version != before:
            self._changed()

    async def _put(self, products: Sequence[IndexedProduct]) -> None:
        async for some in slices(products, A_TURN):
            for product in some:
                self.index.put(product)

    def _changed(self) -> None:
        for callback in self._on_change:
            callback()


def is_mark(payload: str) -> bool:
    """Whether a notification says only how far everybody has heard."""
    return payload.startswith(MARK)


def ids_of(payload: str) -> Iterator[UUID]:
    """The ids in a notification; anything else is skipped."""
    for part in payload.split(","):
        with suppress(ValueError):
            yield UUID(part)

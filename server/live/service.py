"""Live events (publish/subscribe): from the database's notifications to the back office's subscriptions.

An event begins in the transaction that causes it (`notify.announce`, or a trigger), so uncommitted changes cause none,
and every process receives it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, Variant

MOST_WAITING = 100
"""Events buffered for a slow listener; with more, they are replaced by one MissedEvents."""


@dataclass(frozen=True)
class OrderPlaced:
    """An order was paid."""

    order_id: UUID


@dataclass(frozen=True)
class AdminRequested:
    """An account asked to become an admin."""

    user_id: UUID


@dataclass(frozen=True)
class StockDrop:
    """A variant whose stock decreased."""

    variant_id: UUID
    before: int
    after: int


@dataclass(frozen=True)
class StockDropped:
    """Stock of variants decreased; the shop's settings decide whether it is low now."""

    falls: tuple[StockDrop, ...]


@dataclass(frozen=True)
class MissedEvents:
    """Events may have been missed: there was a gap in the connection, or too many at once."""


News = OrderPlaced | AdminRequested | StockDropped | MissedEvents


class EventStream:
    """The events for one listener, in order."""

    def __init__(self) -> None:
        self._waiting: deque[News] = deque()
        self._came = asyncio.Event()

    def put(self, news: News) -> None:
        """Adds an event."""
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            news = MissedEvents()
        if not (self._waiting and self._waiting[-1] == news == MissedEvents()):
            self._waiting.append(news)
        self._came.set()

    async def next(self, patience: float) -> News | None:
        """The next event; None when there is none within `patience` seconds."""
        if not self._waiting:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), patience)
            except TimeoutError:
                return None
        return self._waiting.popleft()


class EventHub:
    """Passes this process's notifications to its listeners; without listeners they are dropped."""

    def __init__(self) -> None:
        self._listening: set[EventStream] = set()

    @property
    def channels(self) -> Mapping[str, Callable[[str], None]]:
        """A callback for the payloads of each channel; an empty payload stands for a gap."""
        read: dict[str, Callable[[str], News]] = {
            "order_placed": lambda payload: OrderPlaced(UUID(payload)),
            "admin_requested": lambda payload: AdminRequested(UUID(payload)),
            "stock_fell": lambda payload: StockDropped(tuple(map(_fall, payload.split(",")))),
        }
        return {channel: self._handler(reads) for channel, reads in read.items()}

    @contextmanager
    def listen(self) -> Iterator[EventStream]:
        """A stream that receives every event from the beginning of the block."""
        listening = EventStream()
        self._listening.add(listening)
        try:
            yield listening
        finally:
            self._listening.discard(listening)

    def _handler(self, read: Callable[[str], News]) -> Callable[[str], None]:
        def handle(payload: str) -> None:
            if self._listening:
                news = read(payload) if payload else MissedEvents()
                for each in self._listening:
                    each.put(news)

        return handle


@dataclass(frozen=True)
class LowVariant:
    """A variant on sale whose stock is low."""

    variant_id: UUID
    product_id: UUID
    name: str
    color: str
    size: str
    stock: int


async def low_now(session: AsyncSession, falls: Sequence[StockDrop], threshold: int) -> list[LowVariant]:
    """The variants on sale that became low by these decreases and still are, lowest stock first."""
    crossed = [fall.variant_id for fall in falls if fall.after <= threshold < fall.before]
    if not crossed:
        return []
    query = (
        select(Variant.id, Product.id, Product.name, ProductColor.name, Variant.size, Variant.stock)
        .join(Product, Product.id == Variant.product_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(Variant.id.in_(crossed), Variant.stock <= threshold, Product.retired_at.is_(None))
        .order_by(Variant.stock, Variant.sku)
    )
    return [LowVariant(*row) for row in await session.execute(query)]


def _fall(written: str) -> StockDrop:
    variant_id, before, after = written.split(":")
    return StockDrop(UUID(variant_id), int(before), int(after))

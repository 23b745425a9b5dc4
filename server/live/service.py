"""What the back office is told the moment it happens: this process's ear, and whoever listens here.

News begins in the transaction that made it (`notify.announce`, or a trigger), so that nothing uncommitted is told and
every process hears.
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
"""Pieces of news that a slow listener is kept; with more it is told only that it missed some."""


@dataclass(frozen=True)
class OrderPlaced:
    order_id: UUID


@dataclass(frozen=True)
class AdminRequested:
    user_id: UUID


@dataclass(frozen=True)
class StockDrop:
    """Stock of a variant that went down."""

    variant_id: UUID
    before: int
    after: int


@dataclass(frozen=True)
class StockDropped:
    """Whether it is low now is the shop's settings to say."""

    falls: tuple[StockDrop, ...]


@dataclass(frozen=True)
class MissedEvents:
    """Something happened that nobody here heard of, or too much at once."""


News = OrderPlaced | AdminRequested | StockDropped | MissedEvents


class EventStream:
    """One listener's news, in order."""

    def __init__(self) -> None:
        self._waiting: deque[News] = deque()
        self._came = asyncio.Event()

    def tell(self, news: News) -> None:
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            news = MissedEvents()
        if not (self._waiting and self._waiting[-1] == news == MissedEvents()):
            self._waiting.append(news)
        self._came.set()

    async def next(self, patience: float) -> News | None:
        """The next piece of news; None when there is none for `patience` seconds."""
        if not self._waiting:
            self._came.clear()
            try:
                await asyncio.wait_for(self._came.wait(), patience)
            except TimeoutError:
                return None
        return self._waiting.popleft()


class EventHub:
    """One a process: what LISTEN hears goes to everybody who listens here, and to nobody when nobody does."""

    def __init__(self) -> None:
        self._listening: set[EventStream] = set()

    @property
    def channels(self) -> Mapping[str, Callable[[str], None]]:
        """What to call with the payloads of each channel; an empty payload stands for a gap."""
        read: dict[str, Callable[[str], News]] = {
            "order_placed": lambda payload: OrderPlaced(UUID(payload)),
            "admin_requested": lambda payload: AdminRequested(UUID(payload)),
            "stock_fell": lambda payload: StockDropped(tuple(map(_fall, payload.split(",")))),
        }
        return {channel: self._hearing(reads) for channel, reads in read.items()}

    @contextmanager
    def listen(self) -> Iterator[EventStream]:
        """From the first moment of the block nothing is lost."""
        listening = EventStream()
        self._listening.add(listening)
        try:
            yield listening
        finally:
            self._listening.discard(listening)

    def _hearing(self, read: Callable[[str], News]) -> Callable[[str], None]:
        def heard(payload: str) -> None:
            if self._listening:
                news = read(payload) if payload else MissedEvents()
                for each in self._listening:
                    each.tell(news)

        return heard


@dataclass(frozen=True)
class LowVariant:
    """A variant on sale of which few are left."""

    variant_id: UUID
    product_id: UUID
    name: str
    color: str
    size: str
    stock: int


async def low_now(session: AsyncSession, falls: Sequence[StockDrop], threshold: int) -> list[LowVariant]:
    """Of the variants on sale, those that became low by this fall and still are; the fewest first."""
    crossed = [fall.variant_id for fall in falls if fall.after <= threshold < fall.before]
    if not crossed:
        return []
    found = (
        select(Variant.id, Product.id, Product.name, ProductColor.name, Variant.size, Variant.stock)
        .join(Product, Product.id == Variant.product_id)
        .join(ProductColor, ProductColor.id == Variant.color_id)
        .where(Variant.id.in_(crossed), Variant.stock <= threshold, Product.retired_at.is_(None))
        .order_by(Variant.stock, Variant.sku)
    )
    return [LowVariant(*row) for row in await session.execute(found)]


def _fall(written: str) -> StockDrop:
    variant_id, before, after = written.split(":")
    return StockDrop(UUID(variant_id), int(before), int(after))

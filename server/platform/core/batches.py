"""Splits long work on the event loop into batches, so that requests are answered between them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


async def slices(items: Sequence[Item], size: int) -> AsyncIterator[Sequence[Item]]:
    """Yields `size` items at a time, and gives the event loop one iteration after each batch."""
    for start in range(0, len(items), size):
        if start:
            await asyncio.sleep(0)
        yield items[start : start + size]

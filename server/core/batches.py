"""Long work on the event loop, a little at a time, so that nobody who waits for a page waits for all of it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")


async def slices(items: Sequence[Item], size: int) -> AsyncIterator[Sequence[Item]]:
    """`size` items at a time; between two of them everybody else has a turn."""
    for start in range(0, len(items), size):
        if start:
            await asyncio.sleep(0)
        yield items[start : start + size]

"""The slot that a request holds while this process works on it (`web/load_shedding`)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Protocol


class Slot(Protocol):
    """One of the places for requests that are served at once."""

    def release(self) -> None:
        """Frees the place, once."""

    async def take_again(self) -> None:
        """Waits for a place after `release`. Raises Unavailable when none becomes free in time."""


CURRENT: ContextVar[Slot | None] = ContextVar("slot", default=None)


def release_slot() -> None:
    """Releases the request's slot for good, because from here on it waits for another system."""
    if slot := CURRENT.get():
        slot.release()


@asynccontextmanager
async def without_slot() -> AsyncIterator[None]:
    """Releases the request's slot for the time of the block, which waits for something scarcer than a slot.

    Raises Unavailable when no slot becomes free in time afterwards. A block that fails leaves the request without one.
    """
    slot = CURRENT.get()
    if slot:
        slot.release()
    yield
    if slot:
        await slot.take_again()

"""The slot that a request holds while this process works on it (`web/load_shedding`)."""

from contextvars import ContextVar
from typing import Protocol


class Slot(Protocol):
    """One of the places for requests that are served at once."""

    def release(self) -> None:
        """Frees the place, once."""


CURRENT: ContextVar[Slot | None] = ContextVar("slot", default=None)


def release_slot() -> None:
    """Releases the request's slot early, because from here on it waits for another system."""
    if slot := CURRENT.get():
        slot.release()

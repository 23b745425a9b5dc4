"""Refusals of the stockroom."""

from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import Conflict, StoreError


@dataclass(eq=False)
class NotEnoughStock(StoreError):
    """A change that would take pieces which are not there, or which open checkouts hold."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    sku: str
    free: int

    def __str__(self) -> str:
        return f"Only {self.free} of {self.sku} can be taken. What open checkouts hold cannot."


@dataclass(eq=False)
class ImportNotReady(Conflict):
    """An import is not in the state that this needs."""

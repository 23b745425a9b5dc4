"""Errors of inventory."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import Conflict, StoreError


@dataclass(eq=False)
class NotEnoughStock(StoreError):
    """A change would take items that are not in stock, or that open checkouts have reserved."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    sku: str
    free: int

    def __str__(self) -> str:
        return f"Only {self.free} of {self.sku} can be taken. What open checkouts hold cannot."


@dataclass(eq=False)
class ImportNotReady(Conflict):
    """The import's state does not allow this."""

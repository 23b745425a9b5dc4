"""Errors of the wishlist."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError


@dataclass(eq=False)
class WishlistFull(StoreError):
    """The wishlist has its maximal number of products."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    limit: int

    def __str__(self) -> str:
        return f"A wishlist holds at most {self.limit} products. Take one off to add another."


@dataclass(eq=False)
class AlreadyInStock(StoreError):
    """The variant is in stock, so no alert is needed."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    variant_id: UUID
    available: int

    def __str__(self) -> str:
        return "This is in stock right now."

"""Errors of the cart."""

from dataclasses import dataclass
from typing import ClassVar
from uuid import UUID

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError


@dataclass(eq=False)
class OutOfStock(StoreError):
    """The quantity exceeds what this shopper can have; `available` is how many items that is."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    variant_id: UUID
    available: int
    name: str

    def __str__(self) -> str:
        if self.available == 0:
            return f"{self.name} is sold out."
        return f"Only {self.available} of {self.name} left."


@dataclass(eq=False)
class TooManyPieces(StoreError):
    """More items of one variant than one order may have; `limit` is how many that is."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    limit: int

    def __str__(self) -> str:
        return f"At most {self.limit} of one item can be ordered at once."


@dataclass(eq=False)
class CartFull(StoreError):
    """The payment provider accepts no more lines in one payment."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    limit: int

    def __str__(self) -> str:
        return f"A cart holds at most {self.limit} different items."

"""What a wishlist refuses."""

from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import StoreError


@dataclass(eq=False)
class WishlistFull(StoreError):
    """As many products as a wishlist holds."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    limit: int

    def __str__(self) -> str:
        return f"A wishlist holds at most {self.limit} products. Take one off to add another."

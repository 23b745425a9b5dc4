"""Why a price cannot be made, or a code not be used."""

from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import StoreError


@dataclass(eq=False)
class CodeRefused(StoreError):
    """The code does not count for this shopper, cart or moment; `reason` is a whole sentence."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    words: str
    reason: str
    field = "code"

    def __str__(self) -> str:
        return self.reason


class CodeUnknown(CodeRefused):
    """There is no such code, or it is not to be known."""


@dataclass(eq=False)
class NoDelivery(StoreError):
    """The shop does not send to this country, or cannot tell which one is meant."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    country: str
    known: bool
    field = "addressId"

    def __str__(self) -> str:
        if not self.known:
            return f"We cannot tell which country “{self.country}” is. Please correct it in the address."
        return f"We do not deliver to {self.country} yet. Please choose another address."

"""Why a total cannot be computed, or a code not be used."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError


@dataclass(eq=False)
class CodeRefused(StoreError):
    """The code does not apply to this shopper, cart or time; `reason` is a whole sentence."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    discount_code: str
    reason: str
    field = "code"

    def __str__(self) -> str:
        return self.reason


class CodeUnknown(CodeRefused):
    """The code does not exist, or its existence must not be revealed."""


@dataclass(eq=False)
class NoDelivery(StoreError):
    """The shop does not deliver to this country, by its English name, or the address's country is unknown."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    country: str
    known: bool
    field = "addressId"

    def __str__(self) -> str:
        if not self.known:
            return "We cannot tell which country this address is in. Please choose it in the address."
        return f"We do not deliver to {self.country} yet. Please choose another address."

"""Why an account cannot be deleted."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError


@dataclass(eq=False)
class PaymentUnderway(StoreError):
    """A payment of this account is processing, and its result has to reach the owner."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT

    def __str__(self) -> str:
        return "A payment of yours is still on its way. Delete your account once it has arrived."


@dataclass(eq=False)
class PrimaryAdminStays(StoreError):
    """Without its primary admin a shop could not be run."""

    status: ClassVar[int] = 403
    code: ClassVar[ErrorCode] = ErrorCode.FORBIDDEN

    def __str__(self) -> str:
        return "The primary admin's account cannot be deleted. Hand the shop over to another admin first."

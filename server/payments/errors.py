"""Errors between the shop and the payment provider."""

from dataclasses import dataclass
from typing import ClassVar

from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import SafeMessage, StoreError, Unavailable


@dataclass(eq=False)
class PaymentProviderDown(SafeMessage, Unavailable):
    """The provider did not respond, or its response leaves open whether the call took effect."""

    message: str = "Payments cannot be taken right now. Please try again in a moment."
    retry_after: int = 5


@dataclass(eq=False)
class ReplayedFailure(PaymentProviderDown):
    """The provider failed, and returns that failure for this idempotency key for a day; a retry needs another key.

    Whatever effect the call has had, it will have no further one.
    """


@dataclass(eq=False)
class RefusedByProvider(SafeMessage, Exception):
    """The provider rejected the call; a retry is pointless. For logs and admins, never for shoppers."""

    code: str


class BadSignature(StoreError):
    """A webhook that the provider did not sign, or not within the last minutes."""

    def __str__(self) -> str:
        return "The signature does not fit."


@dataclass(eq=False)
class NotRetriable(StoreError):
    """A refund that can be neither retried nor closed; `reason` is a whole sentence."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    reason: str

    def __str__(self) -> str:
        return self.reason

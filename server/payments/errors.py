"""What can go wrong between the shop and the payment provider."""

from dataclasses import dataclass
from typing import ClassVar

from server.core.errors import SafeMessage, StoreError, Unavailable


@dataclass(eq=False)
class PaymentProviderDown(SafeMessage, Unavailable):
    """The provider did not answer, or not in a way that says what happened."""

    message: str = "Payments cannot be taken right now. Please try again in a moment."
    retry_after: int = 5


@dataclass(eq=False)
class ReplayedFailure(PaymentProviderDown):
    """The provider failed and keeps that answer under the call's key for a day; only another key asks it anew.

    Whatever the call has done by then, it will do no more.
    """


@dataclass(eq=False)
class RefusedByProvider(SafeMessage, Exception):
    """The provider understood and said no; asking the same again is no use. A fact for the shop, never for a person."""

    code: str


class BadSignature(StoreError):
    """A webhook that the provider did not sign, or not now."""

    def __str__(self) -> str:
        return "The signature does not fit."


@dataclass(eq=False)
class NotRetriable(StoreError):
    """Nothing is to be done about this refund; `reason` is a whole sentence."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "CONFLICT"
    reason: str

    def __str__(self) -> str:
        return self.reason

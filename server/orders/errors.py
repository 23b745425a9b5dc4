"""Why a cart cannot be paid, or an order not be canceled, sent or returned."""

from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar
from uuid import UUID

from server.cart.queries import CartContents
from server.platform.core import money
from server.platform.core.error_codes import ErrorCode
from server.platform.core.errors import StoreError, TooManyRequests, duration


@dataclass(eq=False)
class CartNotReady(StoreError):
    """The cart is empty or has a line that cannot be bought."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    basket: CartContents

    def __str__(self) -> str:
        if not self.basket.lines:
            return "Your cart is empty"
        names = ", ".join(line.name for line in self.basket.lines if line.problem is not None)
        return f"Some items can no longer be bought as they are: {names}."


@dataclass(eq=False)
class AddressMissing(StoreError):
    """No address was chosen, and there is no default."""

    field = "addressId"

    def __str__(self) -> str:
        return "Please select a delivery address"


@dataclass(eq=False)
class AmountTooSmall(StoreError):
    """The provider accepts a total of zero or at least this many cents."""

    minimum_cents: int

    def __str__(self) -> str:
        return f"Card payments start at {money.dollars(self.minimum_cents)}."


@dataclass(eq=False)
class ReservationTooLarge(StoreError):
    """The cart has more than one account may reserve; `reason` says what to change."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    reason: str

    def __str__(self) -> str:
        return self.reason


class CheckoutPaused(TooManyRequests):
    """The account starts no checkout for a while, or none of more than a `single_item`."""

    def __init__(self, reason: str, pause: timedelta, *, single_item: bool) -> None:
        super().__init__(max(int(pause.total_seconds()), 1))
        self.reason, self.single_item = reason, single_item

    def __str__(self) -> str:
        wait = duration(self.retry_after)
        return f"{self.reason} Please try again in {wait}{', or buy a single item now' * self.single_item}."


@dataclass(eq=False)
class OtherCheckoutOpen(StoreError):
    """Another checkout of this shopper is open and has to be closed at the provider first."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    checkout_id: UUID

    def __str__(self) -> str:
        return "Another payment is open. Please try again."


@dataclass(eq=False)
class NotCancelable(StoreError):
    """The order cannot be canceled; `reason` is a whole sentence."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(eq=False)
class OrderChangedMeanwhile(StoreError):
    """The order is not in the state that the admin saw; nothing was done. `changes` are whole sentences."""

    status: ClassVar[int] = 409
    code: ClassVar[ErrorCode] = ErrorCode.CONFLICT
    changes: tuple[str, ...]

    def __str__(self) -> str:
        return "This order has changed since you opened it. Nothing of yours was done."


@dataclass(eq=False)
class NotReturnable(NotCancelable):
    """Nothing of the order can be returned."""


@dataclass(eq=False)
class NotFulfillable(NotCancelable):
    """Nothing of the order can be sent."""


@dataclass(eq=False)
class ReturnAnswered(NotCancelable):
    """The return's status does not allow this."""

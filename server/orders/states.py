"""States of checkouts, orders and returns, as the database keeps them, and what may be done in which."""

from enum import StrEnum


class CheckoutStatus(StrEnum):
    """What has become of a reservation."""

    OPEN = "open"
    PROCESSING = "processing"
    COMPLETED = "completed"
    RELEASED = "released"
    REFUNDING = "refunding"


HOLDING = (CheckoutStatus.OPEN, CheckoutStatus.PROCESSING)
"""Checkouts that have stock reserved."""


class PaymentStatus(StrEnum):
    """What has become of an order's money."""

    PAID = "paid"
    PROCESSING = "processing"
    FAILED = "failed"
    REFUNDED = "refunded"
    PARTIALLY_REFUNDED = "partially_refunded"


HAVE_BEEN_PAID = (PaymentStatus.PAID, PaymentStatus.REFUNDED, PaymentStatus.PARTIALLY_REFUNDED)
"""Orders whose money arrived, however much of it went back."""
MAY_BE_SENT = (PaymentStatus.PAID, PaymentStatus.PARTIALLY_REFUNDED)
"""Orders whose items the shop may send."""


class FulfilmentStatus(StrEnum):
    """How much of an order has left the shop."""

    UNFULFILLED = "unfulfilled"
    PARTLY_SHIPPED = "partly_shipped"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CANCELED = "canceled"


HAVE_ITEMS_SENT = (FulfilmentStatus.PARTLY_SHIPPED, FulfilmentStatus.SHIPPED, FulfilmentStatus.DELIVERED)
HAVE_ITEMS_WAITING = (FulfilmentStatus.UNFULFILLED, FulfilmentStatus.PARTLY_SHIPPED)


REFUNDABLE_DISPUTES = ("won", "prevented", "warning_needs_response", "warning_under_review", "warning_closed")
"""Disputes, in the provider's words, under which it still refunds: the bank only asks, or left the money here."""


class ReturnStatus(StrEnum):
    """How far a return has come."""

    REQUESTED = "requested"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    CANCELED = "canceled"
    RECEIVED = "received"
    REFUNDED = "refunded"


OPEN_RETURNS = (ReturnStatus.REQUESTED, ReturnStatus.ACCEPTED, ReturnStatus.RECEIVED)
"""Returns that wait for the shop or the parcel."""
ENDED_WITHOUT_ITEMS = (ReturnStatus.REFUSED, ReturnStatus.CANCELED)


def one_of(column: str, states: type[StrEnum]) -> str:
    """A CHECK in SQL that lets the column have these states alone."""
    return f"{column} IN ({', '.join(repr(state.value) for state in states)})"

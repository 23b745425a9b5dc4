"""Coupons: a discount that a session may carry."""

from demo.outside import forms, session_objects
from demo.outside.errors import ApiError, Invalid
from demo.outside.forms import Shape, metadata, one_of, text, whole
from demo.outside.ledger import Json, Transaction


def _percent(value: object, path: str) -> float:
    try:
        percent = float(str(value))
    except ValueError:
        percent = 0
    if not 0 < percent <= 100:
        raise Invalid("Invalid percent_off: must be above 0 and at most 100", param=path)
    return percent


CREATE = Shape(
    {
        **forms.EXPAND,
        "id": text(255),
        "amount_off": whole(1),
        "percent_off": _percent,
        "currency": forms.currency,
        "duration": one_of("once", "forever"),
        "max_redemptions": whole(1),
        "metadata": metadata,
        "name": text(40),
        "redeem_by": whole(0),
    },
    beyond=frozenset({"applies_to", "currency_options", "duration_in_months"}),
)


def create(tx: Transaction, params: Json) -> Json:
    """Creates a coupon. Raises Invalid or ApiError."""
    read = CREATE(params)
    if ("amount_off" in read) == ("percent_off" in read):
        raise Invalid("You must pass either percent_off or amount_off.", "parameter_missing", "percent_off")
    if "amount_off" in read and "currency" not in read:
        raise Invalid("You must pass currency when passing amount_off.", "parameter_missing", "currency")
    if "id" in read and tx.get("coupon", read["id"]):
        raise ApiError("Coupon already exists.", "resource_already_exists", "id")
    return tx.put(session_objects.coupon(read))

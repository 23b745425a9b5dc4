"""Stripe's objects as API version 2026-10-28.endive shows them, every required field included.

A key that begins with an underscore is the stand-in's own and never leaves the process: `shown` takes it off.
"""

from typing import Any

from demo.outside.ledger import Json


def shown(value: Any) -> Any:
    """An object as the API returns it, without internal members."""
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items() if not key.startswith("_")}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return value


def listing(url: str, data: list[Json], has_more: bool = False) -> Json:
    """A list object."""
    return {"object": "list", "data": data, "has_more": has_more, "url": url}


def customer(email: str | None, name: str | None = None, address: Json | None = None) -> Json:
    """customer_details of a session."""
    return {
        "address": address,
        "business_name": None,
        "email": email,
        "individual_name": None,
        "name": name,
        "phone": None,
        "tax_exempt": "none",
        "tax_ids": [],
    }


def postal(country: str | None, postal_code: str | None) -> Json:
    """An address of which only country and postal code are known."""
    return {"city": None, "country": country, "line1": None, "line2": None, "postal_code": postal_code, "state": None}


def payer(email: str | None, name: str | None, country: str | None, postal_code: str | None) -> Json:
    """customer_details of a session whose form was filled in."""
    return customer(email, name, postal(country, postal_code))

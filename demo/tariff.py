"""The demo shop's codes, delivery zones and taxes: plausible, and enough to see everything work."""

from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from server.pricing.promotions import AmountOff, MinSubtotal, PercentOff, Promotion

EUROPE = [
    "AT",
    "BE",
    "CH",
    "CZ",
    "DE",
    "DK",
    "ES",
    "FI",
    "FR",
    "GB",
    "GR",
    "HU",
    "IE",
    "IS",
    "IT",
    "LU",
    "NL",
    "NO",
    "PL",
    "PT",
    "SE",
]
VAT = {"AT": 2_000, "DE": 1_900, "ES": 2_100, "FR": 2_000, "GB": 2_000, "IT": 2_200, "NL": 2_100, "PT": 2_300}


class Zone(NamedTuple):
    """A delivery zone; rates are pairs of a minimum (grams or cents) and a price in cents."""

    name: str
    countries: tuple[str, ...]
    basis: str
    rates: tuple[tuple[int, int], ...]
    free_from_cents: int | None
    days: tuple[int, int]


ZONES = (
    Zone("United States", ("US",), "total", ((0, 600),), 15_000, (2, 4)),
    Zone("Europe", tuple(EUROPE), "weight", ((0, 1_200), (1_000, 1_800), (3_000, 2_600)), 25_000, (4, 7)),
    Zone("Rest of the world", (), "weight", ((0, 3_000), (1_500, 4_500)), None, (7, 14)),
)


def codes(now: datetime) -> list[dict[str, Any]]:
    """One for newcomers, one for a hundred friends, one whose time is over."""
    everything = {"starts_at": None, "ends_at": None, "max_uses": None, "max_uses_per_customer": None}
    return [
        everything
        | {
            "code": "WELCOME10",
            "promotion": Promotion(PercentOff(10)),
            "max_uses_per_customer": 1,
            "created_at": now - timedelta(days=700),
        },
        everything
        | {
            "code": "FRIENDS25",
            "promotion": Promotion(PercentOff(25)),
            "max_uses": 100,
            "created_at": now - timedelta(days=20),
        },
        everything
        | {
            "code": "AUTUMN15",
            "promotion": Promotion(AmountOff(1_500), (MinSubtotal(10_000),)),
            "starts_at": now - timedelta(days=75),
            "ends_at": now - timedelta(days=15),
            "created_at": now - timedelta(days=80),
        },
    ]


def zone_rows(ids: dict[str, UUID]) -> list[dict[str, Any]]:
    """Rows of delivery zones, with ids by the zones' names."""
    return [
        {
            "id": ids[zone.name],
            "name": zone.name,
            "is_rest": not zone.countries,
            "basis": zone.basis,
            "free_from_cents": zone.free_from_cents,
            "min_days": zone.days[0],
            "max_days": zone.days[1],
            "position": place,
        }
        for place, zone in enumerate(ZONES)
    ]


def country_rows(ids: dict[str, UUID]) -> list[dict[str, Any]]:
    """Rows of the zones' countries."""
    return [{"country": country, "zone_id": ids[zone.name]} for zone in ZONES for country in zone.countries]


def rate_rows(ids: dict[str, UUID]) -> list[dict[str, Any]]:
    """Rows of the zones' rates."""
    return [
        {"zone_id": ids[zone.name], "minimum": minimum, "price_cents": price}
        for zone in ZONES
        for minimum, price in zone.rates
    ]


def tax_rows() -> list[dict[str, Any]]:
    """Rows of VAT rates."""
    return [{"country": country, "name": "VAT", "basis_points": points} for country, points in VAT.items()]

"""How the demo's orders left the shop, and which of their buyers want to send something back."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from demo.history import Order

CARRIERS = {"United States": "UPS", "United Kingdom": "Royal Mail", "France": "La Poste", "Sweden": "PostNord"}
OTHER_CARRIER = "DHL"
SPLIT_SHARE = 0.12
"""Of the orders with several lines, so many went in two parcels."""
RETURNABLE = timedelta(days=25)
WISHES = (
    ("requested", "It is too short for me."),
    ("requested", "I ordered two sizes to try; this one goes back."),
    ("accepted", "Not the blue that I saw on my screen."),
)
ACCEPTED = "Thank you for telling us. Send it back within two weeks."


@dataclass(frozen=True)
class Parcel:
    """What went out together: pieces by the place of their line. `delivered_at` is None while it travels."""

    at: datetime
    delivered_at: datetime | None
    carrier: str
    number: str
    pieces: dict[int, int]


@dataclass(frozen=True)
class Wish:
    """A return that is not done yet: one piece of the order's first line."""

    order: Order
    status: Literal["requested", "accepted"]
    reason: str
    at: datetime
    answered_at: datetime | None


def parcels(order: Order, now: datetime) -> list[Parcel]:
    """Packed within thirty hours, there some days later; what lies after `now` has not happened."""
    dice = random.Random(f"parcels {order.shopper.email} {order.at.isoformat()}")  # noqa: S311 - a demo, not a secret
    places = list(range(len(order.lines)))
    split = len(places) > 1 and order.returned is None and dice.random() < SPLIT_SHARE
    packed_at = order.at + timedelta(hours=dice.uniform(4, 30))
    loads = [(packed_at, places[:-1]), (packed_at + timedelta(days=2), places[-1:])] if split else [(packed_at, places)]
    carrier = CARRIERS.get(order.shopper.homes[0].country, OTHER_CARRIER)
    sent = []
    for at, load in loads:
        there = at + timedelta(days=dice.uniform(1.5, 4), hours=dice.uniform(0, 6))
        number = f"{dice.choice('ABCDEFGH')}{dice.randrange(10**11):011d}"
        pieces = {place: order.lines[place].quantity for place in load}
        if at <= now:
            sent.append(Parcel(at, there if there <= now else None, carrier, number, pieces))
    return sent


def fulfilment(order: Order, sent: Sequence[Parcel]) -> str:
    """As the shop would have it after these parcels."""
    if not sent:
        return "unfulfilled"
    if len({place for parcel in sent for place in parcel.pieces}) < len(order.lines):
        return "partly_shipped"
    return "delivered" if all(parcel.delivered_at for parcel in sent) else "shipped"


def wishes(orders: Sequence[Order], now: datetime) -> list[Wish]:
    """Of the last orders that arrived, the shopper's own left alone."""
    requests: list[Wish] = []
    for order in reversed(orders):
        if len(requests) == len(WISHES) or now - order.at > RETURNABLE:
            break
        sent = parcels(order, now)
        if order.returned or fulfilment(order, sent) != "delivered" or order.shopper.email.endswith("@minimal.test"):
            continue
        there = max(parcel.delivered_at or now for parcel in sent)
        at = min(there + timedelta(hours=9), now - timedelta(minutes=20))
        status, reason = WISHES[len(requests)]
        answered = min(at + timedelta(hours=5), now) if status == "accepted" else None
        requests.append(Wish(order, "accepted" if answered else "requested", reason, at, answered))
    return requests

"""How the demo's shelves came to hold what they hold: deliveries, sales, what came back, what was miscounted."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from demo.catalogue import Product
from demo.history import Order, Range
from server.catalog.stock import Reason

OPENING, DELIVERY, LEAST = 12, 18, 4
"""Pieces that a shelf begins with and is refilled by, and what it is refilled at."""
MISCOUNTED_SHARE = 0.04


class Shelf(NamedTuple):
    """Where the pieces of one variant lie."""

    slug: str
    color: str
    size: str


@dataclass(frozen=True)
class Movement:
    """A movement of the stock ledger; `quantity` is above 0 for added items."""

    shelf: Shelf
    at: datetime
    quantity: int
    reason: Reason
    order: Order | None = None
    note: str = ""


def movements(offer: Range, orders: Sequence[Order], now: datetime) -> list[Movement]:
    """Of every shelf, oldest first. They add up to its stock and never leave less than nothing on it."""
    sold: dict[Shelf, list[Movement]] = {}
    for order in orders:
        for movement in _of_order(order):
            sold.setdefault(movement.shelf, []).append(movement)
    dice = random.Random("shelves")  # noqa: S311 - a demo, not a secret
    return [
        movement
        for product, arrived in offer.arrivals
        for shelf, stock in _shelves(product).items()
        for movement in _of_shelf(shelf, stock, sold.get(shelf, []), arrived, now, dice)
    ]


def _shelves(product: Product) -> Mapping[Shelf, int]:
    return {Shelf(product.slug, color, size): stock for (color, size), stock in product.stock.items()}


def _of_order(order: Order) -> Iterator[Movement]:
    for line in order.lines:
        yield Movement(Shelf(line.product.slug, line.color.name, line.size), order.at, -line.quantity, "sale", order)
    if order.returned:
        for line in order.returned.lines:
            shelf = Shelf(line.product.slug, line.color.name, line.size)
            yield Movement(shelf, order.returned.at, line.quantity, "return", order)


def _of_shelf(
    shelf: Shelf, stock: int, sold: list[Movement], arrived: datetime, now: datetime, dice: random.Random
) -> list[Movement]:
    back = sum(movement.quantity for movement in sold if movement.quantity > 0)
    if back > stock:
        # Nothing of what came back is there any more: it was not fit to be sold again.
        sold = [movement for movement in sold if movement.quantity < 0]
    if dice.random() < MISCOUNTED_SHARE and stock > back:
        at = now - timedelta(days=20, minutes=dice.randint(0, 400))
        sold = [*sold, Movement(shelf, max(at, arrived), -1, "counted", note="Stock-take before winter")]
    sold = sorted(sold, key=lambda movement: movement.at)
    missing = stock - sum(movement.quantity for movement in sold)
    opening = min(missing, OPENING)
    missing -= opening
    journal = [Movement(shelf, arrived - timedelta(hours=3), opening, "opening")] if opening else []
    there = opening
    for movement in sold:
        if there <= LEAST and missing:
            delivery = min(missing, DELIVERY)
            journal.append(Movement(shelf, movement.at - timedelta(minutes=50), delivery, "received"))
            there, missing = there + delivery, missing - delivery
        journal.append(movement)
        there += movement.quantity
    if missing:
        latest = max(now - timedelta(days=3, minutes=dice.randint(0, 600)), journal[-1].at + timedelta(minutes=90))
        journal.append(Movement(shelf, min(latest, now), missing, "received"))
    return journal

"""What visitors of the demo did in the last two months, told as browsers tell it."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from demo.catalogue import Product
from demo.history import HOURS, Order, Range

DAYS = 60
PER_ORDER = 18
"""Visits for each one that bought."""
UNCOUNTED_SHARE = 0.12
"""Of those who bought, so many had asked not to be counted."""
ADDED_SHARE, CHECKOUT_SHARE = 0.09, 0.3
"""Of visits that bought nothing, so many put something in a cart, and of these so many went to a checkout."""

Kind = Literal["viewed", "added", "checkout", "paid"]


@dataclass(frozen=True)
class Event:
    """One event of a visit about one product."""

    at: datetime
    visit: UUID
    kind: Kind
    product: Product


def events(offer: Range, orders: Sequence[Order], now: datetime) -> list[Event]:
    """Oldest first, none later than `now`. Orders of these days were bought in one of the visits, but for some."""
    dice = random.Random("visits")  # noqa: S311 - a demo, not a secret
    recent = [order for order in orders if order.at >= now - timedelta(days=DAYS)]
    visit_events: list[Event] = []
    for order in recent:
        if dice.random() >= UNCOUNTED_SHARE:
            visit_events += _purchase(dice, order, offer)
        for _ in range(PER_ORDER - 1):
            visit_events += _stroll(dice, order.at, offer, now)
    return sorted(visit_events, key=lambda event: event.at)


def _purchase(dice: random.Random, order: Order, offer: Range) -> Iterator[Event]:
    """Looks around, puts what the order holds in the cart, pays for it all."""
    visit = _visit(dice)
    bought = list({line.product.slug: line.product for line in order.lines}.values())
    checkout = order.at - timedelta(seconds=dice.randint(50, 400))
    at = checkout - timedelta(seconds=dice.randint(20, 200))
    for product in reversed(bought):
        yield Event(at, visit, "added", product)
        at -= timedelta(seconds=dice.randint(15, 240))
        yield Event(at, visit, "viewed", product)
        at -= timedelta(seconds=dice.randint(5, 60))
    for product in _looked_at(dice, offer, bought[0].gender, at):
        yield Event(at, visit, "viewed", product)
        at -= timedelta(seconds=dice.randint(8, 150))
    for product in bought:
        yield Event(checkout, visit, "checkout", product)
        yield Event(order.at, visit, "paid", product)


def _stroll(dice: random.Random, near: datetime, offer: Range, now: datetime) -> Iterator[Event]:
    """Buys nothing."""
    day = near + timedelta(days=dice.uniform(-2, 2))
    hour = dice.choices(range(24), HOURS)[0]
    at = day.replace(hour=hour, minute=dice.randrange(60), second=dice.randrange(60))
    if not now - timedelta(days=DAYS) <= at <= now - timedelta(hours=1):
        return
    visit = _visit(dice)
    seen = _looked_at(dice, offer, dice.choice(("women", "women", "men")), at)
    for product in seen:
        yield Event(at, visit, "viewed", product)
        at += timedelta(seconds=dice.randint(8, 150))
    if not seen or dice.random() >= ADDED_SHARE:
        return
    yield Event(at, visit, "added", seen[-1])
    if dice.random() < CHECKOUT_SHARE:
        yield Event(at + timedelta(seconds=dice.randint(30, 300)), visit, "checkout", seen[-1])


def _looked_at(dice: random.Random, offer: Range, gender: str, at: datetime) -> list[Product]:
    """One to six, the well-known more often."""
    offered = [product for product, arrived in offer.by_gender[gender] if arrived <= at]
    count = dice.choices(range(1, 7), (46, 24, 13, 8, 5, 4))[0]
    return dice.choices(offered, [product.popularity**1.2 for product in offered], k=count) if offered else []


def _visit(dice: random.Random) -> UUID:
    return UUID(int=dice.getrandbits(128))

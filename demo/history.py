"""Two years of a small shop: who bought what, when, and what came back. The same for the same moment, everywhere."""

import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from demo.catalogue import Color, Product
from server.platform.core import countries

SHOPPERS = 300
DAYS = 730
REFUND_SHARE = 0.06
NEWEST_RETURN = timedelta(days=6)

# Orders compared with an even year, January first: clearance, spring, a quiet August, the weeks before Christmas.
SEASON = (0.8, 0.62, 0.85, 1.0, 1.05, 0.9, 0.95, 0.6, 0.95, 1.0, 1.45, 1.4)
SALE_MONTHS = (1, 7)
# By hour of the day: few at night, a lunch break, most after dinner.
HOURS = (1, 1, 0, 0, 0, 1, 2, 4, 5, 6, 6, 7, 9, 8, 6, 6, 6, 7, 8, 10, 12, 11, 7, 3)
REASONS = ("Wrong size.", "Not as expected.", "Arrived too late.", "Changed my mind.")


@dataclass(frozen=True)
class Home:
    """A postal address, member for member as an order keeps it."""

    name: str
    address1: str
    address2: str
    city: str
    state: str
    country: str
    country_code: str
    postal_code: str
    phone: str


@dataclass(frozen=True)
class Shopper:
    """`eagerness` is the mean number of days between two orders."""

    name: str
    email: str
    joined: datetime
    homes: tuple[Home, ...]
    gender: str
    size: str
    eagerness: float


@dataclass(frozen=True)
class Line:
    """One variant in an order, at the price of its day."""

    product: Product
    color: Color
    size: str
    quantity: int
    unit_price_cents: int


@dataclass(frozen=True)
class Return:
    """Lines that came back and their money that went back, some days after the order."""

    at: datetime
    lines: tuple[Line, ...]
    reason: str

    @property
    def amount_cents(self) -> int:
        """What was refunded."""
        return sum(line.unit_price_cents * line.quantity for line in self.lines)


@dataclass(frozen=True)
class Order:
    """A past order of one shopper."""

    shopper: Shopper
    at: datetime
    lines: tuple[Line, ...]
    returned: Return | None

    @property
    def total_cents(self) -> int:
        """What was paid."""
        return sum(line.unit_price_cents * line.quantity for line in self.lines)


@dataclass(frozen=True)
class Range:
    """The products with the moment each came into the shop."""

    arrivals: tuple[tuple[Product, datetime], ...]
    by_gender: dict[str, list[tuple[Product, datetime]]] = field(default_factory=dict)

    @classmethod
    def of(cls, products: Sequence[Product], now: datetime) -> "Range":
        """Most were there from the beginning; the rest came one by one, the last a fortnight ago."""
        dice = random.Random("arrivals")  # noqa: S311 - a demo, not a secret
        order = list(products)
        dice.shuffle(order)
        first, last = now - timedelta(days=DAYS + 5), now - timedelta(days=14)
        start = len(order) * 3 // 5
        step = (last - first) / max(1, len(order) - start)
        times = {
            product.slug: first + max(0, place - start + 1) * step + timedelta(minutes=place)
            for place, product in enumerate(order)
        }
        arrivals = tuple((product, times[product.slug]) for product in products)
        by_gender: dict[str, list[tuple[Product, datetime]]] = {}
        for product, arrived in arrivals:
            by_gender.setdefault(product.gender, []).append((product, arrived))
        return cls(arrivals, by_gender)


def shoppers(now: datetime) -> list[Shopper]:
    """Three hundred people, more of them joining as the shop became known."""
    dice = random.Random("shoppers")  # noqa: S311
    return [_shopper(dice, number, now) for number in range(SHOPPERS)]


def orders(people: Sequence[Shopper], range_: Range, now: datetime) -> list[Order]:
    """Everybody's orders, oldest first, none later than `now`."""
    dice = random.Random("orders")  # noqa: S311
    placed = [order for person in people for order in _orders_of(dice, person, range_, now)]
    return sorted(placed, key=lambda order: (order.at, order.shopper.email))


def orders_of(person: Shopper, range_: Range, days_ago: Sequence[int], now: datetime) -> list[Order]:
    """Orders of one person at given days, none of them returned."""
    dice = random.Random(person.email)  # noqa: S311
    times = [_in_the_day(dice, now - timedelta(days=days)) for days in days_ago]
    return [Order(person, at, _lines(dice, person, range_, at), None) for at in times]


@cache
def _people() -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "people.toml").read_text(encoding="utf-8"))


def home(dice: random.Random, name: str) -> Home:
    """A plausible postal address in one of the demo's cities."""
    city = dice.choice(_people()["city"])
    country, phone = city["country"], city["phone"]
    street = dice.choice(_people()["streets"][country])
    number = dice.randint(1, 180)
    first = f"{number} {street}" if country in ("United States", "United Kingdom", "France") else f"{street} {number}"
    second = f"Apt {dice.randint(1, 40)}" if dice.random() < 0.25 else ""
    return Home(
        name=name,
        address1=first,
        address2=second,
        city=city["name"],
        state=city.get("state", ""),
        country=country,
        country_code=countries.code_of(country) or countries.UNKNOWN,
        postal_code=city["postal_code"],
        phone=f"{phone} {dice.randint(0, 9999):04d}",
    )


def _shopper(dice: random.Random, number: int, now: datetime) -> Shopper:
    gender = "women" if dice.random() < 0.56 else "men"
    first_name, family = (
        dice.choice(_people()["given"][gender].split()),
        dice.choice(_people()["family"]["all"].split()),
    )
    name = f"{first_name} {family}"
    joined = now - timedelta(days=DAYS * (1 - dice.random() ** 0.75))
    return Shopper(
        name=name,
        email=f"{first_name}.{family}.{number:03d}@example.test".lower(),
        joined=joined.replace(microsecond=0),
        homes=tuple(home(dice, name) for _ in range(2 if dice.random() < 0.15 else 1)),
        gender=gender,
        size=dice.choices(("XS", "S", "M", "L", "XL", "XXL"), (6, 20, 30, 24, 14, 6))[0],
        eagerness=dice.lognormvariate(4.1, 0.75),
    )


def _orders_of(dice: random.Random, person: Shopper, range_: Range, now: datetime) -> Iterator[Order]:
    at = person.joined + timedelta(days=dice.random() ** 2 * 12)
    while at < now:
        if dice.random() < SEASON[at.month - 1] / max(SEASON):
            latest = now - timedelta(minutes=dice.randint(5, 600))
            moment = max(min(_in_the_day(dice, at), latest), person.joined)
            lines = _lines(dice, person, range_, moment)
            yield Order(person, moment, lines, _return(dice, lines, moment, now))
        at += timedelta(days=max(0.5, dice.expovariate(1 / person.eagerness)))


def _in_the_day(dice: random.Random, day: datetime) -> datetime:
    hour = dice.choices(range(24), HOURS)[0]
    return datetime(day.year, day.month, day.day, hour, dice.randint(0, 59), dice.randint(0, 59), tzinfo=UTC)


def _lines(dice: random.Random, person: Shopper, range_: Range, at: datetime) -> tuple[Line, ...]:
    count = dice.choices((1, 2, 3, 4), (58, 27, 11, 4))[0]
    lines: dict[tuple[str, str, str], Line] = {}
    for _ in range(count):
        line = _line(dice, person, range_, at)
        lines.setdefault((line.product.slug, line.color.name, line.size), line)
    return tuple(lines.values())


def _line(dice: random.Random, person: Shopper, range_: Range, at: datetime) -> Line:
    gender = person.gender if dice.random() < 0.88 else ("men" if person.gender == "women" else "women")
    offered = [product for product, arrived in range_.by_gender[gender] if arrived <= at]
    product = dice.choices(offered, [each.popularity**1.4 for each in offered])[0]
    color = dice.choices(product.colors, range(2 * len(product.colors), 0, -2))[0]
    return Line(
        product=product,
        color=color,
        size=_size(dice, person, product),
        quantity=dice.choices((1, 2, 3), (90, 8, 2))[0],
        unit_price_cents=_price(product, at),
    )


def _size(dice: random.Random, person: Shopper, product: Product) -> str:
    """Their own, sometimes the next one; the nearest that is made."""
    sizes = ("XS", "S", "M", "L", "XL", "XXL")
    place = sizes.index(person.size) + dice.choices((-1, 0, 1), (7, 86, 7))[0]
    return min(product.sizes, key=lambda size: abs(sizes.index(size) - place))


def _price(product: Product, at: datetime) -> int:
    """Today's discounts were given in the clearance months only."""
    if product.discounted_price_cents is not None and at.month in SALE_MONTHS:
        return product.discounted_price_cents
    return product.price_cents


def _return(dice: random.Random, lines: tuple[Line, ...], at: datetime, now: datetime) -> Return | None:
    sent_back, back_at = dice.random() < REFUND_SHARE, at + timedelta(days=dice.uniform(6, 25))
    reason, whole = dice.choice(REASONS), dice.random() < 0.6
    if not sent_back or back_at > now - NEWEST_RETURN:
        return None
    return Return(back_at, lines if whole else lines[:1], reason)

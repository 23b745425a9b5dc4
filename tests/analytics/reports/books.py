"""Random histories of a shop: what was ordered and paid back, as plain values and as rows of a database."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, ProductColor, Variant
from server.orders.models import Order, OrderLine
from server.payments.models import Refund, RefundLine
from server.platform.core.db import Sessions, begin
from tests.analytics.caught_up import facts_caught_up

FIRST = datetime(2024, 11, 1, tzinfo=UTC)
LAST = datetime(2026, 4, 1, tzinfo=UTC)
# Moments at which some zone's day, month, year, or clock turns.
TURNS = (
    datetime(2025, 3, 30, 1, tzinfo=UTC),
    datetime(2025, 10, 26, 1, tzinfo=UTC),
    datetime(2025, 3, 9, 7, tzinfo=UTC),
    datetime(2025, 11, 2, 6, tzinfo=UTC),
    datetime(2025, 12, 31, 23, tzinfo=UTC),
    datetime(2026, 1, 1, 5, tzinfo=UTC),
    datetime(2025, 2, 28, 23, tzinfo=UTC),
    datetime(2026, 2, 28, 18, 30, tzinfo=UTC),
)
HOMES = (("Sweden", "Malmö"), ("Sweden", "Lund"), ("Norway", "Oslo"), ("United States", "Ithaca"))
CODES = (None, None, "WELCOME10", "SPRING")


@dataclass(frozen=True)
class Piece:
    """A variant with what a report can ask of it."""

    variant: UUID
    product: UUID
    category: str
    color: str
    size: str


@dataclass(frozen=True)
class BookLine:
    id: UUID
    piece: Piece
    quantity: int
    unit: int
    full: int
    discount: int
    tax: int


@dataclass(frozen=True)
class BookRefund:
    id: UUID
    at: datetime
    amount: int
    shipping: int
    named: dict[UUID, int]


@dataclass(frozen=True)
class BookOrder:
    """`discount`, `tax` and `shipping` are of the whole order, in cents."""

    id: UUID
    at: datetime
    customer: UUID
    email: str
    country: str
    city: str
    code: str | None
    shipping: int
    tax: int
    tax_included: bool
    lines: tuple[BookLine, ...]
    refunds: tuple[BookRefund, ...]

    @property
    def total(self) -> int:
        goods = sum(line.quantity * line.unit - line.discount for line in self.lines)
        return goods + self.shipping + (0 if self.tax_included else self.tax)

    @property
    def status(self) -> str:
        back = sum(refund.amount for refund in self.refunds)
        return "paid" if back == 0 else "refunded" if back == self.total else "partially_refunded"


def some_pieces(dice: random.Random) -> list[Piece]:
    """A small range: nine products in all five categories, each in two colors and three sizes."""
    kinds = ("men_shirts", "men_jeans", "women_shirts", "women_jeans", "women_trousers")
    pieces = []
    for number in range(9):
        product, category = _uuid(dice), kinds[number % len(kinds)]
        for color in dice.sample(("Indigo", "Ecru", "Black"), 2):
            pieces += [Piece(_uuid(dice), product, category, color, size) for size in ("S", "M", "L")]
    return pieces


def some_orders(dice: random.Random, pieces: Sequence[Piece], count: int) -> list[BookOrder]:
    emails = [f"shopper{number}@shop.test" for number in range(max(2, count // 3))]
    return [_order(dice, pieces, dice.choice(emails)) for _ in range(count)]


def _order(dice: random.Random, pieces: Sequence[Piece], email: str) -> BookOrder:
    lines = tuple(_line(dice, piece) for piece in dice.sample(pieces, dice.randint(1, 4)))
    country, city = dice.choice(HOMES)
    order = BookOrder(
        id=_uuid(dice),
        at=_moment(dice),
        customer=UUID(bytes=_md5(email)),
        email=email,
        country=country,
        city=city,
        code=dice.choice(CODES),
        shipping=dice.choice((0, 0, 499, 1_250)),
        tax=sum(line.tax for line in lines) + dice.choice((0, 0, 57)),
        tax_included=dice.random() < 0.5,
        lines=lines,
        refunds=(),
    )
    return BookOrder(**{**vars(order), "refunds": _refunds(dice, order)}) if dice.random() < 0.4 else order


def _line(dice: random.Random, piece: Piece) -> BookLine:
    full = dice.choice((1_999, 4_999, 5_000, 8_900, 12_000, 15_001))
    unit = full if dice.random() < 0.6 else full * dice.randint(50, 95) // 100
    quantity = dice.randint(1, 3)
    discount = dice.randint(0, quantity * unit // 3) if dice.random() < 0.3 else 0
    tax = (quantity * unit - discount) * dice.choice((0, 7, 25)) // 100
    return BookLine(_uuid(dice), piece, quantity, unit, full, discount, tax)


def _refunds(dice: random.Random, order: BookOrder) -> tuple[BookRefund, ...]:
    refunds: list[BookRefund] = []
    at = order.at
    for _ in range(dice.randint(1, 3)):
        at += timedelta(hours=dice.choice((1, 20, 400, 900)))
        left = order.total - sum(refund.amount for refund in refunds)
        if left > 0:
            refunds.append(_refund(dice, order, at, left))
    return tuple(refunds)


def _refund(dice: random.Random, order: BookOrder, at: datetime, left: int) -> BookRefund:
    amount = left if dice.random() < 0.4 else dice.randint(1, left)
    shipping = min(amount, order.shipping) if dice.random() < 0.3 else 0
    named: dict[UUID, int] = {}
    if dice.random() < 0.5:
        line = dice.choice(order.lines)
        most = line.quantity * line.unit - line.discount + (0 if order.tax_included else line.tax)
        named[line.id] = min(amount - shipping, dice.randint(0, most))
    return BookRefund(_uuid(dice), at, amount, shipping, named)


def _moment(dice: random.Random) -> datetime:
    if dice.random() < 0.3:
        return dice.choice(TURNS) + timedelta(seconds=dice.choice((-3_601, -1, 0, 1, 1_800, 3_600)))
    return FIRST + timedelta(seconds=dice.randrange(int((LAST - FIRST).total_seconds())))


def _uuid(dice: random.Random) -> UUID:
    return UUID(int=dice.getrandbits(128), version=4)


def _md5(email: str) -> bytes:
    from hashlib import md5

    return md5(email.encode(), usedforsecurity=False).digest()


async def stock_range(session: AsyncSession, pieces: Sequence[Piece], zone: str) -> None:
    """The products of the pieces on offer, and the zone of the shop's days."""
    await session.execute(text("UPDATE analytics_state SET time_zone = :zone"), {"zone": zone})
    colors: dict[tuple[UUID, str], UUID] = {}
    for number, product in enumerate(dict.fromkeys(piece.product for piece in pieces)):
        gender, kind = next(piece.category for piece in pieces if piece.product == product).split("_")
        words = {"name": f"Garment {number}", "title": "", "subtitle": "", "description": ""}
        values = {"id": product, "gender": gender, "subcategory": kind, "price_cents": 9_900, **words}
        await session.execute(insert(Product).values(values))
    for number, piece in enumerate(pieces):
        key = (piece.product, piece.color)
        if key not in colors:
            row = insert(ProductColor).values(
                product_id=piece.product, name=piece.color, hex="#102030", family="Blue", position=number
            )
            colors[key] = (await session.execute(row.returning(ProductColor.id))).scalar_one()
        variant = {"id": piece.variant, "product_id": piece.product, "color_id": colors[key]}
        await session.execute(insert(Variant).values(**variant, size=piece.size, sku=f"S{number}", stock=0))


async def enter(session: AsyncSession, order: BookOrder) -> None:
    """The order as the shop keeps it, without its refunds."""
    await session.execute(
        insert(Order).values(
            id=order.id,
            email=order.email,
            payment_status="paid",
            total_cents=order.total,
            discount_cents=sum(line.discount for line in order.lines),
            discount_code=order.code,
            shipping_cents=order.shipping,
            tax_cents=order.tax,
            tax_included=order.tax_included,
            currency="USD",
            shipping_address={"country": order.country, "city": order.city},
            created_at=order.at,
            paid_at=order.at,
        )
    )
    rows = [
        {
            "id": line.id,
            "order_id": order.id,
            "position": position,
            "product_id": line.piece.product,
            "variant_id": line.piece.variant,
            "name": "Garment",
            "color": line.piece.color,
            "size": line.piece.size,
            "sku": "S",
            "quantity": line.quantity,
            "unit_price_cents": line.unit,
            "list_price_cents": line.full,
            "discount_cents": line.discount,
            "tax_cents": line.tax,
        }
        for position, line in enumerate(order.lines)
    ]
    await session.execute(insert(OrderLine).values(rows))


async def pay_back(session: AsyncSession, order: BookOrder, refund: BookRefund, *, is_last: bool) -> None:
    """One refund that the provider has paid, and what it makes of its order."""
    await session.execute(
        insert(Refund).values(
            id=refund.id,
            order_id=order.id,
            payment_intent_id=f"pi_{order.id}",
            amount_cents=refund.amount,
            shipping_cents=refund.shipping,
            reason="",
            status="succeeded",
            succeeded_at=refund.at,
        )
    )
    for line, amount in refund.named.items():
        values = {"refund_id": refund.id, "order_line_id": line, "quantity": 1, "amount_cents": amount}
        await session.execute(insert(RefundLine).values(values))
    status = order.status if is_last else "partially_refunded"
    await session.execute(
        text("UPDATE orders SET payment_status = :status, refunded_cents = refunded_cents + :amount WHERE id = :id"),
        {"status": status, "amount": refund.amount, "id": order.id},
    )


async def live_through(sessions: Sessions, orders: Sequence[BookOrder], dice: random.Random) -> None:
    """What `come_in` does, and facts show all of it."""
    await come_in(sessions, orders, dice)
    await facts_caught_up(sessions)


async def come_in(sessions: Sessions, orders: Sequence[BookOrder], dice: random.Random) -> None:
    """Orders and refunds as they might really come in: each in its own transaction, and not in the order of time."""
    for order in orders:
        async with begin(sessions) as session:
            await enter(session, order)
    pending = [(order, refund) for order in orders for refund in order.refunds]
    dice.shuffle(pending)
    for place, (order, refund) in enumerate(pending):
        is_last = all(later is not order for later, _ in pending[place + 1 :])
        async with begin(sessions) as session:
            await pay_back(session, order, refund, is_last=is_last)


_NUMBERED = (
    *("customer", "product", "variant", "category", "gender", "subcategory", "color", "size", "code", "country"),
    *("city", "payment_status"),
)
FACTS = f"""
SELECT order_number, place, at, local_at, day, hour, is_new, first_day, unit_price_cents, discounted, is_sale,
    order_mark, units, gross_cents, discount_cents, refund_cents, tax_cents, shipping_cents, order_units,
    order_gross_cents, order_discount_cents, order_tax_cents,
    {", ".join(f"(SELECT member FROM sale_members WHERE number = {name}) AS {name}" for name in _NUMBERED)}
FROM sale_facts ORDER BY order_number, place
"""
"""The facts in words and ids, without the numbers that stand for them."""


async def contents(sessions: Sessions) -> dict[str, list[tuple[Any, ...]]]:
    """Every fact and every sum, and the categories of visits, when they show everything."""
    await facts_caught_up(sessions)
    tables = {}
    async with sessions() as session:
        for table in ("sales_by_day", "sales_by_day_category", "sales_by_day_product"):
            tables[table] = sorted(
                (tuple(row) for row in await session.execute(text(f"SELECT * FROM {table}"))), key=repr
            )
        tables["sales"] = [tuple(row) for row in await session.execute(text(FACTS))]
        visits = text("SELECT id, local_at, category FROM shop_events ORDER BY id")
        tables["visits"] = [tuple(row) for row in await session.execute(visits)]
        pairs = text(
            "SELECT day, one.member, other.member, orders FROM sales_by_day_pair"
            " JOIN sale_members one ON one.number = first JOIN sale_members other ON other.number = second"
            " WHERE orders <> 0"
        )
        tables["pairs"] = sorted(
            (row.day, *sorted((row[1], row[2])), row.orders) for row in await session.execute(pairs)
        )
    return tables

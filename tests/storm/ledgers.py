"""What the two parties have written down: the shop in its PostgreSQL, the payment provider in its own file."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from server.analytics.models import SalesDay
from server.cart.models import Cart, CartLine
from server.catalog.models import Product, Variant
from server.identity.models import User
from server.inventory import queries
from server.mail.models import Mail as Outgoing
from server.orders.models import Checkout, CheckoutLine, Order, OrderLine

UNSETTLED = ("open", "processing")


@dataclass(frozen=True)
class Payment:
    """Money that the provider has taken. `checkout` is what the shop gave as its reference."""

    id: str
    checkout: str
    amount_cents: int
    returned_cents: int


@dataclass(frozen=True)
class CardForm:
    """A checkout session as the provider has it: open, complete or expired."""

    id: str
    checkout: str
    status: str


@dataclass(frozen=True)
class Letter:
    """A mail that has reached its reader."""

    to: str
    subject: str
    message_id: str


@dataclass(frozen=True)
class Provider:
    """The provider's own account of things, with the mailbox beside it."""

    payments: tuple[Payment, ...]
    forms: tuple[CardForm, ...]
    letters: tuple[Letter, ...]

    def as_known_to(self, shop: "Shop") -> "Provider":
        """Without what happened after the shop's books were closed, as a backup closes them."""
        checkouts = {str(held.id) for held in shop.checkouts}
        return replace(
            self,
            payments=tuple(each for each in self.payments if each.checkout in checkouts),
            forms=tuple(each for each in self.forms if each.checkout in checkouts),
            letters=tuple(each for each in self.letters if each.message_id in shop.message_ids),
        )


@dataclass(frozen=True)
class Bought:
    """An order."""

    id: UUID
    number: str
    email: str
    payment_status: str
    payment_id: str | None
    total_cents: int
    refunded_cents: int
    is_canceled: bool
    pieces: Counter[UUID]

    @property
    def is_paid(self) -> bool:
        return self.payment_status in ("paid", "refunded", "partially_refunded")


@dataclass(frozen=True)
class Held:
    """A checkout."""

    id: UUID
    email: str
    status: str
    session_id: str | None
    created_at: datetime


@dataclass(frozen=True)
class Shelf:
    """A variant: what lies there, and what checkouts hold."""

    sku: str
    stock: int
    held: int
    unexplained: int
    """Pieces by which the stock ledger differs from stock and reservations."""


@dataclass(frozen=True)
class Shop:
    """The shop's own account of things."""

    orders: tuple[Bought, ...]
    checkouts: tuple[Held, ...]
    shelves: Mapping[UUID, Shelf]
    carts: Mapping[str, Counter[UUID]]
    """By e-mail address."""
    message_ids: frozenset[str]
    reported_pieces: int
    """Sold, by the sums behind reports."""
    popular_pieces: int
    """Sold, by the popularity of all products."""


def read_provider(folder: Path) -> Provider:
    """From the file itself, whether or not the stand-in runs. `folder` is its shop's SHOP_DATA."""
    with closing(sqlite3.connect(f"file:{folder / 'outside/ledger.sqlite'}?mode=ro", uri=True, timeout=10)) as file:
        sessions, charges = _objects(file, "checkout.session"), _objects(file, "charge")
        raw = file.execute("SELECT recipients, raw FROM mail ORDER BY id").fetchall()
    taken = [charge for charge in charges if charge["status"] == "succeeded"]
    return Provider(
        payments=tuple(
            Payment(
                charge["payment_intent"],
                charge["metadata"].get("checkout", ""),
                charge["amount_captured"],
                charge["amount_refunded"],
            )
            for charge in taken
        ),
        forms=tuple(CardForm(each["id"], each["client_reference_id"] or "", each["status"]) for each in sessions),
        letters=tuple(_letter(to, content) for to, content in raw),
    )


async def read_shop(session: AsyncSession) -> Shop:
    """As of one moment."""
    await session.rollback()
    await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    lines: defaultdict[UUID, Counter[UUID]] = defaultdict(Counter)
    for order_id, variant_id, pieces in await session.execute(
        select(OrderLine.order_id, OrderLine.variant_id, OrderLine.quantity)
    ):
        if variant_id is not None:
            lines[order_id][variant_id] += pieces
    shop = Shop(
        orders=tuple(_bought(order, lines[order.id]) for order in await session.scalars(select(Order))),
        checkouts=tuple(
            Held(held.id, held.email, held.status, held.stripe_session_id, held.created_at)
            for held in await session.scalars(select(Checkout))
        ),
        shelves=await _shelves(session),
        carts=await _carts(session),
        message_ids=frozenset(await session.scalars(select(Outgoing.message_id))),
        reported_pieces=int(await session.scalar(select(func.sum(SalesDay.units))) or 0),
        popular_pieces=int(await session.scalar(select(func.sum(Product.popularity))) or 0),
    )
    await session.rollback()
    return shop


def _objects(file: sqlite3.Connection, kind: str) -> list[dict[str, Any]]:
    rows = file.execute("SELECT body FROM objects WHERE kind = ? ORDER BY seq", (kind,))
    return [json.loads(body) for (body,) in rows]


def _letter(to: str, content: bytes) -> Letter:
    message = message_from_bytes(content, policy=policy.default)
    return Letter(to, str(message["subject"] or ""), str(message["message-id"] or "").strip())


def _bought(order: Order, pieces: Counter[UUID]) -> Bought:
    return Bought(
        id=order.id,
        number=order.quoted,
        email=order.email,
        payment_status=order.payment_status,
        payment_id=order.payment_intent_id,
        total_cents=order.total_cents,
        refunded_cents=order.refunded_cents,
        is_canceled=order.canceled_at is not None,
        pieces=pieces,
    )


async def _shelves(session: AsyncSession) -> dict[UUID, Shelf]:
    held = select(CheckoutLine.variant_id, func.sum(CheckoutLine.quantity)).group_by(CheckoutLine.variant_id)
    held = held.join(Checkout, Checkout.id == CheckoutLine.checkout_id).where(Checkout.status.in_(UNSETTLED))
    holding = {id: int(pieces) for id, pieces in await session.execute(held)}
    unexplained = await queries.differences(session)
    rows = await session.execute(select(Variant.id, Variant.sku, Variant.stock))
    return {
        id: Shelf(
            sku=sku,
            stock=stock,
            held=holding.get(id, 0),
            unexplained=unexplained.get(id, 0),
        )
        for id, sku, stock in rows
    }


async def _carts(session: AsyncSession) -> dict[str, Counter[UUID]]:
    lines = select(User.email, CartLine.variant_id, CartLine.quantity)
    rows = await session.execute(lines.join(Cart, Cart.id == CartLine.cart_id).join(User, User.id == Cart.user_id))
    carts: defaultdict[str, Counter[UUID]] = defaultdict(Counter)
    for email, variant_id, pieces in rows:
        carts[email][variant_id] += pieces
    return carts

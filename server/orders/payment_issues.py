"""Payments that need a person's attention: refunds that failed, payments without an order, disputes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    DateTime,
    Select,
    Text,
    Uuid,
    case,
    column,
    func,
    literal,
    select,
    table,
    tuple_,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncSession

from server.orders.models import Checkout, Order

REFUNDS = table(
    "refunds",
    column("id", Uuid),
    column("order_id", Uuid),
    column("checkout_id", Uuid),
    column("payment_intent_id", Text),
    column("amount_cents", BigInteger),
    column("shipping_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("asked_by", Text),
    column("return_id", Uuid),
    column("replaces_id", Uuid),
    column("closed_at", DateTime(timezone=True)),
    column("created_at", DateTime(timezone=True)),
)

DISPUTES = table(
    "disputes",
    column("id", Text),
    column("order_id", Uuid),
    column("payment_intent_id", Text),
    column("amount_cents", BigInteger),
    column("reason", Text),
    column("status", Text),
    column("answer_by", DateTime(timezone=True)),
    column("created_at", DateTime(timezone=True)),
)

CLOSED_DISPUTE_STATUSES = ("won", "lost", "warning_closed", "prevented")
"""Dispute statuses that need no action by the shop."""


@dataclass(frozen=True)
class PaymentIssueRow:
    """A payment that needs a person's attention. `kind` is unfulfillable, refund_failed or disputed."""

    kind: str
    id: str
    at: datetime
    amount_cents: int
    email: str
    order_id: UUID | None
    number: int | None
    status: str
    reason: str
    payment_intent_id: str | None


async def troubles(
    session: AsyncSession, *, open_only: bool, limit: int, after: tuple[datetime, str] | None = None
) -> list[PaymentIssueRow]:
    """A page of payment issues, newest first."""
    every = issues(open_only=open_only).subquery()
    found = select(every).order_by(every.c.at.desc(), every.c.id.desc()).limit(limit)
    if after is not None:
        found = found.where(tuple_(every.c.at, every.c.id) < after)
    return [PaymentIssueRow(*row) for row in await session.execute(found)]


async def number_of_troubles(session: AsyncSession, *, open_only: bool) -> int:
    """How many payment issues there are."""
    every = issues(open_only=open_only).subquery()
    return await session.scalar(select(func.count()).select_from(every)) or 0


def issues(*, open_only: bool) -> Any:
    """The three kinds of issues in one list, with the columns of PaymentIssueRow."""
    return union_all(
        _failed_refunds(open_only=open_only), _unfulfillable(open_only=open_only), _disputed(open_only=open_only)
    )


def _failed_refunds(*, open_only: bool) -> Select[Any]:
    later = REFUNDS.alias("later")
    replaced = select(later.c.id).where(later.c.replaces_id == REFUNDS.c.id).exists()
    found = (
        select(
            literal("refund_failed").label("kind"),
            func.cast(REFUNDS.c.id, Text).label("id"),
            REFUNDS.c.created_at.label("at"),
            REFUNDS.c.amount_cents,
            func.coalesce(Order.email, Checkout.email, "").label("email"),
            Order.id.label("order_id"),
            Order.number,
            case((REFUNDS.c.closed_at.is_not(None) | replaced, "closed"), else_="failed").label("status"),
            REFUNDS.c.reason,
            REFUNDS.c.payment_intent_id,
        )
        .outerjoin(Order, Order.id == REFUNDS.c.order_id)
        .outerjoin(Checkout, Checkout.id == REFUNDS.c.checkout_id)
        .where(REFUNDS.c.status == "failed")
    )
    return found.where(REFUNDS.c.closed_at.is_(None), ~replaced) if open_only else found


def _unfulfillable(*, open_only: bool) -> Select[Any]:
    """Payments that could not become an order."""
    status = func.coalesce(REFUNDS.c.status, "pending")
    found = (
        select(
            literal("unfulfillable"),
            func.cast(Checkout.id, Text),
            func.coalesce(REFUNDS.c.created_at, Checkout.created_at),
            Checkout.total_cents,
            Checkout.email,
            literal(None, Uuid()),
            literal(None, BigInteger()),
            status,
            func.coalesce(REFUNDS.c.reason, ""),
            REFUNDS.c.payment_intent_id,
        )
        .outerjoin(
            REFUNDS,
            (REFUNDS.c.checkout_id == Checkout.id) & REFUNDS.c.order_id.is_(None) & REFUNDS.c.replaces_id.is_(None),
        )
        .where(Checkout.status == "refunding")
    )
    return found.where(status == "pending") if open_only else found


def _disputed(*, open_only: bool) -> Select[Any]:
    found = select(
        literal("disputed"),
        DISPUTES.c.id,
        DISPUTES.c.created_at,
        DISPUTES.c.amount_cents,
        func.coalesce(Order.email, ""),
        DISPUTES.c.order_id,
        Order.number,
        DISPUTES.c.status,
        DISPUTES.c.reason,
        DISPUTES.c.payment_intent_id,
    ).outerjoin(Order, Order.id == DISPUTES.c.order_id)
    return found.where(DISPUTES.c.status.not_in(CLOSED_DISPUTE_STATUSES)) if open_only else found

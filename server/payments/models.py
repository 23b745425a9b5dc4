"""Tables of payments: the provider's events, refunds and disputes."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.platform.core.db import Base, Cents, Created, Id


class WebhookEvent(Base):
    """An event of the provider, stored in the transaction of its effect, so that it is handled once.

    `subject` is the provider's id of the session, charge, refund or dispute that it is about.
    """

    __tablename__ = "webhook_events"

    id: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    subject: Mapped[str]
    created_at: Mapped[Created]


class Refund(Base):
    """Money to refund; a job requests it from the provider with one idempotency key: `refund:{id}:{attempt}`.

    Refunds made in the provider's dashboard get rows too. A refund of an order names it; one of a payment that led to
    no order names only the checkout. `shipping_cents` is the part of the delivery cost in it. `request_key` makes a
    form that was submitted twice one refund. A failed refund needs no more attention when another one `replaces` it, or
    an admin has `closed` it because the buyer got the money in another way.
    """

    __tablename__ = "refunds"
    __table_args__ = (
        CheckConstraint("status IN ('pending', 'succeeded', 'failed')", name="status"),
        CheckConstraint("amount_cents > 0", name="amount"),
        UniqueConstraint("stripe_refund_id"),
        UniqueConstraint("request_key"),
        UniqueConstraint("replaces_id"),
        CheckConstraint("shipping_cents BETWEEN 0 AND amount_cents", name="shipping"),
        Index(
            "uq_refunds_first_of_checkout",
            "checkout_id",
            unique=True,
            postgresql_where=text("order_id IS NULL AND replaces_id IS NULL"),
        ),
        Index("ix_refunds_failed", "created_at", postgresql_where=text("status = 'failed' AND closed_at IS NULL")),
    )

    id: Mapped[Id]
    order_id: Mapped[UUID | None] = mapped_column(ForeignKey("orders.id"), index=True)
    checkout_id: Mapped[UUID | None] = mapped_column(ForeignKey("checkouts.id"))
    payment_intent_id: Mapped[str] = mapped_column(index=True)
    amount_cents: Mapped[Cents]
    reason: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=text("'pending'"))
    stripe_refund_id: Mapped[str | None]
    created_at: Mapped[Created]
    succeeded_at: Mapped[datetime | None]
    shipping_cents: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    return_id: Mapped[UUID | None] = mapped_column(ForeignKey("returns.id"), index=True)
    request_key: Mapped[str | None]
    replaces_id: Mapped[UUID | None] = mapped_column(ForeignKey("refunds.id"))
    asked_by: Mapped[str] = mapped_column(server_default=text("''"))
    """The admin's e-mail; empty when the buyer or the shop itself requested it."""
    closed_at: Mapped[datetime | None]
    attempt: Mapped[int] = mapped_column(server_default=text("1"))
    """Incremented only when the provider replays a failure for the key, since each attempt has its own key."""


class RefundLine(Base):
    """Items of an order line that a refund pays for, and the amount of it in cents."""

    __tablename__ = "refund_lines"
    __table_args__ = (
        CheckConstraint("quantity >= 1", name="quantity"),
        CheckConstraint("amount_cents >= 0", name="amount"),
    )

    refund_id: Mapped[UUID] = mapped_column(ForeignKey("refunds.id", ondelete="CASCADE"), primary_key=True)
    order_line_id: Mapped[UUID] = mapped_column(
        ForeignKey("order_lines.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    quantity: Mapped[int]
    amount_cents: Mapped[Cents]


class Dispute(Base):
    """A buyer's bank reverses a payment, or inquires about it. `id` and `status` are the provider's, as of `as_of`."""

    __tablename__ = "disputes"

    id: Mapped[str] = mapped_column(primary_key=True)
    order_id: Mapped[UUID | None] = mapped_column(ForeignKey("orders.id"), index=True)
    payment_intent_id: Mapped[str] = mapped_column(index=True)
    amount_cents: Mapped[Cents]
    reason: Mapped[str]
    status: Mapped[str]
    answer_by: Mapped[datetime | None]
    created_at: Mapped[Created]
    as_of: Mapped[datetime] = mapped_column(server_default=text("now()"))

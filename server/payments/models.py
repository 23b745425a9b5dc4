"""What the payment provider told us and what we asked it to pay back."""

from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from server.core.db import Base, Cents, Created, Id


class WebhookEvent(Base):
    """An event of the provider, stored in the transaction of its effect, so that it counts once.

    `subject` is the provider's id of what the event is about: a session, a charge, a refund, a dispute.
    """

    __tablename__ = "webhook_events"

    id: Mapped[str] = mapped_column(primary_key=True)
    type: Mapped[str]
    subject: Mapped[str]
    created_at: Mapped[Created]


class Refund(Base):
    """Money to give back, asked of the provider by a job under one idempotency key: `refund:{id}`.

    Refunds made on the provider's own pages become rows too. One of an order names it; one of a payment that never
    became an order names the checkout only.
    """

    __tablename__ = "refunds"
    __table_args__ = (
        CheckConstraint("status IN ('pending', 'succeeded', 'failed')", name="status"),
        CheckConstraint("amount_cents > 0", name="amount"),
        UniqueConstraint("stripe_refund_id"),
        Index("uq_refunds_checkout", "checkout_id", unique=True, postgresql_where=text("order_id IS NULL")),
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

"""Tables of checkouts, orders, shipments and returns."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ColumnElement,
    Computed,
    ForeignKey,
    Index,
    Sequence,
    SQLColumnExpression,
    Text,
    func,
    literal_column,
    text,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, mapped_column

from server.orders.states import CheckoutStatus, FulfilmentStatus, PaymentStatus, ReturnStatus, one_of
from server.platform.core.db import Base, Cents, Created, Id

order_numbers = Sequence("order_numbers", start=10001, metadata=Base.metadata)


class PricedColumns:
    """The parts of a total: goods, less a discount, with delivery and tax.

    A tax that is `tax_included` is part of the prices and not added to them.
    """

    total_cents: Mapped[Cents]
    discount_code: Mapped[str | None]
    discount_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    shipping_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    tax_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    tax_included: Mapped[bool] = mapped_column(server_default=text("false"))
    tax_basis_points: Mapped[int] = mapped_column(server_default=text("0"))
    tax_name: Mapped[str] = mapped_column(server_default=text("''"))
    delivery_name: Mapped[str] = mapped_column(server_default=text("''"))
    delivery_min_days: Mapped[int | None]
    delivery_max_days: Mapped[int | None]
    stored_subtotal: Mapped[int] = mapped_column(
        "subtotal_cents",
        BigInteger,
        Computed(
            "total_cents + discount_cents - shipping_cents - CASE WHEN tax_included THEN 0 ELSE tax_cents END",
            persisted=False,
        ),
        nullable=True,
        deferred=True,
    )
    """What the database works out, for its own statements; a row in hand has `subtotal_cents`."""

    @hybrid_property
    def subtotal_cents(self) -> int:
        """The sum of the lines."""
        added = 0 if self.tax_included else self.tax_cents
        return self.total_cents + self.discount_cents - self.shipping_cents - added

    @subtotal_cents.inplace.expression
    @classmethod
    def _subtotal_cents(cls) -> SQLColumnExpression[int]:
        return cls.stored_subtotal


PRICED = tuple(name for name in PricedColumns.__annotations__ if name not in ("total_cents", "stored_subtotal"))
"""Columns that an order copies from its checkout."""


class Checkout(PricedColumns, Base):
    """A reservation: the cart as it was priced, its stock taken, waiting for one payment.

    `open` holds stock; `processing` is confirmed with the money still on its way; `completed` became a paid order;
    `released` gave the stock back; `refunding` was paid but cannot be fulfilled. At most one is open per shopper.
    `fingerprint` is a hash of lines, prices and address; `check_at` is when the sweep looks at it next.
    """

    __tablename__ = "checkouts"
    __table_args__ = (
        CheckConstraint(one_of("status", CheckoutStatus), name="status"),
        Index(
            "uq_checkouts_open",
            "user_id",
            unique=True,
            postgresql_where=text("status = 'open'"),
        ),
        CheckConstraint("least(discount_cents, shipping_cents, tax_cents) >= 0", name="sums"),
        Index(
            "ix_checkouts_discount_code",
            "discount_code",
            "user_id",
            postgresql_where=text("discount_code IS NOT NULL AND status = 'open'"),
        ),
        Index("ix_checkouts_sweep", "check_at", postgresql_where=text("status IN ('open', 'processing')")),
    )

    id: Mapped[Id]
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"), index=True)
    email: Mapped[str]
    status: Mapped[str] = mapped_column(server_default=text("'open'"))
    fingerprint: Mapped[str]
    currency: Mapped[str]
    shipping_address: Mapped[dict[str, Any]]
    stripe_session_id: Mapped[str | None] = mapped_column(unique=True)
    client_secret: Mapped[str | None]
    created_at: Mapped[Created]
    expires_at: Mapped[datetime]
    check_at: Mapped[datetime]


class CheckoutLine(Base):
    """Items of one variant reserved by a checkout, with the copy of its facts that the order will keep."""

    __tablename__ = "checkout_lines"
    __table_args__ = (CheckConstraint("quantity >= 1", name="quantity"),)

    checkout_id: Mapped[UUID] = mapped_column(ForeignKey("checkouts.id", ondelete="CASCADE"), primary_key=True)
    variant_id: Mapped[UUID] = mapped_column(primary_key=True, index=True)
    product_id: Mapped[UUID]
    position: Mapped[int]
    quantity: Mapped[int]
    unit_price_cents: Mapped[Cents]
    list_price_cents: Mapped[Cents]
    discount_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    """This line's share of the discount, for all its items."""
    tax_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    """This line's share of the tax, for all its items; the rest of the tax is delivery's."""
    name: Mapped[str]
    color: Mapped[str]
    size: Mapped[str]
    sku: Mapped[str]
    image_id: Mapped[UUID | None]


class Order(PricedColumns, Base):
    """A paid purchase, created exactly once per checkout; it has its own copy of everything it shows.

    `fulfilment` follows from lines and shipments, and is stored so that orders can be listed by it; only
    `fulfilment.refresh` writes it.
    """

    __tablename__ = "orders"
    __table_args__ = (
        CheckConstraint(one_of("payment_status", PaymentStatus), name="payment_status"),
        CheckConstraint("refunded_cents BETWEEN 0 AND total_cents", name="refunded"),
        CheckConstraint(one_of("fulfilment", FulfilmentStatus), name="fulfilment"),
        CheckConstraint("least(discount_cents, shipping_cents, tax_cents) >= 0", name="sums"),
        Index(
            "ix_orders_discount_code",
            "discount_code",
            "user_id",
            postgresql_where=text("discount_code IS NOT NULL"),
        ),
        Index("ix_orders_user", "user_id", "created_at"),
        Index("ix_orders_created", "created_at"),
        Index("ix_orders_fulfilment", "fulfilment", "created_at", "id"),
        Index("ix_orders_payment_status", "payment_status", "created_at", "id"),
        Index("ix_orders_total", "total_cents", "id"),
    )

    id: Mapped[Id]
    number: Mapped[int] = mapped_column(
        BigInteger, order_numbers, server_default=order_numbers.next_value(), unique=True
    )
    user_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    former_customer: Mapped[UUID | None]
    """Of a deleted account: which orders were of one customer. Set by a trigger (`keep_former_customer`)."""
    checkout_id: Mapped[UUID | None] = mapped_column(ForeignKey("checkouts.id"), unique=True)
    email: Mapped[str]
    payment_status: Mapped[str]
    fulfilment: Mapped[str] = mapped_column(server_default=text("'unfulfilled'"))
    stripe_session_id: Mapped[str | None] = mapped_column(unique=True)
    payment_intent_id: Mapped[str | None] = mapped_column(index=True)
    refunded_cents: Mapped[int] = mapped_column(server_default=text("0"))
    currency: Mapped[str]
    shipping_address: Mapped[dict[str, Any]]
    created_at: Mapped[Created]
    paid_at: Mapped[datetime | None]
    failed_at: Mapped[datetime | None]
    canceled_at: Mapped[datetime | None]

    @property
    def quoted(self) -> str:
        """The order number as shown to the buyer."""
        return f"M-{self.number}"


ORDER_SEARCH_TEXT: ColumnElement[str] = func.search_text(
    Order.__table__.c.email.op("||")(literal_column("' '::text"))
    + func.coalesce(
        Order.__table__.c.shipping_address.op("->>", return_type=Text())(literal_column("'name'::text")),
        literal_column("''::text"),
    ),
    type_=Text(),
)
"""The text that a search for orders looks through: e-mail, and the name in the address.

Index and query both use this expression: the planner uses the index only for an identical one, without bound
parameters.
"""

Index(
    "ix_orders_search",
    ORDER_SEARCH_TEXT.label("words"),
    postgresql_using="gin",
    postgresql_ops={"words": "gin_trgm_ops"},
)


class OrderLine(Base):
    """One variant of an order, as it was sold.

    Of its items, `shipped` have been sent, `called_off` never will be; the rest is still to be sent.
    """

    __tablename__ = "order_lines"
    __table_args__ = (
        CheckConstraint("shipped >= 0 AND called_off >= 0 AND shipped + called_off <= quantity", name="pieces"),
    )

    id: Mapped[Id]
    order_id: Mapped[UUID] = mapped_column(ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    position: Mapped[int]
    product_id: Mapped[UUID | None] = mapped_column(index=True)
    variant_id: Mapped[UUID | None]
    name: Mapped[str]
    color: Mapped[str]
    size: Mapped[str]
    sku: Mapped[str]
    image_id: Mapped[UUID | None]
    quantity: Mapped[int]
    unit_price_cents: Mapped[Cents]
    list_price_cents: Mapped[Cents]
    discount_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    """This line's share of the order's discount, for all its items."""
    tax_cents: Mapped[Cents] = mapped_column(server_default=text("0"))
    """This line's share of the order's tax, for all its items; the rest of the tax is delivery's."""
    shipped: Mapped[int] = mapped_column(server_default=text("0"))
    called_off: Mapped[int] = mapped_column(server_default=text("0"))
    called_off_refunded: Mapped[int] = mapped_column(server_default=text("0"))
    """Of `called_off`, what is to be sent again if a refund at the provider fails: it left nothing of the payment."""

    @property
    def to_ship(self) -> int:
        """How many items are still to be sent."""
        return self.quantity - self.shipped - self.called_off


class Shipment(Base):
    """A shipment with items of one order. `tracking_number` and `tracking_url` are empty where there is none."""

    __tablename__ = "shipments"

    id: Mapped[Id]
    order_id: Mapped[UUID] = mapped_column(ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    carrier: Mapped[str]
    tracking_number: Mapped[str]
    tracking_url: Mapped[str]
    created_at: Mapped[Created]
    delivered_at: Mapped[datetime | None]


class ShipmentLine(Base):
    """How many items of an order line are in a shipment."""

    __tablename__ = "shipment_lines"
    __table_args__ = (CheckConstraint("quantity >= 1", name="quantity"),)

    shipment_id: Mapped[UUID] = mapped_column(ForeignKey("shipments.id", ondelete="CASCADE"), primary_key=True)
    order_line_id: Mapped[UUID] = mapped_column(
        ForeignKey("order_lines.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    quantity: Mapped[int]


class OrderNote(Base):
    """An internal note of an admin on an order; never shown to its buyer. The author's name is a copy."""

    __tablename__ = "order_notes"

    id: Mapped[Id]
    order_id: Mapped[UUID] = mapped_column(ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    author_id: Mapped[UUID | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    author_name: Mapped[str]
    text: Mapped[str]
    created_at: Mapped[Created]


class Return(Base):
    """Items of an order that the buyer wants to send back.

    `requested` waits for the shop's answer; `refused` is final; `accepted` waits for the shipment; `received` waits for
    the refund; `refunded` is done; `canceled` ended with its order. `answer` is what the shop wrote to the buyer,
    `label_url` the shipping label.
    """

    __tablename__ = "returns"
    __table_args__ = (
        CheckConstraint(one_of("status", ReturnStatus), name="status"),
        Index(
            "ix_returns_open",
            "status",
            "created_at",
            postgresql_where=text("status NOT IN ('refused', 'refunded', 'canceled')"),
        ),
    )

    id: Mapped[Id]
    order_id: Mapped[UUID] = mapped_column(ForeignKey("orders.id", ondelete="CASCADE"), index=True)
    status: Mapped[str] = mapped_column(server_default=text("'requested'"))
    reason: Mapped[str]
    answer: Mapped[str] = mapped_column(server_default=text("''"))
    label_url: Mapped[str] = mapped_column(server_default=text("''"))
    created_at: Mapped[Created]
    answered_at: Mapped[datetime | None]
    received_at: Mapped[datetime | None]
    refunded_at: Mapped[datetime | None]


class ReturnLine(Base):
    """How many items of an order line a return contains.

    A trigger, `check_returned_pieces`, refuses more items than were sent, over all returns that were neither refused
    nor canceled. `received` is how many arrived, null until then; of those, `restocked` returned to stock.
    """

    __tablename__ = "return_lines"
    __table_args__ = (
        CheckConstraint("quantity >= 1", name="quantity"),
        CheckConstraint("restocked >= 0 AND restocked <= coalesce(received, 0)", name="restocked"),
        CheckConstraint("received >= 0 AND received <= quantity", name="received"),
    )

    return_id: Mapped[UUID] = mapped_column(ForeignKey("returns.id", ondelete="CASCADE"), primary_key=True)
    order_line_id: Mapped[UUID] = mapped_column(
        ForeignKey("order_lines.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    quantity: Mapped[int]
    received: Mapped[int | None]
    restocked: Mapped[int] = mapped_column(server_default=text("0"))
